import { expect, test } from "vitest";
import { ageOf } from "./age";
import { dayOf, daysBetween, spanOf } from "./times";

const at = (text: string) => new Date(text).getTime();

test("days are those of the calendar, not 24 hours", () => {
  expect(daysBetween(at("2026-06-01T23:59"), at("2026-06-02T00:01"))).toBe(1);
  expect(daysBetween(at("2026-06-01T00:01"), at("2026-06-01T23:59"))).toBe(0);
  expect(daysBetween(at("2026-06-03T08:00"), at("2026-06-01T20:00"))).toBe(-2);
});

test("near days have names, and the year is said only when it is another", () => {
  const now = at("2026-06-01T10:00");
  expect(dayOf(at("2026-06-01T23:00"), now, "en-GB")).toBe("today");
  expect(dayOf(at("2026-06-02T01:00"), now, "vi")).toBe("ngày mai");
  expect(dayOf(at("2026-06-05T08:00"), now, "en-GB")).toMatch(/^Fri,? 5 Jun/);
  expect(dayOf(at("2027-01-05T08:00"), now, "en-GB")).toContain("2027");
});

test("spans are cut off, and days begin with two", () => {
  expect([spanOf(59_000), spanOf(-119 * 60_000), spanOf(47 * 3_600_000), spanOf(48 * 3_600_000)]).toEqual([
    { hours: 0, minutes: 0 },
    { hours: 1, minutes: 59 },
    { hours: 47, minutes: 0 },
    { days: 2 },
  ]);
});

test("an age is said the more roughly, the older it is", () => {
  expect([0, 4, 14, 59, 60, 3_599, 7_300].map((seconds) => Object.values(ageOf(seconds)).join(" "))).toEqual([
    "now 0",
    "seconds 4",
    "seconds 10",
    "seconds 55",
    "minutes 1",
    "minutes 59",
    "hours 2",
  ]);
});
