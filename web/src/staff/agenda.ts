// What the list of a user's sittings is made of: those that they manage, and those in which they watch a room.

import type { TimeStanding } from "./desk/frames";
import { deskOf } from "./halls";

export type SittingState = "draft" | "open" | "running" | "ended";

/** A sitting as its managers see it in the list of all; as far as the shell reads it. */
export interface Managed {
  id: string;
  name: string;
  template: string;
  templateId: string;
  startsAt: string;
  start: "clock" | "proctor" | "own";
  doorsAt: string;
  endsAt: string | null;
  /** Of minutes and pauses for everyone, until now. */
  grantedMs: number;
  begunAt: string | null;
  state: SittingState;
  /** `now`, `held` or a time. */
  results: string;
  released: boolean;
  counts: CandidateCounts;
  rooms: { name: string }[];
}

export interface CandidateCounts {
  total: number;
  expected: number;
  waiting: number;
  ready: number;
  active: number;
  paused: number;
  submitted: number;
  absent: number;
}

export interface Proctored {
  id: string;
  name: string;
  startsAt: string;
  begunAt: string | null;
  state: SittingState;
  rooms: string[];
  /** Of the whole sitting; unknown from servers of an earlier version, as that of rooms is. */
  standing?: TimeStanding;
  roomStarts?: { name: string; standing?: TimeStanding }[];
}

/** Whose time is stopped: that of a room, or without a name of all. */
export interface Stopped {
  room?: string;
  standing: TimeStanding;
}

export interface AgendaEntry {
  id: string;
  name: string;
  startsAt: string;
  begunAt: string | null;
  state: SittingState;
  /** The rooms in which the user is a proctor; empty if they only manage the sitting. */
  ownRooms: string[];
  /** Whose time is stopped, as far as the user watches them. */
  stopped: Stopped[];
  /** What only those know who manage it. */
  managed?: Managed;
}

/** One list of both. A sitting that is in both is known by what its managers see, with the user's own rooms. */
export function mergedAgenda(managed: Managed[], proctored: Proctored[]): AgendaEntry[] {
  const own = new Map(proctored.map((sitting) => [sitting.id, sitting]));
  const both = managed.map((sitting) => {
    const watched = own.get(sitting.id);
    return { ...pick(sitting), ownRooms: watched?.rooms ?? [], stopped: watched === undefined ? [] : stoppedIn(watched), managed: sitting };
  });
  const ids = new Set(managed.map(({ id }) => id));
  const watched = proctored.filter(({ id }) => !ids.has(id)).map((sitting) => ({ ...pick(sitting), ownRooms: sitting.rooms, stopped: stoppedIn(sitting) }));
  return [...both, ...watched].sort(
    (a, b) => Number(a.state === "ended") - Number(b.state === "ended") || (a.state === "ended" ? -1 : 1) * a.startsAt.localeCompare(b.startsAt),
  );
}

/** The whole sitting first; what it stops is not said again of each of its rooms. */
export function stoppedIn({ standing, roomStarts = [] }: Pick<Proctored, "standing" | "roomStarts">): Stopped[] {
  if (standing?.state === "paused") return [{ standing }];
  return roomStarts.flatMap(({ name, standing }) => (standing?.state === "paused" ? [{ room: name, standing }] : []));
}

function pick({ id, name, startsAt, begunAt, state }: Proctored | Managed) {
  return { id, name, startsAt, begunAt, state };
}

/** The desk of a sitting as this user may watch it: of the whole if they manage it, else of their room, or the first of several. */
export function deskAt({ id, ownRooms: [room], managed }: AgendaEntry): string {
  return deskOf({ kind: "sitting", sittingId: id, ...(managed === undefined && room !== undefined ? { room } : {}) });
}

/** The sitting whose desk is needed now: one that runs, or else the one that comes next. One's own rooms come first. */
export function current(entries: AgendaEntry[]): AgendaEntry | undefined {
  const urgency = ({ state, ownRooms }: AgendaEntry) => ["running", "open", "draft"].indexOf(state) * 2 + (ownRooms.length > 0 ? 0 : 1);
  return entries.filter(({ state }) => state !== "ended").sort((a, b) => urgency(a) - urgency(b))[0];
}
