// What goes with the start when a sitting is postponed, and what stays. The server moves the start alone, with doors that
// have no time of their own; a hard end that stays would take the minutes from everybody.

import { iso, parsed } from "../moments";
import type { Candidate, Room, RoomFields, Sitting, SittingFields } from "./shapes";
import { doorsFollow, sittingTimes } from "./timeline";

export type Companion = "doors" | "entry" | "end" | "results" | "rooms";

/** What has a time of its own, which can move with the start. Doors that are open stay open. */
export function companionsOf(sitting: Sitting): Companion[] {
  const has: [Companion, boolean][] = [
    ["doors", sitting.openedAt === null && !doorsFollow(sittingTimes(sitting))],
    ["entry", sitting.entryUntil !== null],
    ["end", sitting.endsAt !== null],
    ["results", parsed(sitting.results) !== undefined],
    ["rooms", sitting.rooms.some(hasTimes)],
  ];
  return has.filter(([, is]) => is).map(([name]) => name);
}

/** Candidates with a start or an end of their own, which stays. */
export function ownTimes(candidates: Candidate[]): Candidate[] {
  return candidates.filter(({ startsAt, endsAt }) => startsAt !== null || endsAt !== null);
}

/** The change that moves the start by `by`, and with it those companions that are chosen. */
export function postponed(sitting: Sitting, by: number, chosen: ReadonlySet<Companion>): SittingFields {
  const times = sittingTimes(sitting);
  const fields: SittingFields = { startsAt: iso(times.start + by) };
  const isMoved = (name: Companion) => chosen.has(name) && companionsOf(sitting).includes(name);
  // Doors half an hour before a start that moves would close again for those who are at them.
  if (sitting.openedAt !== null) fields.doorsAt = sitting.doorsAt;
  else if (doorsFollow(times)) fields.doorsAt = null;
  else if (isMoved("doors")) fields.doorsAt = iso(times.doors + by);
  if (isMoved("entry") && times.entry !== undefined) fields.entryUntil = iso(times.entry + by);
  if (isMoved("end") && times.end !== undefined) fields.endsAt = iso(times.end + by);
  const results = parsed(sitting.results);
  if (isMoved("results") && results !== undefined) fields.results = iso(results + by);
  if (isMoved("rooms")) fields.rooms = sitting.rooms.map((room) => movedRoom(room, by));
  return fields;
}

function hasTimes({ startsAt, endsAt }: Room): boolean {
  return startsAt !== null || endsAt !== null;
}

function movedRoom(room: Room, by: number): RoomFields {
  const later = (time: string | null) => (time === null ? null : iso(Date.parse(time) + by));
  return { ...roomFields(room), startsAt: later(room.startsAt), endsAt: later(room.endsAt) };
}

/** A room as it is, to be sent back: what is left out of it would be taken away. */
export function roomFields({ id, name, proctors, startsAt, endsAt, factor, extraMinutes }: Room): RoomFields {
  return { id, name, proctors, startsAt, endsAt, factor, extraMinutes };
}
