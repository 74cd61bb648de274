// The students of the sittings that are near, for the palette: read when somebody searches, and kept for a minute.

import { deskAt, type AgendaEntry } from "./agenda";
import { get } from "./api";
import { me } from "./me.svelte";

export interface KnownStudent {
  id: string;
  name: string;
  sitting: AgendaEntry;
}

/** Those that run or are next. Who looks for a student of another one opens it first. */
const SITTINGS_MAX = 6;
const KEPT_MS = 60_000;

/** By the sitting's id. */
let rosters = $state.raw<Map<string, KnownStudent[]>>(new Map());
/** Who has read them: nobody else is shown them. */
let reader = $state<string>();
let isReading = $state(false);
let readAt = -Infinity;

export function students(): KnownStudent[] {
  return reader !== undefined && reader === me()?.email ? [...rosters.values()].flat() : [];
}

export function areStudentsRead(): boolean {
  return !isReading;
}

/** Reads the rosters of the first sittings that the user manages, one after the other. What can't be read stays as it was. */
export async function readStudents(sittings: AgendaEntry[]): Promise<void> {
  const email = me()?.email;
  if (email !== reader) [reader, rosters, readAt] = [email, new Map(), -Infinity];
  const near = sittings.filter(({ managed }) => managed !== undefined).slice(0, SITTINGS_MAX);
  if (email === undefined || near.length === 0 || isReading || performance.now() - readAt < KEPT_MS) return;
  isReading = true;
  let isWhole = true;
  for (const sitting of near) {
    const answer = await get("/api/admin/sittings/{id}/candidates", { id: sitting.id });
    if (me()?.email !== email) break;
    if (answer.kind === "done") rosters = new Map(rosters).set(sitting.id, answer.value.candidates.map(({ id, name }) => ({ id, name, sitting })));
    else isWhole = false;
  }
  isReading = false;
  if (isWhole && me()?.email === email) readAt = performance.now();
}

/** Where a student is found: at the desk while the sitting goes on, and otherwise on its roster. */
export function studentAddress({ id, name, sitting }: KnownStudent): string {
  if (sitting.state !== "open" && sitting.state !== "running") return `/staff/sittings/${sitting.id}?${new URLSearchParams({ find: name })}`;
  const desk = new URL(deskAt(sitting), location.href);
  desk.searchParams.set("student", id);
  return desk.href;
}
