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
