import { expect, test } from "vitest";
import { questionsOf, standingOf } from "./standing";
import { question, standard } from "./testing/templates";

test("a question that nobody has decided on is pending, and each counts once", () => {
  const [one, two, three] = [question("g5-001"), question("g5-002"), question("g5-003")];
  const questions = questionsOf(standard({ standardQuestions: [one, two, three, one] }));
  expect(questions).toEqual([one, two, three]);
  expect(standingOf(questions, { "g5-001": { status: "flagged" }, "g5-002": { status: "approved" } })).toEqual({ flagged: [one], pending: 1, all: 3 });
});
