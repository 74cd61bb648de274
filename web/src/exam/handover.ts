// What a page that was left had not got into the browser's database, and what the next one makes of it.

import { withDrawings, type ChangedDrawings } from "./server_copy";
import { slotOf, type Slot } from "./outbox";
import type { AttemptRecord, StoredAttempt } from "./ports";
import type { Command } from "./protocol";

export interface Handover {
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
export function withHandover(kept: StoredAttempt | undefined, handover: Handover): StoredAttempt | undefined {
  const { record } = handover;
  if (record.sessionId === undefined) return kept;
  const isOlder = kept !== undefined && (kept.record.startKey !== record.startKey || (kept.record.highest ?? 0) > (record.highest ?? 0));
  if (isOlder) return kept;
  const there = (kept?.commands ?? []).filter((command) => handover.kept.includes(slotOf(command)));
  return { record, commands: [...there, ...handover.commands], drawings: withDrawings(kept?.drawings ?? {}, handover.drawings), hasHandover: true };
}

/** Without drawings, which may be too large; those that are in the database after all are taken from there. */
export function withoutDrawings(handover: Handover): Handover {
  const commands = handover.commands.filter(({ type }) => type !== "drawing");
  const drawn = handover.commands.filter(({ type }) => type === "drawing").map(slotOf);
  return { ...handover, commands, kept: [...handover.kept, ...drawn], drawings: {} };
}
