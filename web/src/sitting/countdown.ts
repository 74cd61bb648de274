// Writes times to come, and differences of clocks.

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A clock that is this exact counts as right: nobody would notice. */
const RIGHT_MS = 5 * SECOND;

/** As `m:ss` or `h:mm:ss`. Seconds are rounded up, so that 0:00 means that the time has come. */
export function countdown(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / SECOND));
  const two = (number: number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

export type TimeDifference = { unit: "seconds" | "minutes" | "hours" | "days"; count: number };

/** In the largest unit of which it has two or more, so that nothing much is rounded away; undefined if it is none. */
export function differenceOf(milliseconds: number): TimeDifference | undefined {
  const size = Math.abs(milliseconds);
  if (size < RIGHT_MS) return undefined;
  if (size < 2 * MINUTE) return { unit: "seconds", count: Math.round(size / SECOND) };
  if (size < 2 * HOUR) return { unit: "minutes", count: Math.round(size / MINUTE) };
  return size < 2 * DAY ? { unit: "hours", count: Math.round(size / HOUR) } : { unit: "days", count: Math.round(size / DAY) };
}

/** What is worth saying aloud when this much is left: minutes at first, and seconds near the end. */
export function markOf(milliseconds: number): number | undefined {
  const MARKS = [10 * MINUTE, 5 * MINUTE, MINUTE, 30 * SECOND, 10 * SECOND];
  return MARKS.findLast((mark) => milliseconds <= mark && milliseconds > 0);
}
