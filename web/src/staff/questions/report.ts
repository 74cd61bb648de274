// What the server says of a file of questions: how many it adds and overwrites, what changes, and which rows it leaves out.

import type { BankTexts } from "./texts/en";

export interface ImportReport {
  added: number;
  updated: number;
  /** Each begins with `Row <n>:`. */
  errors: string[];
  /** The encoding of a text that does not say its own. */
  readAs?: string;
  /** Headings of columns that were passed over. */
  ignoredColumns?: string[];
  /** How many rows the sheets hide, which are read like others. */
  hiddenRows?: number;
  /** What a dry run would change in questions that exist; not every server says it, and none says more than a thousand. */
  changes?: ImportChange[];
}

export interface ImportChange {
  row: number;
  id: string;
  fields: string[];
}

export interface RowFault {
  /** Its place in the list, as its key. */
  id: string;
  /** As the spreadsheet shows it; undefined for a sentence about no row. */
  row: number | undefined;
  /** Only named for further sheets. */
  sheet: string;
  sentence: string;
}

const FAULT = /^Row (\d+): ([\s\S]*?)(?: \(sheet (.+)\))?$/;

export function importFaults({ errors }: ImportReport): RowFault[] {
  return errors.map((error, index) => {
    const [, row, sentence = error, sheet = ""] = FAULT.exec(error) ?? [];
    return { id: String(index), row: row === undefined ? undefined : Number(row), sheet, sentence };
  });
}

type Fault = keyof BankTexts["faults"];

/** Each kind of sentence, with the parts that are repeated. What is not known is shown as the server says it. */
const KINDS: [RegExp, Fault][] = [
  [/^(\w+) required$/, "required"],
  [/^grade must be 1 to 10$/, "grade"],
  [/^difficulty must be 1 to 5$/, "difficulty"],
  [/^answer must be one of A, B, C, D$/, "answer"],
  [/^secure must be yes or no$/, "secure"],
  [/^answer ([A-D]) has no option$/, "noOption"],
  [/^(\w+) is empty, but (\w+) is not$/, "hole"],
  [/^(\w+) is longer than ([\d,]+) characters$/, "tooLong"],
  [/^(\w+) has control characters$/, "control"],
  [/^(\w+) has the error (.+)$/, "broken"],
  [/^([\w, ]+?) (?:is a|are) (?:date|time)s?: format/, "moment"],
  [/^(\w+) must be an https address, a data:image address/, "picture"],
  [/^(\w+) has lost digits/, "lost"],
  [/^(\w+) has text that is struck out/, "struck"],
  [/^(\w+) has raised or lowered text/, "raised"],
  [/^(\w+) and (\w+) are equal$/, "equal"],
  [/^id (.+) stands in row (\d+) already$/, "repeated"],
];

/** A row's sentence, which may name several faults, in the reader's language. */
export function rowFaultText(sentence: string, faults: BankTexts["faults"]): string {
  return sentence
    .split("; ")
    .map((fault) => said(fault, faults))
    .join("; ");
}

function said(fault: string, faults: BankTexts["faults"]): string {
  for (const [pattern, kind] of KINDS) {
    const found = pattern.exec(fault);
    if (found !== null) return faults[kind](found[1] ?? "", found[2] ?? "");
  }
  return fault;
}
