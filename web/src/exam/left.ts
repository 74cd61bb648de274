// What a page that was left had not got into the browser's database, and what the next one makes of it.

import { slotOf } from "./outbox";
import type { Kept, Write } from "./ports";

/**
 * What is kept, with that. Each write has the highest number so far with it, and they are done in their order: where the
 * database has a higher one, all that was left has got into it after all.
 */
export function withLeft(kept: Kept | undefined, left: Write): Kept | undefined {
  const { record, put = [], drawings = {}, isWhole = false } = left;
  if (record === undefined || (kept === undefined && !isWhole)) return kept;
  const isOlder = kept !== undefined && (kept.record.startKey !== record.startKey || (kept.record.highest ?? 0) > (record.highest ?? 0));
  if (isOlder) return kept;
  const before = isWhole ? undefined : kept;
  const commands = new Map([...(before?.commands ?? []), ...put].map((command) => [slotOf(command), command]));
  const drawn = { ...before?.drawings };
  for (const [questionId, drawing] of Object.entries(drawings)) {
    if (drawing === null) delete drawn[questionId];
    else drawn[questionId] = drawing;
  }
  return { record, commands: [...commands.values()], drawings: drawn, hasLeft: true };
}
