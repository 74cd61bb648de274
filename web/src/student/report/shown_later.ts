// When a report that is shown looks again: since it still hides which answers were right, since its test goes on, or since the last
// look came to nothing. Separate from the page, so that it can be tested.

/** How often a report looks whether its test has ended again, or whether the network is back. */
export const LOOK_AGAIN_MS = 20_000;
/** A page that is open for longer than this is not looked at. */
const OPEN_MS_MAX = 24 * 3_600_000;
/** The pages of a whole class would ask in the same moment. */
const SPREAD_MS = 10_000;
/** A clock that is ahead of the server's asks again after this. */
const LEAST_MS = 15_000;
/** A clock that is behind the server's asks no later than this. */
const MOST_MS = 10 * 60_000;

/** In how many milliseconds it looks again; undefined if nothing is to come, or not soon. `chance` is from 0 to 1. */
export function shownAfter(until: string | null | undefined, now: number, chance: number): number | undefined {
  const left = until == null ? NaN : Date.parse(until) - now;
  return Number.isNaN(left) || left > OPEN_MS_MAX ? undefined : Math.max(LEAST_MS, Math.min(left, MOST_MS) + chance * SPREAD_MS);
}

/** Whether a look that nobody has asked for came to nothing for now, so that what is read stays. */
export function isLookLost(isSeen: boolean, kind: string): boolean {
  return !isSeen && (kind === "unreachable" || kind === "tooMany");
}

