import { expect, test } from "vitest";
import { changedCount, changesSince, changeCount, ownDecision, sealOf, standing } from "./seal";
import { bank, decision, edit, questionReview } from "./testing/bank";

test("the newest decision stands, and the caller's own is the one that theirs would replace", () => {
  const approvals = [decision(9, { managerEmail: "head@x" }), decision(11), decision(12, { grade: 6 })];
  expect(standing(approvals, 5)?.managerEmail).toBe("max@x");
  expect(ownDecision(approvals, 5, "head@x")?.decidedAt).toBe(decision(9).decidedAt);
  expect([standing(approvals, 7), ownDecision(approvals, 6, "head@x")]).toEqual([undefined, undefined]);
});

test("a seal is whole as long as everything is older than the decision", () => {
  const same = bank({ a: questionReview("approved", 8), b: questionReview("approved", 9) }, [edit("a", 7)]);
  const since = changesSince(decision(10), same);
  expect([since, sealOf(decision(10), since)]).toEqual([{ questions: [], added: 0, removed: 0 }, "whole"]);
  expect(sealOf(decision(10), undefined)).toBe("unknown");
  expect([sealOf(undefined, since), sealOf(decision(10, { status: "revision_requested" }), since)]).toEqual(["none", "revision"]);
});

test("an edit, a flag, a question set back, one more and one fewer each break it; an approval does not", () => {
  const sealAfter = (now: ReturnType<typeof bank>) => {
    const since = changesSince(decision(10), now);
    return [sealOf(decision(10), since), changedCount(since), since.questions.map(({ id, kinds }) => `${id} ${kinds}`), since.added, since.removed];
  };
  const [a, b] = [questionReview("approved", 8), questionReview("approved", 9)];
  expect(sealAfter(bank({ a, b }, [edit("b", 11)]))).toEqual(["broken", 1, ["b edited"], 0, 0]);
  expect(sealAfter(bank({ a, b: questionReview("flagged", 11) }))).toEqual(["broken", 1, ["b flagged"], 0, 0]);
  expect(sealAfter(bank({ a, b: questionReview("pending", 11) }))).toEqual(["broken", 1, ["b reopened"], 0, 0]);
  expect(sealAfter(bank({ a, b, c: undefined }))).toEqual(["broken", 1, [], 1, 0]);
  expect(sealAfter(bank({ a }))).toEqual(["broken", 1, [], 0, 1]);
  expect(sealAfter(bank({ a, b: questionReview("approved", 11) }))).toEqual(["whole", 0, ["b approved"], 0, 0]);
});

test("a question that was edited and flagged has changed once, with its edits in their order", () => {
  const now = bank({ a: questionReview("flagged", 14), b: questionReview("approved", 13) }, [edit("a", 11), edit("a", 12), edit("b", 9), edit("gone", 13)]);
  const since = changesSince(decision(10), now);
  expect(since.questions.map(({ id }) => id)).toEqual(["a", "gone", "b"]);
  expect(since.questions[0]).toMatchObject({ kinds: ["edited", "flagged"], review: { status: "flagged" } });
  expect(since.questions[0]?.edits.map(({ id }) => id)).toEqual(["a 11", "a 12"]);
  expect(since.questions[1]).toMatchObject({ question: undefined, kinds: ["edited"] });
  expect([changeCount(since, "edited"), changeCount(since, "flagged"), changeCount(since, "approved"), changedCount(since)]).toEqual([2, 1, 1, 2]);
});

test("an old decision without figures says nothing of questions that were added", () => {
  const { approved: _, ...old } = decision(10);
  expect(changesSince(old, bank({ a: questionReview("approved", 8) }))).toEqual({ questions: [], added: 0, removed: 0 });
});

test("without a decision all edits are listed, and no reviews", () => {
  const since = changesSince(undefined, bank({ a: questionReview("flagged", 8) }, [edit("a", 7)]));
  expect(since.questions.map(({ kinds }) => kinds)).toEqual([["edited"]]);
});

test("a question that was written since is added, and neither edited nor counted twice", () => {
  const first = (id: string, at: number) => edit(id, at, [{ field: "Topic", before: "", after: "Sums" }, { field: "Question", before: "", after: "New?" }]);
  const [a, b] = [questionReview("approved", 8), questionReview("approved", 9)];
  const since = changesSince(decision(10), bank({ a, b, c: undefined, d: undefined }, [first("c", 11), edit("c", 12)]));
  expect(since.questions.map(({ id, kinds }) => `${id} ${kinds}`)).toEqual(["c added"]);
  expect([since.added, since.removed, changedCount(since)]).toEqual([1, 0, 2]);
  // One that has gone meanwhile leaves a place, and is none of those that are there.
  const swapped = changesSince(decision(10), bank({ a, c: undefined }, [first("c", 11), first("gone", 11)]));
  expect([swapped.added, swapped.removed, changeCount(swapped, "added")]).toEqual([0, 1, 2]);
  expect(changesSince(undefined, bank({ a }, [first("a", 7)])).questions[0]?.kinds).toEqual(["added"]);
});
