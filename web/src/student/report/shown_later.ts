// When a report that still hides which answers were right looks again. Separate from the page, so that it can be tested.

/** A page that is open for longer than this is not looked at. */
const OPEN_MS_MAX = 24 * 3_600_000;
/** The pages of a whole class would ask in the same moment. */
const SPREAD_MS = 10_000;
/** A clock that is ahead of the server's asks again after this. */
const LEAST_MS = 15_000;

/** In how many milliseconds it looks again; undefined if nothing is to come, or not soon. `chance` is from 0 to 1. */
export function shownAfter(until: string | null | undefined, now: number, chance: number): number | undefined {
  const left = until == null ? NaN : Date.parse(until) - now;
  return Number.isNaN(left) || left > OPEN_MS_MAX ? undefined : Math.max(LEAST_MS, left + chance * SPREAD_MS);
}
