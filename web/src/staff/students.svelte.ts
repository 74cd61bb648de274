// The students of the sittings that are near, for the palette: read when somebody searches, and kept for a minute.

import { deskAt, type AgendaEntry } from "./agenda";
import { get } from "./api";

export interface KnownStudent {
  id: string;
  name: string;
  sitting: AgendaEntry;
}

/** Those that run or are next. Who looks for a student of another one opens it first. */
const SITTINGS_MAX = 6;
const KEPT_MS = 60_000;

let known = $state.raw<KnownStudent[]>([]);
let readAt = -Infinity;

export function students(): KnownStudent[] {
  return known;
}

/** Reads the rosters of the first sittings that the user manages, one after the other. */
export async function readStudents(sittings: AgendaEntry[]): Promise<void> {
  const near = sittings.filter(({ managed }) => managed !== undefined).slice(0, SITTINGS_MAX);
  if (near.length === 0 || performance.now() - readAt < KEPT_MS) return;
  readAt = performance.now();
  const found: KnownStudent[] = [];
  for (const sitting of near) {
    const answer = await get<{ candidates: { id: string; name: string }[] }>(`/api/admin/sittings/${sitting.id}/candidates`);
    if (answer.kind !== "done") continue;
    for (const { id, name } of answer.value.candidates) found.push({ id, name, sitting });
    known = [...found];
  }
}

/** Where a student is found: at the desk while the sitting goes on, and otherwise on its roster. */
export function placeOf({ id, name, sitting }: KnownStudent): string {
  if (sitting.state !== "open" && sitting.state !== "running") return `/staff/sittings/${sitting.id}?${new URLSearchParams({ find: name })}`;
  const desk = new URL(deskAt(sitting), location.href);
  desk.searchParams.set("student", id);
  return desk.href;
}
