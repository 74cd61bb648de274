import { expect, test } from "vitest";
import { fairnessOf } from "./fairness";
import { verdictOf } from "./verdict";

const LIST = [4, 3, 3, 4, 6];
const FIVE = [1, 2, 3, 4, 5];

test("each paper has its sentence", () => {
  expect(verdictOf(fairnessOf({ first: [0, 0, 0, 0, 0], second: [] }))).toEqual({ kind: "empty" });
  expect(verdictOf(fairnessOf({ first: LIST, second: FIVE.map(() => LIST) }))).toEqual({ kind: "fair" });
  const standard = verdictOf(fairnessOf({ first: LIST, second: [] }));
  expect(standard.kind === "standard" && standard.low < standard.score && standard.score < standard.high).toBe(true);
  const hard = [[0, 0, 0, 0, 20], ...FIVE.slice(1).map(() => [20, 0, 0, 0, 0])];
  expect(verdictOf(fairnessOf({ first: LIST, second: hard }))).toMatchObject({ kind: "trap", percent: 90, step: 1 });
  // Where all questions count five points, the next total is five points away.
  expect(verdictOf(fairnessOf({ first: [0, 0, 0, 0, 10], second: hard }))).toMatchObject({ kind: "trap", percent: 90, step: 5 });
});
