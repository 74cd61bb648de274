import { expect, test } from "vitest";
import { partsOf } from "./bar";
import { inOrder, reviewersOf } from "./grades";
import type { Seal } from "./seal";
import { hour, questionReview, work } from "./testing/bank";

test("grades with flags come first, then those that are pending, then broken and missing seals", () => {
  const seals: Record<number, Seal> = { 1: "whole", 2: "none", 3: "broken" };
  const grades = [work(1, 9, 0, 0), work(2, 9, 0, 0), work(3, 9, 0, 0), work(4, 0, 0, 0), work(5, 5, 4, 0), work(6, 5, 4, 0), work(7, 8, 9, 1)];
  expect(inOrder(grades, (grade) => seals[grade] ?? "none").map(({ grade }) => grade)).toEqual([7, 5, 6, 3, 2, 1, 4]);
});

test("reviewers are those who have reviewed, and those who were asked to", () => {
  const reviewers = [
    { email: "rita@x", name: "Rita", reviewedCount: 2, approvedCount: 1, flaggedCount: 1 },
    { email: "sam@x", name: "", reviewedCount: 5, approvedCount: 5, flaggedCount: 0 },
  ];
  const assignedReviewers = [
    { email: "rita@x", name: "Rita" },
    { email: "new@x", name: "New" },
  ];
  const rows = reviewersOf(work(5, 6, 0, 1, { reviewers, assignedReviewers }), [questionReview("approved", 8), questionReview("flagged", 9), questionReview("approved", 11, "other")]);
  expect(rows.map(({ name, isAssigned, reviewed, lastMs }) => [name, isAssigned, reviewed, lastMs])).toEqual([
    ["sam@x", false, 5, undefined],
    ["Rita", true, 2, Date.parse(hour(9))],
    ["New", true, 0, undefined],
  ]);
});

test("the parts of a bar fill it, and a single flag is seen among thousands", () => {
  const parts = partsOf({ total: 5_000, approved: 4_999, pending: 0, flagged: 1 });
  expect(parts.map(({ status }) => status)).toEqual(["approved", "flagged"]);
  expect(parts[1]?.width).toBeGreaterThan(1.4);
  expect((parts[1]?.from ?? 0) + (parts[1]?.width ?? 0)).toBeCloseTo(100);
  expect(partsOf({ total: 0, approved: 0, pending: 0, flagged: 0 })).toEqual([]);
});
