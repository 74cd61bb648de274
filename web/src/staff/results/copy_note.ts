// What is to be said where students saw options or questions otherwise than the master copy has them.

import type { ResultRow } from "./answer";

/** What is said once of numbers and letters: that forms have others, that options alone stood otherwise, or nothing. */
export function copyNote(rows: Pick<ResultRow, "form" | "optionOrder">[]): "forms" | "letters" | undefined {
  if (rows.some(({ form }) => form !== undefined)) return "forms";
  return rows.some(({ optionOrder }) => optionOrder !== undefined) ? "letters" : undefined;
}
