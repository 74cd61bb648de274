// Rows of people as a spreadsheet takes them from the clipboard: columns with tabs between them, and never a formula.

import { nameOf, type ResultRow } from "./answer";
import { duration } from "./format";
import type { ResultsTexts } from "./texts/en";

/** A spreadsheet would reckon what begins so. */
const FORMULA = /^[=+\-@\t\r]/;

/** The rows under a line of headings. */
export function asTable(rows: ResultRow[], texts: ResultsTexts): string {
  const headings = [texts.student, texts.account, texts.score, texts.right, texts.questionCount, texts.time, texts.state, texts.room, texts.seat, texts.submittedAt];
  const lines = rows.map((row) => [
    nameOf(row),
    row.account ?? "",
    row.score ?? "",
    row.right ?? "",
    row.questions ?? "",
    row.time === null ? "" : duration(row.time),
    texts.states[row.state],
    row.room ?? "",
    row.seat ?? "",
    row.submittedAt ?? "",
  ]);
  return [headings, ...lines].map((cells) => cells.map(cellOf).join("\t")).join("\n");
}

/** The accounts of those who have one, as mail programs take them. */
export function accountsOf(rows: ResultRow[]): string[] {
  return [...new Set(rows.map(({ account }) => account).filter((account) => account !== null))];
}

function cellOf(value: string | number): string {
  const text = String(value).replace(/[\t\r\n]+/g, " ");
  return typeof value === "string" && FORMULA.test(text) ? `'${text}` : text;
}
