import { expect, test } from "vitest";
import { meanwhile } from "./meanwhile";
import { bankQuestion, bankReview } from "./testing/bank";

const seen = { question: bankQuestion(), review: { status: "pending" as const } };
const bank = (of: ReturnType<typeof bankQuestion>, reviewed: ReturnType<typeof bankReview> = { status: "pending" }) => ({
  questions: [of],
  reviews: { [of.id]: reviewed },
});

test("nothing has changed", () => {
  expect(meanwhile(seen, bank(bankQuestion()))).toBeUndefined();
  expect(meanwhile(seen, { questions: [bankQuestion()], reviews: {} })).toBeUndefined();
  expect(meanwhile({ question: bankQuestion(), review: bankReview() }, bank(bankQuestion(), bankReview()))).toBeUndefined();
});

test("somebody has edited the question", () => {
  const found = meanwhile(seen, bank(bankQuestion({ answer: "C" })));
  expect(found).toMatchObject({ changes: [{ field: "Answer", before: "B", after: "C" }], isReviewed: false });
});

test("somebody has decided", () => {
  expect(meanwhile(seen, bank(bankQuestion(), bankReview()))).toMatchObject({ changes: [], isReviewed: true });
  const mine = { question: bankQuestion(), review: bankReview() };
  expect(meanwhile(mine, bank(bankQuestion(), bankReview({ note: "Better now" })))).toMatchObject({ isReviewed: true });
  expect(meanwhile(mine, bank(bankQuestion(), bankReview({ reviewedBy: "max@exam.test" })))).toMatchObject({ isReviewed: true });
  expect(meanwhile(mine, bank(bankQuestion(), bankReview({ reviewedAt: "2026-11-23T10:00:01Z" })))).toBeUndefined();
});

test("the question is not there any more", () => {
  expect(meanwhile(seen, { questions: [], reviews: {} })).toEqual({ present: undefined, changes: [], isReviewed: false });
});
