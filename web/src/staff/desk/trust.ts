// Whether the picture may be acted on for everyone at once: a room is ordered about in one go only by a whole picture of now, and
// sent home by one of now, since what is stored is read from the database.

import type { Contact } from "./watcher";

/** A picture that is older is called so. Empty changes come every ten seconds. */
export const STALE_MS = 15_000;

/** `heardAt` and `now` are of the clock that only goes forward. */
export function isTrusted(contact: Contact, heardAt: number | undefined, now: number): boolean {
  return contact.kind === "live" && !contact.partial && isFresh(contact, heardAt, now);
}

/** Whether the room has been heard of just now. What cannot be heard of it comes from the database, as does what is stored. */
export function isFresh(contact: Contact, heardAt: number | undefined, now: number): boolean {
  return contact.kind === "live" && heardAt !== undefined && now - heardAt <= STALE_MS;
}
