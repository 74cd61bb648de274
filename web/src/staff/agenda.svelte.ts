// The sittings that the user manages or watches, loaded once for the rail, the palette and Today.

import { mergedAgenda, type AgendaEntry, type Managed } from "./agenda";
import { get, type Answer } from "./api";
import { isManager } from "./me.svelte";

let entries = $state.raw<AgendaEntry[]>([]);
let loadedAt = $state<number>();
let failure = $state.raw<Answer<unknown>>();
let isElsewhere = $state(false);

/** In the order in which they start, those that are over last. */
export function agenda(): AgendaEntry[] {
  return entries;
}

/** When the agenda was loaded, on the clock of `performance`. */
export function agendaLoadedAt(): number | undefined {
  return loadedAt;
}

/** Why the last attempt to load it failed, if it did. */
export function agendaFailed(): Answer<unknown> | undefined {
  return failure;
}

/** Whether the server keeps its data elsewhere, so that nobody can plan a sitting. */
export function areSittingsElsewhere(): boolean {
  return isElsewhere;
}

export async function loadAgenda(): Promise<void> {
  const nothing: Answer<{ sittings: Managed[] }> = { kind: "done", value: { sittings: [] } };
  const [managed, proctored] = await Promise.all([
    isManager() ? get("/api/admin/sittings") : nothing,
    get("/api/sittings/proctored"),
  ]);
  // A server that keeps its data elsewhere has no sittings.
  isElsewhere = [managed, proctored].some((answer) => answer.kind === "refused" && answer.status === 501);
  const [all, own] = [withoutElsewhere(managed), withoutElsewhere(proctored)];
  if (all.kind !== "done" || own.kind !== "done") {
    failure = all.kind === "done" ? own : all;
    return;
  }
  entries = mergedAgenda(all.value.sittings, own.value.sittings);
  [loadedAt, failure] = [performance.now(), undefined];
}

function withoutElsewhere<T>(answer: Answer<{ sittings: T[] }>): Answer<{ sittings: T[] }> {
  return answer.kind === "refused" && answer.status === 501 ? { kind: "done", value: { sittings: [] } } : answer;
}
