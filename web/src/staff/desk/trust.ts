// Whether the picture may be acted on for everyone at once: a room is sent home, or ordered about in one go, only by a whole picture
// of now.

import type { Contact } from "./watcher";

/** A picture that is older is called so. Empty changes come every ten seconds. */
export const STALE_MS = 15_000;

/** `heardAt` and `now` are of the clock that only goes forward. */
export function isTrusted(contact: Contact, heardAt: number | undefined, now: number): boolean {
  return contact.kind === "live" && !contact.partial && heardAt !== undefined && now - heardAt <= STALE_MS;
}
