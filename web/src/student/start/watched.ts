// The rooms that whoever is signed in watches as a proctor, now or within a day: they are told the address of the server, and may
// have no other role.

import type { ProctoredSitting } from "../../api/schema";

export type WatchedExam = Pick<ProctoredSitting, "id" | "name" | "startsAt" | "state" | "rooms">;

const DAY_MS = 24 * 60 * 60_000;

/** Those that are open or at work, and those that start within a day, the next one first. */
export function soonWatched(sittings: WatchedExam[], nowMs: number): WatchedExam[] {
  const isSoon = ({ state, startsAt }: WatchedExam) => state === "open" || state === "running" || (state === "draft" && Date.parse(startsAt) - nowMs < DAY_MS);
  return sittings.filter((one) => isSoon(one) && one.rooms.length > 0).sort((one, other) => Date.parse(one.startsAt) - Date.parse(other.startsAt));
}

/** The desk of a room; of the only one, or of the first. */
export function watchedDesk({ id }: WatchedExam, room: string): string {
  return `/staff/sittings/${encodeURIComponent(id)}/desk?${new URLSearchParams({ room })}`;
}

/** None without an account, where nothing is watched, and while the server cannot be asked. */
export async function loadWatched(): Promise<WatchedExam[]> {
  const response = await fetch("/api/sittings/proctored", { headers: { Accept: "application/json" }, cache: "no-store" }).catch(() => undefined);
  const body = response?.ok === true ? ((await response.json().catch(() => undefined)) as { sittings?: WatchedExam[] } | undefined) : undefined;
  if (!Array.isArray(body?.sittings)) return [];
  const date = Date.parse(response?.headers.get("Date") ?? "");
  return soonWatched(body.sittings, Number.isNaN(date) ? Date.now() : date);
}
