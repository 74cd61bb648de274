// Cells as spreadsheets take them: what was written by anybody must not become a formula there.

/** A spreadsheet would reckon what begins so; some drop blanks and quotation marks before it, or take wide signs for the others. */
const FORMULA = /^[\s"]*[=+\-@＝＋－＠]/;

/** The text, with a mark before it if a spreadsheet would reckon it. */
export function harmless(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}
