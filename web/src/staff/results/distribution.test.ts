import { expect, test } from "vitest";
import { distributionOf, SCALES } from "./distribution";
import { resultRow } from "./testing/results";

const rightOf = (right: number, questions: number) => resultRow(`${right} of ${questions}`, { right, questions });

test("ten bins of ten per cent, each from its lower bound to below its upper one, and full marks in the last", () => {
  const { bins, most } = distributionOf([0, 1, 2, 19, 20].map((right) => rightOf(right, 20)), "right");
  expect(bins.map(({ from, to }) => `${from}-${to}`)).toEqual(["0-10", "10-20", "20-30", "30-40", "40-50", "50-60", "60-70", "70-80", "80-90", "90-100"]);
  expect(bins.map(({ count }) => count)).toEqual([2, 1, 0, 0, 0, 0, 0, 0, 0, 2]);
  expect(most).toBe(2);
});

test("scores have bins of fifty from the lowest to the highest", () => {
  const { bins } = distributionOf([resultRow("a", { score: 200 }), resultRow("b", { score: 799 }), resultRow("c", { score: 800 })], "score");
  expect(bins).toHaveLength((SCALES.score.most - SCALES.score.least) / 50);
  expect([bins[0], bins.at(-1)]).toEqual([
    { from: 200, to: 250, count: 1 },
    { from: 750, to: 800, count: 2 },
  ]);
});

test("mean and median are of those who have a result", () => {
  const rows = [rightOf(4, 10), rightOf(5, 10), rightOf(9, 10), resultRow("absent", { state: "absent", score: null, right: null, questions: null }), rightOf(0, 0)];
  const { count, mean, median } = distributionOf(rows, "right");
  expect([count, mean, median]).toEqual([3, 60, 50]);
});

test("without a result there is no mean, and no bar", () => {
  expect(distributionOf([], "right")).toMatchObject({ count: 0, most: 0, mean: undefined, median: undefined });
  expect(distributionOf([], "right").bins).toHaveLength(10);
});
