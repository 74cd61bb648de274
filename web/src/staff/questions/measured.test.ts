import { expect, test } from "vitest";
import { driftOf, isMislabelled, measuredText, schoolYear } from "./measured";
import { measured, yearDifficulty } from "./testing/bank";

test("a label looks wrong beyond two errors and from one label on", () => {
  expect(isMislabelled(4, measured({ difficulty: 2, error: 0.3 }))).toBe(true);
  expect(isMislabelled(1, measured({ difficulty: 2, error: 0.3 }))).toBe(true);
  expect(isMislabelled(2, measured({ difficulty: 2, error: 0.3 }))).toBe(false);
  expect(isMislabelled(3, measured({ difficulty: 2.1, error: 0.1 }))).toBe(false);
  expect(isMislabelled(4, measured({ difficulty: 2, error: 1 }))).toBe(false);
  expect(isMislabelled(4, undefined)).toBe(false);
});

test("a drift is a change between the last two years that chance does not explain", () => {
  const [first, second, third] = [yearDifficulty({ year: 2023, difficulty: 5 }), yearDifficulty({ year: 2024, difficulty: 3.5 }), yearDifficulty({ year: 2025, difficulty: 2.2 })];
  expect(driftOf(measured({ years: [first, second, third] }))).toEqual({ from: second, to: third });
  expect(driftOf(measured({ years: [second, { ...third, error: 0.8 }] }))).toBeUndefined();
  expect(driftOf(measured({ years: [second, { ...third, difficulty: 2.6, error: 0.1 }] }))).toBeUndefined();
  expect(driftOf(measured({ years: [second] }))).toBeUndefined();
  expect(driftOf(measured({ years: [] }))).toBeUndefined();
});

test("difficulties and years are written as people write them", () => {
  expect(measuredText({ difficulty: 2.04, error: 0.281 }, "en")).toBe("2 ± 0.3");
  expect(measuredText({ difficulty: 2.36, error: 0.01 }, "vi")).toBe("2,4 ± 0,1");
  expect([2025, 1999, 2008].map(schoolYear)).toEqual(["2025/26", "1999/00", "2008/09"]);
});
