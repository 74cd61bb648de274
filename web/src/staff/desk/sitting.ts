// What a desk knows of its sitting besides the rows: who manages the sitting reads all of it, the proctor of a room a part.

import { isAtWork, type Row } from "./row";

export interface Sitting {
  id: string;
  name: string;
  startsAt: string;
  begunAt: string | null;
  endedAt: string | null;
  /** Unknown to the proctor of a room, as the two below are. */
  start?: "clock" | "proctor" | "own";
  perRoom: boolean;
  doorsAt?: string;
  /** Of the address `/s/{code}`. */
  code?: string;
  rooms: { name: string; begunAt?: string | null }[];
  isManaged: boolean;
}

type Plan = Omit<Sitting, "rooms" | "isManaged">;

/** As `GET /api/admin/sittings/{id}` has it. */
export function managed(view: Plan & { rooms: { name: string; begunAt?: string | null }[] }): Sitting {
  return { ...view, isManaged: true };
}

/** As `GET /api/sittings/proctored` has it. */
export function proctored(view: Plan & { rooms: string[] }): Sitting {
  return { ...view, rooms: view.rooms.map((name) => ({ name })), isManaged: false };
}

/** When time began to count for whoever sits there; undefined if it has not. Rows say it too, and sooner than a request. */
export function begunAt(sitting: Sitting | undefined, room: string | undefined, rows: Iterable<Row>): number | undefined {
  const stored = sitting?.rooms.find(({ name }) => name === room)?.begunAt ?? sitting?.begunAt;
  if (stored != null) return Date.parse(stored);
  for (const row of rows) if (isAtWork(row)) return Date.parse(row.startedAt);
  return undefined;
}

/** Whether this desk may say when it begins: its managers for all, and where rooms begin by themselves their proctors. */
export function mayBegin(sitting: Sitting | undefined, room: string | undefined): boolean {
  if (sitting === undefined) return false;
  if (room === undefined) return sitting.isManaged && sitting.start === "proctor";
  return sitting.perRoom && (sitting.start === undefined || sitting.start === "proctor");
}
