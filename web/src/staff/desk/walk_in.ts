// Somebody who has come and is not on the list, as a candidate.

import { randomId } from "./orders";

export interface WalkInFields {
  name: string;
  /** An e-mail address, an id of the school's, or nothing. */
  called: string;
  room: string;
  seat: string;
}

/** Everyone on a list is called by something, so who has nothing gets an id that is nobody's. */
export function walkIn({ name, called, room, seat }: WalkInFields): { email?: string; externalId?: string; name: string; room?: string; seat?: string } {
  const [id, hall, place] = [called.trim(), room.trim(), seat.trim()];
  const person = id === "" ? { externalId: `walk-in-${randomId().slice(0, 8)}` } : id.includes("@") ? { email: id } : { externalId: id };
  return { ...person, name: name.trim(), ...(hall === "" ? {} : { room: hall }), ...(place === "" ? {} : { seat: place }) };
}
