import { expect, test } from "vitest";
import { trapsOf } from "./fairness";
import { levelled } from "./levelling";
import { total } from "./shapes";
import { SLIGHT_DROP } from "./verdict";

const FIRST = [4, 3, 3, 4, 6];
const USUAL = [
  [0, 1, 3, 6, 10],
  [1, 2, 4, 6, 7],
  [2, 3, 5, 5, 5],
  [3, 4, 5, 5, 3],
  [6, 5, 5, 3, 1],
];

test("levelled lists are as long as before, have no trap, and still differ", () => {
  const lists = levelled({ first: FIRST, second: USUAL });
  expect(lists.map(total)).toEqual([20, 20, 20, 20, 20]);
  expect(trapsOf({ first: FIRST, second: lists }).every(({ drop }) => drop < SLIGHT_DROP)).toBe(true);
  expect(lists[0]).not.toEqual(lists[4]);
  const hard = (list: number[] | undefined) => list?.[4] ?? NaN;
  expect(hard(lists[0])).toBeGreaterThan(hard(lists[4]));
});

test("lists that are fair stay as they are, and extreme ones become the same", () => {
  const same = USUAL.map(() => [4, 4, 4, 4, 4]);
  expect(levelled({ first: FIRST, second: same })).toEqual(same);
  const extreme = [[0, 0, 0, 0, 20], [0, 0, 0, 0, 20], [4, 4, 4, 4, 4], [20, 0, 0, 0, 0], [20, 0, 0, 0, 0]];
  expect(trapsOf({ first: FIRST, second: levelled({ first: FIRST, second: extreme }) }).every(({ drop }) => drop < SLIGHT_DROP)).toBe(true);
});
