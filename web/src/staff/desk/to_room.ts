// The way from the desk of one room to that of another.

import { go, here } from "../router.svelte";

/** Another room is shown in the same step, with the same choice, unless `more` says otherwise. */
export function toRoom(name: string, more: Record<string, string> = {}, replace = false): void {
  const next = new URL(here());
  next.searchParams.delete("student");
  if (name === "") next.searchParams.delete("room");
  else next.searchParams.set("room", name);
  for (const [key, value] of Object.entries(more)) next.searchParams.set(key, value);
  go(next.href, { replace });
}
