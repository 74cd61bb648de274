// Somebody who has come and is not on the list, as a candidate.

import { seenForm } from "../../same";
import { randomId } from "./orders";

export interface WalkInFields {
  name: string;
  /** An e-mail address, an id of the school's, or nothing. */
  called: string;
  room: string;
  seat: string;
}

export interface Called {
  email?: string;
  externalId?: string;
}

/** An id that is nobody's, for who has none. It is drawn once for a person, so that adding them again finds them. */
export const nobodysId = () => `walk-in-${randomId().slice(0, 8)}`;

/** Everyone on a list is called by something: who has nothing is called `own`. */
export function walkIn({ name, called, room, seat }: WalkInFields, own: string): Called & { name: string; room?: string; seat?: string } {
  const [id, hall, place] = [called.trim(), room.trim(), seat.trim()];
  const person = id.includes("@") ? { email: id } : { externalId: id === "" ? own : id };
  return { ...person, name: name.trim(), ...(hall === "" ? {} : { room: hall }), ...(place === "" ? {} : { seat: place }) };
}

/** Who on a list is called the same. */
export function sameOn<Person extends Called>(list: readonly Person[], { email, externalId }: Called): Person | undefined {
  const seen = (text: string) => seenForm(text).toLowerCase();
  const isSame = (one: string | undefined, other: string | undefined) => one !== undefined && other !== undefined && seen(one) === seen(other);
  return list.find((one) => isSame(one.email, email) || isSame(one.externalId, externalId));
}
