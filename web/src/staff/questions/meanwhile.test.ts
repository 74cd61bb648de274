import { expect, test } from "vitest";
import { meanwhile } from "./meanwhile";
import { question, review } from "./testing/bank";

const seen = { question: question(), review: { status: "pending" as const } };
const bank = (of: ReturnType<typeof question>, reviewed: ReturnType<typeof review> = { status: "pending" }) => ({
  questions: [of],
  reviews: { [of.id]: reviewed },
});

test("nothing has changed", () => {
  expect(meanwhile(seen, bank(question()))).toBeUndefined();
  expect(meanwhile(seen, { questions: [question()], reviews: {} })).toBeUndefined();
  expect(meanwhile({ question: question(), review: review() }, bank(question(), review()))).toBeUndefined();
});

test("somebody has edited the question", () => {
  const found = meanwhile(seen, bank(question({ answer: "C" })));
  expect(found).toMatchObject({ changes: [{ field: "Answer", before: "B", after: "C" }], isReviewed: false });
});

test("somebody has decided", () => {
  expect(meanwhile(seen, bank(question(), review()))).toMatchObject({ changes: [], isReviewed: true });
  const mine = { question: question(), review: review() };
  expect(meanwhile(mine, bank(question(), review({ note: "Better now" })))).toMatchObject({ isReviewed: true });
  expect(meanwhile(mine, bank(question(), review({ reviewedBy: "max@exam.test" })))).toMatchObject({ isReviewed: true });
  expect(meanwhile(mine, bank(question(), review({ reviewedAt: "2026-11-23T10:00:01Z" })))).toBeUndefined();
});

test("the question is not there any more", () => {
  expect(meanwhile(seen, { questions: [], reviews: {} })).toEqual({ present: undefined, changes: [], isReviewed: false });
});
