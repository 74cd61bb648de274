// The clocks by which the staff pages show and take times: the school's, or the device's while the school has named no zone. Separate
// from the school, which needs a browser.

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let schoolZone: () => string = () => "";
/** Making one takes longer than using it a hundred times. */
const kept = new Map<string, Intl.DateTimeFormat>();

/** From now on this says the zone; empty for that of the device. */
export function takeZone(of: () => string): void {
  schoolZone = of;
}

/** For `Intl.DateTimeFormat`, which takes the zone of the device without one. */
export function inZone(): { timeZone?: string } {
  const timeZone = schoolZone();
  return timeZone === "" ? {} : { timeZone };
}

/** The name of the zone. */
export function zoneName(): string {
  return schoolZone() || new Intl.DateTimeFormat().resolvedOptions().timeZone || "";
}

/** What the clocks show at a moment, as the moment at which those of UTC show the same, to the second. */
export function wallOf(ms: number): number {
  const timeZone = schoolZone();
  if (timeZone === "") return ms - new Date(ms).getTimezoneOffset() * MINUTE_MS;
  let format = kept.get(timeZone);
  if (format === undefined) {
    const parts = { year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" } as const;
    format = new Intl.DateTimeFormat("en-US", { ...parts, hourCycle: "h23", calendar: "gregory", timeZone });
    kept.set(timeZone, format);
  }
  const shown = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** The moment at which the clocks show this. Where they skip it, the moment after the gap; where they show it twice, one of both. */
export function momentAt(wall: number): number {
  const first = wall - (wallOf(wall) - wall);
  const second = wall - (wallOf(first) - first);
  return wallOf(second) === wall ? second : Math.max(first, second);
}

/** Whole days of the calendar until a day of these clocks, to compare days. */
export function dayNumber(ms: number): number {
  return Math.floor(wallOf(ms) / DAY_MS);
}
