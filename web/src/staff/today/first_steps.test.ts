import { expect, test } from "vitest";
import { firstSteps, type Groundwork } from "./first_steps";

const done = (beginning: Partial<Groundwork>) =>
  firstSteps({ hasPeople: false, progress: [], hasTemplate: false, ...beginning })
    .filter(({ isDone }) => isDone)
    .map(({ name }) => name);

test("a new school has everything before it", () => {
  expect(done({})).toEqual([]);
  expect(done({ hasPeople: true, hasTemplate: true })).toEqual(["people", "template"]);
});

test("the questions of one grade are enough, when each of them has been decided on", () => {
  const grade = (number: number, approved: number, flagged: number, pending: number) => ({
    grade: number,
    total: approved + flagged + pending,
    approved,
    flagged,
    pending,
  });
  expect(done({ progress: [grade(4, 9, 0, 1), grade(5, 9, 1, 0), grade(6, 0, 0, 0)] })).toEqual([]);
  expect(done({ progress: [grade(4, 9, 0, 1), grade(5, 10, 0, 0)] })).toEqual(["questions"]);
});
