// What the list of a user's sittings is made of: those that they manage, and those in which they watch a room.

import type { ProctoredSitting, RoomStart, Sitting, SittingRoom, SittingState, Standing } from "../api/schema";
import { deskOf } from "./halls";

export type { CandidateCounts, SittingState } from "../api/schema";

/** A sitting as its managers see it in the list of all; as far as the shell and the plans of others read it. */
export type Managed = Pick<
  Sitting,
  "id" | "name" | "template" | "templateId" | "startsAt" | "start" | "doorsAt" | "endsAt" | "grantedMs" | "begunAt" | "state" | "results" | "released" | "counts"
> & Partial<Pick<Sitting, "releasedAt">> & { rooms: Pick<SittingRoom, "name">[]; minutes?: number };

/** Who stands still is unknown from servers of an earlier version. */
export type Proctored = Pick<ProctoredSitting, "id" | "name" | "startsAt" | "begunAt" | "state" | "rooms"> & {
  standing?: Standing;
  roomStarts?: (Pick<RoomStart, "name"> & { standing?: Standing })[];
};

/** Whose time is stopped: that of a room, or without a name of all. */
export interface Stopped {
  room?: string;
  standing: Standing;
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
