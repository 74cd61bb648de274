// Rows of people as a spreadsheet takes them from the clipboard: columns with tabs between them, and never a formula.

import { writtenMark } from "../../marks/written";
import type { Language } from "../../texts/choice.svelte";
import { harmless } from "../spreadsheet";
import { wallOf } from "../zone";
import { studentName, type ResultRow } from "./answer";
import type { ResultsTexts } from "./texts/en";

/** The rows under a line of headings. Forms have a column where there are several, and marks where there are any. */
export function asTable(rows: ResultRow[], texts: ResultsTexts, language: Language): string {
  const hasForms = rows.some(({ form }) => form !== undefined);
  const hasMarks = rows.some(({ mark }) => mark !== undefined);
  const hasPassed = rows.some(({ mark }) => mark?.passed !== undefined);
  const marks = [...(hasMarks ? [texts.mark] : []), ...(hasPassed ? [texts.passed] : [])];
  const headings = [texts.student, texts.account, texts.score, ...marks, texts.right, texts.questionCount, texts.seconds, texts.state, texts.room, texts.seat, ...(hasForms ? [texts.form] : []), texts.submittedAt];
  const lines = rows.map((row) => [
    studentName(row),
    row.account ?? "",
    row.score ?? "",
    ...(hasMarks ? [row.mark === undefined ? "" : writtenMark(row.mark.text, language)] : []),
    ...(hasPassed ? [row.mark?.passed === undefined ? "" : row.mark.passed ? texts.yes : texts.no] : []),
    row.right ?? "",
    row.questions ?? "",
    row.time ?? "",
    texts.states[row.state],
    row.room ?? "",
    row.seat ?? "",
    ...(hasForms ? [row.form ?? ""] : []),
    row.submittedAt === null ? "" : local(row.submittedAt),
  ]);
  return [headings, ...lines].map((cells) => cells.map(cellOf).join("\t")).join("\n");
}

/** The accounts of those who have one, as mail programs take them. */
export function accountsOf(rows: ResultRow[]): string[] {
  return [...new Set(rows.map(({ account }) => account).filter((account) => account !== null))];
}

function cellOf(value: string | number): string {
  const text = String(value).replace(/[\t\r\n]+/g, " ");
  const safe = typeof value === "string" ? harmless(text) : text;
  // A cell that begins with a quotation mark would go on into the next ones.
  return safe.startsWith('"') ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** As on the page, and in the form that every spreadsheet reads. */
function local(iso: string): string {
  return new Date(wallOf(Date.parse(iso))).toISOString().slice(0, 19).replace("T", " ");
}
