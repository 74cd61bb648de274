// The hall of a desk as the server names it: in a message to the socket, and in the query of a request.

import type { Hall } from "../halls";

export type RoomName = { sittingId: string; room?: string } | { templateId: string } | { grade: number };

export function roomNameOf(hall: Hall): RoomName {
  if (hall.kind === "grade") return { grade: hall.grade };
  if (hall.kind === "template") return { templateId: hall.templateId };
  return hall.room === undefined ? { sittingId: hall.sittingId } : { sittingId: hall.sittingId, room: hall.room };
}

/** The room as the query of a request over HTTPS. */
export function roomQuery(room: RoomName): string {
  return new URLSearchParams(Object.entries(room).map(([name, value]) => [name, String(value)])).toString();
}
