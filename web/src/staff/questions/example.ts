// A sheet with one question, for somebody who has a new question and no export to begin from.

const HEADINGS = ["id", "grade", "topic", "subtopic", "difficulty", "question", "optionA", "optionB", "optionC", "optionD", "answer", "explanation"];
/** A spreadsheet program takes a file with this mark for UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";

export interface Example {
  topic: string;
  question: string;
  options: string[];
  explanation: string;
}

/** Its row has no id, so that it is a new question. */
export function exampleSheet({ topic, question, options, explanation }: Example): Blob {
  const row = ["", "5", topic, "", "2", question, ...options, "C", explanation];
  const lines = [HEADINGS, row].map((cells) => cells.map(quoted).join(","));
  return new Blob([BYTE_ORDER_MARK, lines.join("\r\n"), "\r\n"], { type: "text/csv" });
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}
