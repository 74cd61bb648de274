// When a sitting that is planned from another one begins.

import { dayStart, timeOf } from "../moments";

/** The same time on the same weekday of the first week after it that lies ahead, by the clocks of this device. */
export function weekAhead(startMs: number, nowMs: number): number {
  const [hours, minutes] = timeOf(startMs).split(":").map(Number) as [number, number];
  let days = 7;
  let ms: number;
  do {
    ms = new Date(dayStart(startMs, days)).setHours(hours, minutes);
    days += 7;
  } while (ms <= nowMs);
  return ms;
}
