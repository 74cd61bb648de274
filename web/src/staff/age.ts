// How the pages say how old something is: the more roughly, the older it is.

export type SpokenAge = { unit: "now" | "seconds" | "minutes" | "hours"; count: number };

/** Below this, a figure is as new as it can be. */
const NOW_SECONDS = 2;
/** Seconds are said in steps of this many after the first ones, so that not every figure changes every second. */
const STEP_SECONDS = 5;

export function ageOf(seconds: number): SpokenAge {
  if (seconds < NOW_SECONDS) return { unit: "now", count: 0 };
  if (seconds < 10) return { unit: "seconds", count: seconds };
  if (seconds < 60) return { unit: "seconds", count: Math.floor(seconds / STEP_SECONDS) * STEP_SECONDS };
  if (seconds < 3_600) return { unit: "minutes", count: Math.floor(seconds / 60) };
  return { unit: "hours", count: Math.floor(seconds / 3_600) };
}
