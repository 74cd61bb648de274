// What is to be said where students saw options or questions otherwise than the master copy has them.

import type { ResultRow } from "./answer";

/** That forms have other numbers and letters, or that options alone stood otherwise. */
export type CopyNote = "forms" | "letters";

/** What is said once of numbers and letters, if anything. */
export function copyNote(rows: Pick<ResultRow, "form" | "optionOrder">[]): CopyNote | undefined {
  if (rows.some(({ form }) => form !== undefined)) return "forms";
  return rows.some(({ optionOrder }) => optionOrder !== undefined) ? "letters" : undefined;
}
