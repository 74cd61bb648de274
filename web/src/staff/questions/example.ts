// A sheet with one question, for somebody who has a new question and no export to begin from.

import { csvTable } from "../spreadsheet";

const HEADINGS = ["id", "grade", "topic", "subtopic", "difficulty", "question", "optionA", "optionB", "optionC", "optionD", "answer", "explanation"];

export interface Example {
  topic: string;
  question: string;
  options: string[];
  explanation: string;
}

/** Its row has no id, so that it is a new question. */
export function exampleSheet({ topic, question, options, explanation }: Example): Blob {
  const row = ["", "5", topic, "", "2", question, ...options, "C", explanation];
  return new Blob([csvTable([HEADINGS, row])], { type: "text/csv" });
}
