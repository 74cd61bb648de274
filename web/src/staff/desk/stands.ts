// How what a desk watches stands: by itself, as a part of its exam, and in its halls.

import type { Facts, TimeStanding } from "./frames";

export interface Stand {
  /** Whose standing it is: of what is watched, of the whole exam around it, or of the hall of this name. */
  of: "watched" | "exam" | { room: string };
  standing: TimeStanding;
}

/** What is watched first. What is around it, and in it, is named only where its time is stopped. */
export function standsOf({ standing, sitting, halls = [] }: Facts): Stand[] {
  if (standing === undefined) return [];
  const isStopped = (one: Stand) => one.standing.state === "paused";
  const exam: Stand[] = sitting === undefined ? [] : [{ of: "exam", standing: sitting }];
  const rooms = halls.map(({ room, standing }): Stand => ({ of: { room }, standing }));
  return [{ of: "watched", standing }, ...[...exam, ...rooms].filter(isStopped)];
}

/** Those that fit, and how many more there are. */
export function fittingStands(stands: Stand[], most: number): { shown: Stand[]; more: number } {
  return { shown: stands.slice(0, most), more: Math.max(0, stands.length - most) };
}
