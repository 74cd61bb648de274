// When a sitting that is planned from another one begins.

import { dayStart, MINUTE, timeOf } from "../moments";
import { momentAt, wallOf } from "../zone";

/** The same time on the same weekday of the first week after it that lies ahead, by the clocks of `zone.ts`. */
export function weekAhead(startMs: number, nowMs: number): number {
  const [hours, minutes] = timeOf(startMs).split(":").map(Number) as [number, number];
  let days = 7;
  let ms: number;
  do {
    ms = momentAt(wallOf(dayStart(startMs, days)) + (hours * 60 + minutes) * MINUTE);
    days += 7;
  } while (ms <= nowMs);
  return ms;
}

/** A sitting that is planned already, as far as its time concerns another one. */
export interface Busy {
  startMs: number;
  minutes: number;
}

const STEP_MS = 15 * MINUTE;

/** This start, or the first full quarter of an hour after it at which none of these is at work, within the same day by the clock. */
export function freeStart(startMs: number, minutes: number, busy: readonly Busy[]): number {
  const meets = (at: number) => busy.find((one) => at < one.startMs + one.minutes * MINUTE && one.startMs < at + minutes * MINUTE);
  let at = startMs;
  for (let met = meets(at); met !== undefined; met = meets(at)) {
    const next = Math.ceil((met.startMs + met.minutes * MINUTE) / STEP_MS) * STEP_MS;
    // On the next day, whoever plans it has to choose.
    if (next >= dayStart(startMs, 1)) return startMs;
    at = next;
  }
  return at;
}
