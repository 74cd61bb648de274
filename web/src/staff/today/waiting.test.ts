import { expect, test } from "vitest";
import type { AgendaEntry } from "../agenda";
import { reviewWork, sum, unreleased, type GradeApproval, type GradeProgress } from "./waiting";

const grade = (number: number, approved: number, flagged: number, pending: number): GradeProgress => ({
  grade: number,
  total: approved + flagged + pending,
  approved,
  flagged,
  pending,
});
const signed = (number: number, managerEmail: string, more: Partial<GradeApproval> = {}): GradeApproval => ({
  grade: number,
  managerEmail,
  status: "approved",
  decidedAt: "2026-06-01T08:00:00Z",
  approved: 10,
  pending: 0,
  flagged: 0,
  ...more,
});

test("questions without a decision and flagged ones are counted by grade", () => {
  const work = reviewWork([grade(4, 1, 2, 3), grade(5, 10, 0, 0)], [], "a@x", false);
  expect([work.pending, work.flagged]).toEqual([[{ grade: 4, count: 3 }], [{ grade: 4, count: 2 }]]);
  expect(sum(reviewWork([grade(4, 1, 2, 3), grade(6, 0, 0, 7)], [], "a@x", false).pending)).toBe(10);
});

test("a reviewed grade waits for the sign-off of each manager, and for that of one for an admin", () => {
  const progress = [grade(5, 10, 0, 0), grade(6, 9, 0, 1), grade(7, 0, 0, 0)];
  expect(reviewWork(progress, [], "a@x", false).unsigned).toEqual([5]);
  expect(reviewWork(progress, [signed(5, "b@x")], "a@x", false).unsigned).toEqual([5]);
  expect(reviewWork(progress, [signed(5, "b@x")], "head@x", true).unsigned).toEqual([]);
  expect(reviewWork(progress, [signed(5, "a@x", { status: "revision_requested" })], "a@x", false).unsigned).toEqual([5]);
});

test("a grade that has changed since the last sign-off waits again", () => {
  const changed = (approvals: GradeApproval[]) => reviewWork([grade(5, 9, 0, 1)], approvals, "a@x", false).changed;
  expect(changed([signed(5, "a@x")])).toEqual([5]);
  expect(changed([signed(5, "a@x", { approved: 9, pending: 1 })])).toEqual([]);
  expect(changed([signed(5, "a@x"), signed(5, "a@x", { decidedAt: "2026-06-02T08:00:00Z", status: "revision_requested" })])).toEqual([]);
  const { approved: _, ...old } = signed(5, "a@x");
  expect(changed([old])).toEqual([]);
});

test("results wait when the sitting is over, somebody has handed in, and they are held", () => {
  const entry = (id: string, state: AgendaEntry["state"], results: string, released: boolean, submitted: number) =>
    ({ id, state, managed: { results, released, counts: { submitted } } }) as unknown as AgendaEntry;
  const entries = [
    entry("yes", "ended", "held", false, 3),
    entry("running", "running", "held", false, 3),
    entry("now", "ended", "now", false, 3),
    entry("out", "ended", "held", true, 3),
    entry("empty", "ended", "held", false, 0),
  ];
  expect(unreleased(entries).map(({ id }) => id)).toEqual(["yes"]);
});
