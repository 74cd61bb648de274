// What a desk knows of its sitting besides the rows: who manages the sitting reads all of it, the proctor of a room a part.

import { isAtWork, isWaiting, type Row } from "./row";

export interface WatchedSitting {
  id: string;
  name: string;
  startsAt: string;
  begunAt: string | null;
  endedAt: string | null;
  /** Unknown from servers of an earlier version. */
  start?: "clock" | "proctor" | "own";
  perRoom: boolean;
  /** Unknown to the proctor of a room. */
  doorsAt?: string;
  /** Of the address `/s/{code}`. Unknown from servers of an earlier version to the proctor of a room. */
  code?: string;
  /** Whether candidates see their results. Unknown to the proctor of a room. */
  released?: boolean;
  rooms: SittingRoom[];
  isManaged: boolean;
}

/** A room, with its own start if it has one. */
export interface SittingRoom {
  name: string;
  startsAt?: string | null;
  begunAt?: string | null;
}

type Plan = Omit<WatchedSitting, "rooms" | "isManaged">;

/** As `GET /api/admin/sittings/{id}` has it. */
export function managed(view: Plan & { rooms: SittingRoom[] }): WatchedSitting {
  return { ...view, isManaged: true };
}

/** As `GET /api/sittings/proctored` has it. */
export function proctored({ rooms, roomStarts, ...view }: Plan & { rooms: string[]; roomStarts?: SittingRoom[] }): WatchedSitting {
  return { ...view, rooms: roomStarts ?? rooms.map((name) => ({ name })), isManaged: false };
}

/** When it is to start for whoever sits there. */
export function startsAt(sitting: WatchedSitting, room: string | undefined): number {
  return Date.parse(sitting.rooms.find(({ name }) => name === room)?.startsAt ?? sitting.startsAt);
}

/** When time began to count for whoever sits there; undefined if it has not. Rows say it too, and sooner than a request. */
export function begunAt(sitting: WatchedSitting | undefined, room: string | undefined, rows: Iterable<Row>): number | undefined {
  const stored = storedAt(sitting, room) ?? sitting?.begunAt;
  if (stored != null) return Date.parse(stored);
  const isByRooms = room === undefined && sitting?.start === "proctor" && sitting.perRoom;
  return isByRooms ? allBegunAt(sitting, rows) : shownAt(rows);
}

function storedAt(sitting: WatchedSitting | undefined, room: string | undefined): string | null | undefined {
  return sitting?.rooms.find(({ name }) => name === room)?.begunAt;
}

/** Where each room begins by itself, the moment at which the last of them did. */
function allBegunAt(sitting: WatchedSitting, rows: Iterable<Row>): number | undefined {
  const byRoom = new Map<string | undefined, Row[]>();
  for (const row of rows) {
    const inRoom = byRoom.get(row.room);
    if (inRoom === undefined) byRoom.set(row.room, [row]);
    else inRoom.push(row);
  }
  let last: number | undefined;
  for (const [room, inRoom] of byRoom) {
    const stored = storedAt(sitting, room);
    const at = stored == null ? shownAt(inRoom) : Date.parse(stored);
    if (at !== undefined) last = Math.max(last ?? at, at);
    else if (inRoom.some((row) => isWaiting(row) || row.state === "expected")) return undefined;
  }
  return last;
}

/** What rows say. Whoever has handed in had begun, unless a proctor ended their test while the others were waiting. */
function shownAt(rows: Iterable<Row>): number | undefined {
  let [handedInAt, isAnyWaiting]: [number | undefined, boolean] = [undefined, false];
  for (const row of rows) {
    if (isAtWork(row)) return Date.parse(row.startedAt);
    if (row.state === "submitted") handedInAt ??= Date.parse(row.startedAt);
    isAnyWaiting ||= isWaiting(row);
  }
  return isAnyWaiting ? undefined : handedInAt;
}

/** Whether this desk may say when it begins: its managers for all, and where rooms begin by themselves their proctors. */
export function mayBegin(sitting: WatchedSitting | undefined, room: string | undefined): boolean {
  if (sitting === undefined) return false;
  if (room === undefined) return sitting.isManaged && sitting.start === "proctor";
  return sitting.perRoom && (sitting.start === undefined || sitting.start === "proctor");
}
