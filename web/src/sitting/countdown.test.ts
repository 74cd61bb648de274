import { expect, test } from "vitest";
import { countdown, differenceOf, markOf } from "./countdown";

test("a countdown ends with 0:00, and has hours only if there are any", () => {
  expect([-1, 0, 1, 59_999, 60_000, 754_000, 3_600_000, 7_265_000].map(countdown)).toEqual(["0:00", "0:00", "0:01", "1:00", "1:00", "12:34", "1:00:00", "2:01:05"]);
});

test("the difference of a clock is told in a unit that people use", () => {
  expect([0, 4_999, -4_999].map(differenceOf)).toEqual([undefined, undefined, undefined]);
  expect(differenceOf(-90_000)).toEqual({ unit: "seconds", count: 90 });
  expect(differenceOf(600_000)).toEqual({ unit: "minutes", count: 10 });
  expect(differenceOf(-7_200_000)).toEqual({ unit: "hours", count: 2 });
  expect(differenceOf(86_400_000 * 30)).toEqual({ unit: "days", count: 30 });
});

test("what is left is said aloud a few times only", () => {
  const said = [700_000, 600_000, 599_000, 300_000, 61_000, 60_000, 31_000, 30_000, 10_000, 1_000, 0].map(markOf);
  expect(said).toEqual([undefined, 600_000, 600_000, 300_000, 300_000, 60_000, 60_000, 30_000, 10_000, 10_000, undefined]);
});
