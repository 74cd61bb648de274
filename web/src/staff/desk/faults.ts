// A fault that meets many at once, such as a switch that fails: one entry for the hall, and not one for each of its students.

import { isAtWork, isWaiting, type Row } from "./row";

/** So many, and this part of those who are in the hall, lose their connection … */
const LEAST = 5;
const PART = 1 / 3;
/** … within this time. */
const TOGETHER_MS = 10_000;
/** A network that blinks is no fault. */
const BLINK_MS = 5_000;

/** Somebody in a hall without a connection, and since when by the server's clock. */
export interface Gone {
  key: string;
  room: string;
  at: number;
}

export interface RoomFault {
  /** The name of the hall; empty where there is none. */
  room: string;
  since: number;
  /** Of those who are still away. */
  keys: ReadonlySet<string>;
}

/** Who is away, and how many are in each hall. Whoever is heard by HTTPS since their connection went is not away. */
export function goneOf(rows: ReadonlyMap<string, Row>, offlineSince: ReadonlyMap<string, number>): { gone: Gone[]; here: Map<string, number> } {
  const gone: Gone[] = [];
  const here = new Map<string, number>();
  for (const [key, row] of rows) {
    if (!isAtWork(row) && !isWaiting(row)) continue;
    const room = row.room ?? "";
    here.set(room, (here.get(room) ?? 0) + 1);
    if (row.connected) continue;
    const [sinceMs, seenAt] = [offlineSince.get(key), row.lastSeenAt === null ? undefined : Date.parse(row.lastSeenAt)];
    const at = sinceMs ?? seenAt;
    if (at !== undefined && (seenAt ?? 0) <= at) gone.push({ key, room, at });
  }
  return { gone, here };
}

/** The faults of now: those of before as long as enough of their students are away, and new ones. */
export function faultsNow(before: readonly RoomFault[], gone: readonly Gone[], here: ReadonlyMap<string, number>, now: number): RoomFault[] {
  const byRoom = new Map<string, Gone[]>();
  for (const one of gone) {
    const inRoom = byRoom.get(one.room);
    if (inRoom === undefined) byRoom.set(one.room, [one]);
    else inRoom.push(one);
  }
  return [...byRoom].flatMap(([room, inRoom]) => {
    const lasting = before.find((fault) => fault.room === room);
    const fault = faultIn(lasting, inRoom.sort((one, other) => one.at - other.at), here.get(room) ?? 0, now);
    return fault === undefined ? [] : [{ ...fault, room }];
  });
}

/** `gone` are of one hall, in the order in which they went. */
function faultIn(lasting: RoomFault | undefined, gone: Gone[], here: number, now: number): Omit<RoomFault, "room"> | undefined {
  const kept = gone.filter(({ key }) => lasting?.keys.has(key) === true);
  const isLasting = lasting !== undefined && kept.length >= LEAST;
  const others = isLasting ? gone.filter(({ key }) => !lasting.keys.has(key)) : gone;
  const from = firstTogether(others, Math.ceil(Math.max(LEAST, here * PART)));
  const isNew = from !== undefined && now - from >= BLINK_MS;
  if (!isLasting && !isNew) return undefined;
  const keys = new Set(isLasting ? kept.map(({ key }) => key) : []);
  if (isNew) for (const { key, at } of others) if (at >= from && at - from <= TOGETHER_MS) keys.add(key);
  // Whoever goes soon after one of them goes for the same reason.
  let last = -Infinity;
  for (const { key, at } of gone) {
    if (at - last <= TOGETHER_MS) keys.add(key);
    if (keys.has(key)) last = at;
  }
  return { since: isLasting ? lasting.since : (from as number), keys };
}

/** When the first of so many went who went together. */
function firstTogether(gone: Gone[], count: number): number | undefined {
  return gone.find(({ at }, index) => (gone[index + count - 1]?.at ?? Infinity) - at <= TOGETHER_MS)?.at;
}
