import { expect, test } from "vitest";
import { firstSteps, isFirstTime, type Groundwork } from "./first_steps";

const NOTHING: Groundwork = { hasName: false, hasPeople: false, progress: [], hasTemplate: false, hasSitting: false };
const done = (beginning: Partial<Groundwork>) =>
  firstSteps({ ...NOTHING, ...beginning })
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

test("the name of the school comes first, and nothing is left to say when all is done", () => {
  expect(firstSteps(NOTHING).map(({ name }) => name)).toEqual(["school", "people", "questions", "template", "sitting"]);
  const progress = [{ grade: 5, total: 1, approved: 1, flagged: 0, pending: 0 }];
  const all = { hasName: true, hasPeople: true, progress, hasTemplate: true, hasSitting: true };
  expect(firstSteps(all)).toEqual([]);
  expect(firstSteps({ ...all, hasName: false }).filter(({ isDone }) => !isDone).map(({ name }) => name)).toEqual(["school"]);
});

test("the steps are over with the first exam, not with the first plan", () => {
  expect([isFirstTime([]), isFirstTime([{ state: "draft" }]), isFirstTime([{ state: "draft" }, { state: "open" }]), isFirstTime([{ state: "ended" }])]).toEqual([true, true, false, false]);
});
