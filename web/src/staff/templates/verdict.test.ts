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
  // Every edge that costs points is named, with its lists: who mends one need not find the next by trial.
  const two = [[0, 0, 0, 0, 20], [10, 0, 0, 0, 10], [10, 0, 0, 0, 10], [10, 0, 0, 0, 10], [20, 0, 0, 0, 0]];
  const both = verdictOf(fairnessOf({ first: LIST, second: two }));
  expect(both.kind === "trap" && both.edges.map(({ percent, upper, lower }) => [percent, upper, lower])).toEqual([
    [60, "60-70", "below-60"],
    [90, "90-100", "80-90"],
  ]);
  const nearly = [[3, 4, 4, 5, 4], ...FIVE.slice(1).map(() => [3, 4, 5, 5, 3])];
  expect(verdictOf(fairnessOf({ first: LIST, second: nearly }))).toMatchObject({ kind: "slight" });
  // Where all questions count five points, the next total is five points away.
  expect(verdictOf(fairnessOf({ first: [0, 0, 0, 0, 10], second: hard }))).toMatchObject({ kind: "trap", percent: 90, step: 5 });
});
