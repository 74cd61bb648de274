// Tells the entry of the log with which a question was written here from later edits.

import type { Edit } from "../api/schema";

/** Before it there was no question. */
export function isFirst({ changes }: Pick<Edit, "changes">): boolean {
  return changes.some(({ field, before }) => field === "Question" && before === "");
}
