// Cells as spreadsheets take them: what was written by anybody must not become a formula there.

import { unmarked } from "../texts/unmarked";

/**
 * A spreadsheet would reckon what begins so; some drop blanks and quotation marks before it, or take wide signs for the others.
 * What looks as if it had the mark already gets another, so that an import of the file gives the text back.
 */
const FORMULA = /^'*[\s"]*[=+\-@＝＋－＠]/;

/** The text, with a mark before it if a spreadsheet would reckon it, and without those that would turn what follows. */
export function harmless(written: string): string {
  const text = unmarked(written);
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Rows as a file of comma-separated values, which spreadsheets take for UTF-8 by its first mark. */
export function csvTable(rows: string[][]): string {
  return `\uFEFF${rows.map((cells) => cells.map(cellOf).join(",")).join("\r\n")}\r\n`;
}

function cellOf(text: string): string {
  const safe = harmless(text);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
