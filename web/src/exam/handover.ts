// What a page that was left had not got into the browser's database, and what the next one makes of it.

import { withDrawings, type ChangedDrawings } from "./server_copy";
import { slotOf, type Slot } from "./outbox";
import type { AttemptRecord, Kept } from "./ports";
import type { Command } from "./protocol";

export interface Left {
  record: AttemptRecord;
  /** All that is unsaved … */
  commands: Command[];
  /** … but the drawings that the database has already. */
  kept: Slot[];
  /** Those that the server has, as far as the database does not have them. */
  drawings: ChangedDrawings;
  /** The tab from which it was taken over. */
  of?: string;
}

/**
 * What is kept, with that. Each write has the highest number so far with it, and they are done in their order: where the
 * database has a higher one, all that was left has got into it after all.
 */
export function withLeft(kept: Kept | undefined, left: Left): Kept | undefined {
  const { record } = left;
  if (record.sessionId === undefined) return kept;
  const isOlder = kept !== undefined && (kept.record.startKey !== record.startKey || (kept.record.highest ?? 0) > (record.highest ?? 0));
  if (isOlder) return kept;
  const there = (kept?.commands ?? []).filter((command) => left.kept.includes(slotOf(command)));
  return { record, commands: [...there, ...left.commands], drawings: withDrawings(kept?.drawings ?? {}, left.drawings), hasLeft: true };
}

/** Without drawings, which may be too large; those that are in the database after all are taken from there. */
export function withoutDrawings(left: Left): Left {
  const commands = left.commands.filter(({ type }) => type !== "drawing");
  const drawn = left.commands.filter(({ type }) => type === "drawing").map(slotOf);
  return { ...left, commands, kept: [...left.kept, ...drawn], drawings: {} };
}
