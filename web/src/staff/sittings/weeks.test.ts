import { expect, test } from "vitest";
import { dateOf, DAY, MINUTE, momentOf, timeOf } from "../moments";
import { freeStart, weekAhead } from "./weeks";

const at = (date: string, time: string) => momentOf(date, time) as number;
const shown = (ms: number) => `${dateOf(ms)} ${timeOf(ms)}`;

test("the next one is a week later, or in the first week that lies ahead", () => {
  const start = at("2027-06-01", "09:10");
  expect(shown(weekAhead(start, start + DAY))).toBe("2027-06-08 09:10");
  // One that is to come is followed by the week after it.
  expect(shown(weekAhead(start, start - 30 * DAY))).toBe("2027-06-08 09:10");
  expect(shown(weekAhead(start, at("2027-06-08", "09:10") - MINUTE))).toBe("2027-06-08 09:10");
  expect(shown(weekAhead(start, at("2027-06-08", "09:10")))).toBe("2027-06-15 09:10");
  expect(shown(weekAhead(start, at("2027-09-01", "00:00")))).toBe("2027-09-07 09:10");
});

test("it is the same time by the clocks on the wall, all year round", () => {
  const start = at("2027-01-05", "14:00");
  let ms = start;
  for (let week = 0; week < 52; week += 1) ms = weekAhead(ms, ms);
  expect(shown(ms)).toBe("2028-01-04 14:00");
});

test("a make-up is proposed when nobody sits another exam", () => {
  const nine = at("2027-06-08", "09:10");
  expect(shown(freeStart(nine, 45, []))).toBe("2027-06-08 09:10");
  const next = { startMs: nine, minutes: 45 };
  expect(shown(freeStart(nine, 45, [next]))).toBe("2027-06-08 10:00");
  expect(shown(freeStart(nine, 45, [next, { startMs: at("2027-06-08", "10:30"), minutes: 60 }]))).toBe("2027-06-08 11:30");
  expect(shown(freeStart(nine, 45, [{ startMs: nine - 45 * MINUTE, minutes: 45 }]))).toBe("2027-06-08 09:10");
  expect(shown(freeStart(nine, 45, [{ startMs: nine, minutes: 2_000 }])), "the whole day is taken").toBe("2027-06-08 09:10");
});
