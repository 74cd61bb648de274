// The view as the server keeps it with an account. Separate from the rest of the API, since every page of students has it.

import type { View } from "./settings";

const PATH = "/api/me/view";

/** A view with the moment of its last change, which decides between two devices. */
export type StoredView = View & { at: number };

/** What is stored; `view` is undefined if nothing is. Resolves to undefined if the server could not be asked. */
export async function loadView(): Promise<{ at?: unknown; view?: unknown } | undefined> {
  const response = await fetch(PATH, { headers: { Accept: "application/json" } }).catch(() => undefined);
  const body = response?.ok === true ? ((await response.json().catch(() => undefined)) as { view?: { at?: unknown } | null } | undefined) : undefined;
  return body === undefined ? undefined : { at: body.view?.at, view: body.view ?? undefined };
}

/** Whether the server has stored it. The browser sends it even if the page is being left. */
export async function saveView(view: StoredView): Promise<boolean> {
  const headers = { Accept: "application/json", "Content-Type": "application/json" };
  const response = await fetch(PATH, { method: "PUT", headers, body: JSON.stringify({ view }), keepalive: true }).catch(() => undefined);
  return response?.ok === true;
}
