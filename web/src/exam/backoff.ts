// How long a page waits before it tries again: longer each time, and never all pages at once.

const FIRST_MS = 500;
const LONGEST_MS = 15_000;
/** After a planned stop of the server. */
const RESTART_MS = 5_000;

/** The pause after so many failures in a row; `random` is from 0 to 1. */
export function pauseAfter(failures: number, random: number): number {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, failures - 1));
  return longest / 2 + (longest / 2) * random;
}

/** The pause after `restarting`. */
export function pauseAfterRestart(random: number): number {
  return RESTART_MS * random;
}
