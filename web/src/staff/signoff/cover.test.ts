import { expect, test } from "vitest";
import { countsOf, coverOf, hasSameStates, isSameBank, isSameCover, lastWork, toGiveAgain } from "./cover";
import { bank, decision, edit, hour, review } from "./testing/bank";

const seen = bank({ a: review("approved", 8), b: review("flagged", 9), c: undefined }, [edit("a", 7)]);

test("every question counts once", () => {
  expect(countsOf(seen)).toEqual({ total: 3, approved: 1, pending: 1, flagged: 1 });
  expect(coverOf(seen, decision(6, { approved: 1, pending: 1, flagged: 1 }))).toMatchObject({ total: 3, changed: 2, decidedAt: hour(6) });
  expect(coverOf(seen, undefined)).toMatchObject({ decidedAt: "" });
});

test("a review or an edit of another question makes another cover, even with the same figures", () => {
  const cover = coverOf(seen, decision(10));
  expect(isSameCover(cover, coverOf(seen, decision(10)))).toBe(true);
  const swapped = bank({ a: review("flagged", 11), b: review("approved", 11), c: undefined }, [edit("a", 7)]);
  const edited = bank({ a: review("approved", 8), b: review("flagged", 9), c: undefined }, [edit("a", 7), edit("a", 9)]);
  for (const other of [swapped, edited]) expect(isSameBank(cover, coverOf(other, decision(10)))).toBe(false);
  // Somebody else has decided, and what has changed since is counted from there.
  expect([isSameBank, isSameCover].map((isSame) => isSame(cover, coverOf(seen, decision(9))))).toEqual([true, false]);
  expect(hasSameStates({ approved: 1, pending: 2, flagged: 3 }, { approved: 1, pending: 2, flagged: 4 })).toBe(false);
});

test("an earlier decision can be given again, unless that would mend a seal that is broken", () => {
  const two = bank({ a: review("approved", 8), b: review("approved", 9) });
  expect(toGiveAgain(decision(10), two)?.decidedAt).toBe(hour(10));
  expect(toGiveAgain(decision(10), bank({ a: review("approved", 8), b: review("approved", 9) }, [edit("a", 11)]))).toBeUndefined();
  expect(toGiveAgain(decision(10, { status: "revision_requested" }), bank({ a: review("approved", 11) }))?.status).toBe("revision_requested");
  expect(toGiveAgain(undefined, two)).toBeUndefined();
});

test("the last day of work is that of the latest review", () => {
  expect(lastWork(Object.values(seen.reviews))).toBe(Date.parse(hour(9)));
  expect(lastWork([{ status: "pending" }])).toBeUndefined();
});
