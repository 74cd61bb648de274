// What the server says of a file of questions: how many it adds and overwrites, what changes, and which rows it leaves out.

import type { Question } from "../../api/schema";
import { faultOf, noteOf, sentencesIn, thingText } from "./imports/sentences";
import type { ImportTexts } from "./imports/texts/en";
import type { BankTexts } from "./texts/en";

export interface ImportReport {
  added: number;
  updated: number;
  /** Each begins with `Row <n>:`, or with the place of a question in a file of another system. */
  errors: string[];
  /** What was left out of questions of other systems. */
  notes?: string[];
  /** The first questions of a dry run, as they would be stored. */
  preview?: Question[];
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
  /** Where a question of another system stands, and its name; empty for rows. */
  place: string;
  /** Only named for further sheets. */
  sheet: string;
  sentence: string;
}

const FAULT = /^Row (\d+): ([\s\S]*?)(?: \(sheet (.+)\))?$/;
/** A line, a question by its number, or a file within a package; then perhaps the name of the question. */
const ITEM = /^((?:(?:Line|Question) \d+|[^:()]+?\.\w+(?:, line \d+)?)(?: \(.*?\))?): ([\s\S]*)$/;

export function importFaults({ errors }: ImportReport): RowFault[] {
  return errors.map((error, index) => {
    const id = String(index);
    const [, row, said, sheet = ""] = FAULT.exec(error) ?? [];
    if (row !== undefined && said !== undefined) return { id, row: Number(row), place: "", sheet, sentence: said };
    const [, place = "", sentence = error] = ITEM.exec(error) ?? [];
    return { id, row: undefined, place, sheet: "", sentence };
  });
}

/** A note on a question, and where the question stands. */
export interface ImportNote {
  id: string;
  place: string;
  sentence: string;
}

export function importNotes({ notes = [] }: ImportReport): ImportNote[] {
  return notes.map((note, index) => {
    const [, place = "", sentence = note] = ITEM.exec(note) ?? [];
    return { id: String(index), place, sentence };
  });
}

/** What is to be chosen first, since neither the questions of a file nor the import say it; undefined if nothing is. */
export function askedLevels({ errors }: ImportReport, { grade, difficulty }: { grade: string; difficulty: string }): "both" | "grade" | "difficulty" | undefined {
  if (!errors.some((error) => /: (?:grade|difficulty) required: choose one/.test(error))) return undefined;
  if (grade === "" && difficulty === "") return "both";
  return grade === "" ? "grade" : difficulty === "" ? "difficulty" : undefined;
}

type Fault = keyof BankTexts["faults"];

/** Each kind of sentence, with the parts that are repeated. What is not known is shown as the server says it. */
const KINDS: [RegExp, Fault][] = [
  [/^(\w+) required$/, "required"],
  [/^grade must be 1 to 10$/, "grade"],
  [/^difficulty must be 1 to 5$/, "difficulty"],
  [/^answer must be one of A, B, C, D$/, "answer"],
  [/^answer must be a number in digits/, "number"],
  [/^(tolerance|unit|forms|language) must /, "ofNumber"],
  [/^a question of the type number has no options$/, "numberOptions"],
  [/^type must be /, "type"],
  [/^secure must be yes or no$/, "secure"],
  [/^practice must be yes or no$/, "practice"],
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
  [/^id (.+) stands in (.+) already$/, "repeatedAt"],
  [/^it has (\d+) options, but (\d) are needed/, "optionCount"],
  [/^no option is right$/, "noRight"],
  [/^(\d+) options give points/, "severalRight"],
  [/^its best option gives only ([\d.]+) %/, "partlyRight"],
  [/^several options may be chosen$/, "severalChosen"],
  [/^it is no multiple choice: (.*)$/, "otherKind"],
  [/^grade required: choose/, "noGrade"],
  [/^difficulty required: choose/, "noDifficulty"],
  [/^option ([A-D]) has a picture/, "pictureInOption"],
  [/^it has more than one picture$/, "secondPicture"],
  [/^the picture has (\d+) bytes: a question keeps about (\d+)$/, "largePicture"],
  [/^the picture (.+) is not in the file$/, "missingPicture"],
  [/^the picture is no PNG/, "pictureFormat"],
  [/^the picture is broken, or has too many/, "brokenPicture"],
  [/^the picture is larger than (\d+) MiB$/, "heavyPicture"],
  [/^the picture cannot be made small enough$/, "detailedPicture"],
  [/^the picture has no room beside those before it/, "manyPictures"],
  [/^it has (.+), which a question here can't show$/, "unshowable"],
  [/^the formula can't be read: (.*)$/, "formula"],
];

/** The words within these have translations of their own. */
const WORDED: Fault[] = ["unshowable", "otherKind", "formula"];

/** A sentence on a row, a question or a file, which may name several faults, in the reader's language. */
export function rowFaultText(sentence: string, faults: BankTexts["faults"], ofItems?: ImportTexts): string {
  const inner = (within: string) => rowFaultText(within, faults, ofItems);
  return sentencesIn(sentence)
    .map((fault) => (ofItems === undefined ? undefined : faultOf(fault, ofItems, inner)) ?? said(fault, faults, ofItems))
    .join("; ");
}

/** What was left out of a question, in the reader's language. */
export function noteText(sentence: string, faults: BankTexts["faults"], ofItems: ImportTexts): string {
  const inner = (within: string) => rowFaultText(within, faults, ofItems);
  return sentencesIn(sentence)
    .map((note) => noteOf(note, ofItems, inner) ?? note)
    .join("; ");
}

function said(fault: string, faults: BankTexts["faults"], ofItems: ImportTexts | undefined): string {
  const word = (text: string) => (ofItems === undefined ? text : thingText(text, ofItems));
  for (const [pattern, kind] of KINDS) {
    const found = pattern.exec(fault);
    if (found === null) continue;
    const one = found[1] ?? "";
    return faults[kind](WORDED.includes(kind) ? word(one) : one, found[2] ?? "");
  }
  return word(fault);
}
