import { expect, test } from "vitest";
import { isLookLost, shownAfter } from "./shown_later";

const NOON = Date.parse("2027-06-01T12:00:00.000Z");

test("a report that hides answers for some hours looks again when they are shown", () => {
  expect(shownAfter("2027-06-01T12:05:00.000Z", NOON, 0)).toBe(300_000);
  expect(shownAfter("2027-06-01T12:05:00.000Z", NOON, 1)).toBe(310_000);
  // It is an hour by this clock, which may be an hour behind the server's.
  expect(shownAfter("2027-06-01T13:00:00.000Z", NOON, 0)).toBe(600_000);
  // The moment is over by this clock, but not by the server's.
  expect(shownAfter("2027-06-01T11:59:59.000Z", NOON, 0)).toBe(15_000);
});

test("it does not where nothing is to come, or only on another day", () => {
  expect([shownAfter(undefined, NOON, 0), shownAfter(null, NOON, 0), shownAfter("no time", NOON, 0), shownAfter("2027-06-03T12:00:00.000Z", NOON, 0)]).toEqual(Array(4).fill(undefined));
});

test("what is read stays when a look that nobody asked for fails, and gives way to what the server says", () => {
  expect(["unreachable", "tooMany"].map((kind) => isLookLost(false, kind))).toEqual([true, true]);
  expect(["loaded", "missing", "held", "goesOn"].map((kind) => isLookLost(false, kind))).toEqual(Array(4).fill(false));
  expect(isLookLost(true, "unreachable")).toBe(false);
});
