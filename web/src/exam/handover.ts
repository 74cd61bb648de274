// Hands what a page has that is being closed to the page that opens the test next. Browsers break off a database
// transaction when its page goes, so the page also writes down, in one synchronous step, whatever the database may
// lack. Separate from the storage that keeps it, so that the rules for merging the two can be tested without a browser.

import { slotOf, type Slot } from "./outbox";
import type { AttemptRecord, StoredAttempt } from "./ports";
import type { Command } from "./protocol";
import { withDrawings, type ChangedDrawings } from "./server_copy";

export interface Handover {
  record: AttemptRecord;
  /** All unsaved commands … */
  commands: Command[];
  /** … except these drawings, which the database has already. */
  kept: Slot[];
  /** Drawings that the server has and the database may lack. */
  drawings: ChangedDrawings;
  /** The tab that wrote this, once another tab has taken it over. */
  of?: string;
}

/** A handover with the tab under whose name it is stored; undefined when it can't be read. */
export interface HandoverEntry {
  tab: string;
  handover: Handover | undefined;
}

/** An attempt as a tab takes it over, and the handover to store under that tab's name until all is written. */
export interface Takeover {
  attempt: StoredAttempt | undefined;
  handover: Handover | undefined;
}

/** The stored attempts of this test. A handover may be all there is of one whose page went before it was written. */
export function recordsOf(test: string, stored: AttemptRecord[], handovers: Handover[]): AttemptRecord[] {
  const records = new Map(stored.map((record) => [record.test, record]));
  for (const { record } of handovers) {
    const isStored = records.get(record.test)?.sessionId !== undefined;
    if (record.sessionId !== undefined && !isStored) records.set(record.test, record);
  }
  return [...records.values()].filter((record) => isOfTest(record.test, test));
}

/** Whether an attempt of this name is one of this test: the second and further ones have a number behind `/`. */
export function isOfTest(name: string, test: string): boolean {
  return name === test || name.startsWith(`${test}/`);
}

/**
 * How `tab` takes the attempt over from `owner`, the tab that had it last. Only the owner's handover counts; those of
 * other tabs are older than what the owner wrote.
 */
export function takeOver(stored: StoredAttempt | undefined, entries: HandoverEntry[], owner: string | undefined, tab: string): Takeover {
  // A claim that broke off may have put the owner's handover under this tab's name, or marked it as the owner's.
  const isOwners = (entry: HandoverEntry) => owner === undefined || entry.tab === tab || entry.handover?.of === owner;
  const handover = (entries.find((entry) => entry.tab === owner) ?? entries.find(isOwners))?.handover;
  if (handover === undefined) return { attempt: stored, handover };
  const attempt = withHandover(stored, handover);
  const isForeign = owner !== undefined && owner !== tab;
  return { attempt, handover: attempt?.hasHandover ? (isForeign ? { ...handover, of: owner } : handover) : undefined };
}

/**
 * The stored attempt with the handover merged in. Every write carries the highest number so far, and writes are done in
 * order. So if the database has a higher number, all of the handover got into it after all.
 */
function withHandover(stored: StoredAttempt | undefined, handover: Handover): StoredAttempt | undefined {
  const { record } = handover;
  if (record.sessionId === undefined) return stored;
  const isOlder = stored !== undefined && (stored.record.startKey !== record.startKey || (stored.record.highest ?? 0) > (record.highest ?? 0));
  if (isOlder) return stored;
  const kept = (stored?.commands ?? []).filter((command) => handover.kept.includes(slotOf(command)));
  return { record, commands: [...kept, ...handover.commands], drawings: withDrawings(stored?.drawings ?? {}, handover.drawings), hasHandover: true };
}

/** The handover without its drawings, which may be too large. Those that did get into the database are used from there. */
export function withoutDrawings(handover: Handover): Handover {
  const commands = handover.commands.filter(({ type }) => type !== "drawing");
  const drawn = handover.commands.filter(({ type }) => type === "drawing").map(slotOf);
  return { ...handover, commands, kept: [...handover.kept, ...drawn], drawings: {} };
}
