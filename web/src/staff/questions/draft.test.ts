import { expect, test } from "vitest";
import { changesBetween, emptyDraft, isBegun, questionDraftOf, problemsOf, rebasedDraft, updatesOf, withoutOption, writtenOf } from "./draft";
import { bankQuestion } from "./testing/bank";

const before = bankQuestion();
const draft = questionDraftOf(before);

test("only what differs is sent", () => {
  expect(updatesOf(before, draft)).toEqual({});
  expect(updatesOf(before, { ...draft, question: `${before.question} \r\n` })).toEqual({});
  expect(updatesOf(before, { ...draft, question: " New? ", answer: "C" })).toEqual({ question: "New?", answer: "C" });
  expect(updatesOf(before, { ...draft, imageDescription: " A triangle. " })).toEqual({ imageDescription: "A triangle." });
  expect(updatesOf(before, { ...draft, options: ["1/6", "3/4", "1/3"] })).toEqual({ options: ["1/6", "3/4", "1/3"] });
});

test("changes are named as in the log", () => {
  expect(changesBetween(before, { ...draft, options: ["1/6", "3/4 ", "1/3"], image: "/a.png", imageDescription: "A triangle." })).toEqual([
    { field: "Option C", before: "2/6", after: "1/3" },
    { field: "Option D", before: "1/8", after: "" },
    { field: "Image", before: "", after: "/a.png" },
    { field: "Image description", before: "", after: "A triangle." },
  ]);
});

test("what the server would refuse is said before", () => {
  expect(problemsOf(draft)).toEqual([]);
  expect(problemsOf({ ...draft, question: " ", options: ["1", "", "2", " 1"], answer: undefined })).toEqual(["question", "option", "twice", "answer"]);
  expect(problemsOf({ ...draft, options: ["-3 cm", "−3\u00a0cm"], answer: "A" })).toEqual(["twice"]);
  expect(problemsOf({ ...draft, options: ["x2", "x²"], answer: "A" })).toEqual([]);
  expect(problemsOf({ ...draft, options: ["1", "2"], answer: "C" })).toEqual(["answer"]);
});

test("the right answer goes with its text", () => {
  expect(withoutOption(draft, 0)).toMatchObject({ options: ["3/4", "2/6", "1/8"], answer: "A" });
  expect(withoutOption(draft, 1)).toMatchObject({ options: ["1/6", "2/6", "1/8"], answer: undefined });
  expect(withoutOption(draft, 3)).toMatchObject({ options: ["1/6", "3/4", "2/6"], answer: "B" });
});

test("my changes go on upon what somebody else has left", () => {
  const present = bankQuestion({ explanation: "Theirs.", question: "Theirs?" });
  const mine = { ...draft, question: "Mine?" };
  expect(rebasedDraft(mine, before, present)).toMatchObject({ question: "Mine?", explanation: "Theirs.", answer: "B" });
});

test("where a question belongs is edited with it", () => {
  const changed = { ...draft, topic: "Sums ", subtopic: "", difficulty: 4, source: "Book", fixedOptions: true };
  expect(updatesOf(before, changed)).toEqual({ topic: "Sums", subtopic: "", difficulty: 4, source: "Book", fixedOptions: true });
  expect(changesBetween(before, changed).map(({ field, after }) => [field, after])).toEqual([
    ["Topic", "Sums "],
    ["Subtopic", ""],
    ["Difficulty", "4"],
    ["Source", "Book"],
    ["Fixed options", "yes"],
  ]);
});

test("a new question is begun once something is written, and not by its place", () => {
  const empty = emptyDraft(5, { topic: "Fractions", difficulty: 2, source: "Book" });
  expect(isBegun(empty)).toBe(false);
  expect(isBegun({ ...empty, topic: "Sums" })).toBe(false);
  expect([isBegun({ ...empty, options: ["", "", " 7", ""] }), isBegun({ ...empty, answer: "A" }), isBegun({ ...empty, image: "/media/a" })]).toEqual([true, true, true]);
  expect(problemsOf(empty)).toEqual(["question", "option", "answer"]);
});

test("a new question is sent with all its fields, as the server stores them", () => {
  const written = { ...emptyDraft(5), question: " One\r\nline? ", options: [" 1 ", "2"], answer: "A" as const };
  expect(writtenOf(written)).toMatchObject({ grade: 5, question: "One\nline?", options: ["1", "2"], answer: "A", image: "", difficulty: 3, fixedOptions: false });
});
