// Who needs somebody to look, and why: the reasons that a proctor would get up for, the most urgent first.

import { isAtWork, isWaiting, type Row } from "./row";

/** In the order of their urgency. */
export const REASONS = ["refused", "saving", "takenOver", "offline", "notEntered", "storage", "paper", "away", "silent", "wrongCodes", "unheard", "lateWork"] as const;
export type Reason = (typeof REASONS)[number];

export const OFFLINE_AFTER_MS = 30_000;
/** Someone who thinks about a hard question says nothing for a while; this is longer than that. */
export const SILENT_AFTER_MS = 300_000;

/** So long a test that another device has taken over is pointed out, if nobody looks. */
export const TAKEN_OVER_MS = 600_000;

export interface Attention {
  key: string;
  row: Row;
  reasons: Reason[];
  /** Milliseconds of the server's clock since when, if that is known. */
  since?: number;
}

export interface Moment {
  /** Milliseconds of the server's clock. */
  now: number;
  /** Whether time counts for the room, so that whoever is not there is missing it. */
  hasBegun: boolean;
  /** Whoever was heard after this is not silent: texts of one form are compared, since reading thousands of dates takes a while. */
  quietSince?: string;
  /** By key, what somebody at this desk has looked at: when the test was taken over. */
  looked?: ReadonlyMap<string, string>;
  /** Whose device had no connection when their test ended. */
  unheard?: { has(key: string): boolean };
}

/** How many changes came after the end about which nobody has decided since they came. Visits of questions are kept too, and are no changes. */
export function undecidedChanges({ late }: Row): number {
  if (late === undefined) return 0;
  // A server of an earlier version does not say what came after a decision.
  return late.undecided ?? (late.accepted + late.declined === 0 ? late.changes : 0);
}

/** When another device has taken the test over, if that is news. */
export function takenOverAt({ takenOverAt, state }: Row, now: number): number | undefined {
  const at = takenOverAt == null || state === "submitted" ? NaN : Date.parse(takenOverAt);
  return now - at <= TAKEN_OVER_MS ? at : undefined;
}

/** `offlineSince` is when this desk saw the connection go. A student without a socket may work over HTTPS, which moves `lastSeenAt`. */
export function reasonsOf(row: Row, offlineSince: number | undefined, { now, hasBegun, quietSince }: Moment, isLooked = false): { reasons: Reason[]; since?: number } {
  const reasons: Reason[] = [];
  let since: number | undefined;
  const seenAt = () => (row.lastSeenAt === null ? 0 : Date.parse(row.lastSeenAt));
  if (isAtWork(row) || isWaiting(row)) {
    if ((row.refused ?? 0) > 0) reasons.push("refused");
    if (row.trouble?.includes("saving") === true) reasons.push("saving");
    if (!isLooked && takenOverAt(row, now) !== undefined) reasons.push("takenOver");
    const goneAt = row.connected ? undefined : Math.max(offlineSince ?? 0, seenAt());
    if (goneAt !== undefined && now - goneAt > OFFLINE_AFTER_MS) {
      reasons.push("offline");
      since = goneAt;
    }
    if (row.trouble?.includes("storage") === true) reasons.push("storage");
    if (row.trouble?.includes("paper") === true) reasons.push("paper");
  }
  if (row.state === "expected" && row.attendance === "present" && hasBegun) reasons.push("notEntered");
  if (row.state === "active") {
    if (row.away) reasons.push("away");
    const mayBeSilent = row.connected && row.lastSeenAt !== null && (quietSince === undefined || row.lastSeenAt < quietSince);
    if (mayBeSilent && now - Math.max(seenAt(), Date.parse(row.startedAt)) > SILENT_AFTER_MS) {
      reasons.push("silent");
      since ??= seenAt();
    }
  }
  if (row.wrongCodes !== undefined && row.sessionId === null) reasons.push("wrongCodes");
  if (undecidedChanges(row) > 0) reasons.push("lateWork");
  return since === undefined ? { reasons } : { reasons, since };
}

/** Everyone who needs attention, the most urgent first, and those alike in the order of `keys`: by seat. */
export function attentions(keys: readonly string[], rows: ReadonlyMap<string, Row>, offlineSince: ReadonlyMap<string, number>, moment: Moment): Attention[] {
  // The keys are in order already, and comparing thousands of names twice a second would cost a frame.
  const found: Attention[][] = REASONS.map(() => []);
  const dated = { ...moment, quietSince: new Date(moment.now - SILENT_AFTER_MS).toISOString() };
  for (const key of keys) {
    const row = rows.get(key);
    if (row === undefined) continue;
    const isLooked = row.takenOverAt != null && moment.looked?.get(key) === row.takenOverAt;
    const { reasons, since } = reasonsOf(row, offlineSince.get(key), dated, isLooked);
    if (moment.unheard?.has(key) === true) reasons.unshift("unheard");
    if (reasons.length > 0) found[REASONS.indexOf(reasons[0] as Reason)]?.push(since === undefined ? { key, row, reasons } : { key, row, reasons, since });
  }
  return found.flat();
}
