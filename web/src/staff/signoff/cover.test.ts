import { expect, test } from "vitest";
import { reviewCounts, coverOf, hasSameStates, isSameBank, isSameCover, lastWork, toGiveAgain } from "./cover";
import { bank, decision, edit, hour, questionReview } from "./testing/bank";
import en from "./texts/en";
import vi from "./texts/vi";

const seen = bank({ a: questionReview("approved", 8), b: questionReview("flagged", 9), c: undefined }, [edit("a", 7)]);

test("every question counts once", () => {
  expect(reviewCounts(seen)).toEqual({ total: 3, approved: 1, pending: 1, flagged: 1 });
  expect(coverOf(seen, decision(6, { approved: 1, pending: 1, flagged: 1 }))).toMatchObject({ total: 3, changed: 2, decidedAt: hour(6) });
  expect(coverOf(seen, undefined)).toMatchObject({ decidedAt: "" });
});

test("a review or an edit of another question makes another cover, even with the same figures", () => {
  const cover = coverOf(seen, decision(10));
  expect(isSameCover(cover, coverOf(seen, decision(10)))).toBe(true);
  const swapped = bank({ a: questionReview("flagged", 11), b: questionReview("approved", 11), c: undefined }, [edit("a", 7)]);
  const edited = bank({ a: questionReview("approved", 8), b: questionReview("flagged", 9), c: undefined }, [edit("a", 7), edit("a", 9)]);
  for (const other of [swapped, edited]) expect(isSameBank(cover, coverOf(other, decision(10)))).toBe(false);
  // Somebody else has decided, and what has changed since is counted from there.
  expect([isSameBank, isSameCover].map((isSame) => isSame(cover, coverOf(seen, decision(9))))).toEqual([true, false]);
  expect(hasSameStates({ approved: 1, pending: 2, flagged: 3 }, { approved: 1, pending: 2, flagged: 4 })).toBe(false);
});

test("an earlier decision can be given again, unless that would mend a seal that is broken", () => {
  const two = bank({ a: questionReview("approved", 8), b: questionReview("approved", 9) });
  expect(toGiveAgain(decision(10), two)?.decidedAt).toBe(hour(10));
  expect(toGiveAgain(decision(10), bank({ a: questionReview("approved", 8), b: questionReview("approved", 9) }, [edit("a", 11)]))).toBeUndefined();
  expect(toGiveAgain(decision(10, { status: "revision_requested" }), bank({ a: questionReview("approved", 11) }))?.status).toBe("revision_requested");
  expect(toGiveAgain(undefined, two)).toBeUndefined();
});

test("the last day of work is that of the latest review", () => {
  expect(lastWork(Object.values(seen.reviews))).toBe(Date.parse(hour(9)));
  expect(lastWork([{ status: "pending" }])).toBeUndefined();
});

test("a dialog says what is covered, and one is no plural", () => {
  const figures = { approved: 118, pending: 2, flagged: 1 };
  expect(en.covers({ ...figures, flagged: 0 }, en.changedSince(3, en.sinceWhat.own))).toBe(
    "This covers 120 questions: 118 approved, 2 pending, 0 flagged; 3 changed since your last sign-off.",
  );
  expect(en.covers({ approved: 1, pending: 0, flagged: 0 }, "")).toBe("This covers 1 question: 1 approved, 0 pending, 0 flagged.");
  expect(vi.covers(figures, vi.changedSince(3, vi.sinceWhat.own))).toBe(
    "Quyết định này áp dụng cho 121 câu hỏi: 118 đã duyệt, 2 chưa duyệt, 1 bị đánh dấu; 3 câu thay đổi từ lần xác nhận trước của thầy cô.",
  );
});
