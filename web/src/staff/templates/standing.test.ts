import { expect, test } from "vitest";
import { pinnedQuestions, pinsOfCopy, questionsOfForms, questionsOfPaper, reviewStanding } from "./standing";
import { adaptive, inForms, templateQuestion, standard } from "./testing/templates";

test("a question that nobody has decided on is pending, and each counts once", () => {
  const [one, two, three] = [templateQuestion("g5-001"), templateQuestion("g5-002"), templateQuestion("g5-003")];
  const questions = questionsOfPaper(standard({ standardQuestions: [one, two, three, one] }));
  expect(questions).toEqual([one, two, three]);
  expect(reviewStanding(questions, { "g5-001": { status: "flagged" }, "g5-002": { status: "approved" } })).toEqual({ flagged: [one], approved: 1, pending: 1, all: 3 });
});

test("what is pinned is found in whichever list has it", () => {
  expect(pinnedQuestions(adaptive({ pinned: ["80-90-2", "gone"] })).map(({ id }) => id)).toEqual(["80-90-2"]);
  expect(pinnedQuestions(adaptive())).toEqual([]);
});

test("a copy keeps what is pinned in the first list, for its grades and its kind", () => {
  const ids = (...of: Parameters<typeof pinsOfCopy>) => pinsOfCopy(...of).map(({ id }) => id);
  const staged = adaptive({ pinned: ["80-90-2", "first-2"] });
  const listed = standard({ standardQuestions: [templateQuestion("a"), templateQuestion("b", { grade: 6 }), templateQuestion("c")], pinned: ["b", "a"] });
  expect([ids(staged, staged), ids(listed, { mode: "standard", grades: [5, 6] }), ids(listed, listed)]).toEqual([["first-2"], ["a", "b"], ["a"]]);
  expect([ids(listed, { mode: "adaptive", grades: [5, 6] }), ids(standard(), standard())]).toEqual([[], []]);
});

test("a question that only one form has is decided on too", () => {
  expect(questionsOfForms(inForms()).map(({ id }) => id)).toEqual(["one", "two", "typed", "other"]);
  expect(questionsOfForms(standard())).toEqual([]);
});
