// Asks for the checkpoint of a sitting, which is a text and no JSON.

import { addressOf } from "../api";

/** The statuses with which the server says that there is none for this reader. */
const NONE = [403, 404];

/** The note; empty if the log has not begun, or is not this reader's to see; undefined if that is not known. */
export async function loadCheckpoint(sittingId: string): Promise<string | undefined> {
  const response = await fetch(addressOf("/api/sittings/{id}/checkpoint", { id: sittingId }), { cache: "no-store" }).catch(() => undefined);
  if (response === undefined) return undefined;
  if (response.ok) return response.text().catch(() => undefined);
  return NONE.includes(response.status) ? "" : undefined;
}
