import { expect, test } from "vitest";
import { changesBetween, emptyDraft, isBegun, questionDraftOf, problemsOf, rebasedDraft, seenOf, updatesOf, withoutOption, writtenOf } from "./draft";
import { bankQuestion, numberQuestion } from "./testing/bank";

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

test("a number is sent as the server stores it, and only what differs of it", () => {
  const stored = numberQuestion({ unit: "cm" });
  const typed = questionDraftOf(stored);
  expect(typed).toMatchObject({ type: "number", answer: undefined, options: [], number: { answer: "0.75", tolerance: "", unit: "cm" } });
  expect(updatesOf(stored, typed)).toEqual({});
  expect(updatesOf(stored, { ...typed, number: { ...typed.number, answer: " 0,75", tolerance: "0", unit: " cm " } })).toEqual({});
  const changed = { ...typed, question: "How long?", number: { answer: "−1,5", tolerance: "0,05", unit: "", forms: ["decimal" as const], language: "vi" as const } };
  expect(updatesOf(stored, changed)).toEqual({ question: "How long?", answer: "-1.5", tolerance: "0.05", unit: "", forms: ["decimal"], language: "vi" });
  expect(changesBetween(stored, changed).map(({ field, before, after }) => [field, before, after])).toEqual([
    ["Question", stored.question, "How long?"],
    ["Answer", "0.75", "-1.5"],
    ["Tolerance", "0", "0.05"],
    ["Unit", "cm", ""],
    ["Forms", "decimal, fraction, mixed", "decimal"],
    ["Language", "en", "vi"],
  ]);
  // What is stored with another type never looks changed by it.
  expect(changesBetween(before, draft)).toEqual([]);
  expect(seenOf(stored)).toMatchObject({ options: [], answer: "0.75", tolerance: "0", unit: "cm", forms: ["decimal", "fraction", "mixed"], language: "en" });
  expect(seenOf(before)).not.toHaveProperty("tolerance");
  expect(seenOf(before)).toMatchObject({ options: before.options, answer: "B" });
});

test("a new number has no options, and what was typed as options stays behind", () => {
  const tried = { ...emptyDraft(5), question: "How many?", options: ["1", "2", "", ""], answer: "A" as const };
  const written = { ...tried, type: "number" as const, number: { ...tried.number, answer: "12", unit: "cm" } };
  expect(problemsOf(written)).toEqual([]);
  const sent = writtenOf(written);
  expect(sent).toMatchObject({ type: "number", options: [], answer: "12", tolerance: "0", unit: "cm", forms: ["decimal", "fraction", "mixed"], language: "en", fixedOptions: false });
  expect(writtenOf({ ...tried, options: ["1", "2"] })).toMatchObject({ type: "multiple-choice", options: ["1", "2"], answer: "A" });
  expect(writtenOf({ ...tried, options: ["1", "2"] })).not.toHaveProperty("unit");
  expect(isBegun({ ...emptyDraft(5), number: { ...tried.number, answer: "1" } })).toBe(true);
});

test("what the server would refuse of a number is said before", () => {
  const number = { ...questionDraftOf(numberQuestion()), options: [""] };
  expect(problemsOf(number)).toEqual([]);
  expect(problemsOf({ ...number, question: "", number: { ...number.number, answer: "a half", tolerance: "-1", unit: "5 cm", forms: [] } })).toEqual(["question", "number", "tolerance", "unit", "forms"]);
});

test("the next question begins with the type and the language of this one", () => {
  const { type, number } = emptyDraft(5, { ...questionDraftOf(numberQuestion({ language: "vi", unit: "cm" })) });
  expect({ type, number }).toMatchObject({ type: "number", number: { answer: "", unit: "", language: "vi" } });
});

test("a number goes on upon what somebody else has left, even half typed", () => {
  const stored = numberQuestion();
  const present = numberQuestion({ answer: "0.5", unit: "m", explanation: "Theirs." });
  const mine = (answer: string) => ({ ...questionDraftOf(stored), number: { ...questionDraftOf(stored).number, answer, tolerance: "0.1" } });
  expect(rebasedDraft(mine("0.75"), stored, present)).toMatchObject({ explanation: "Theirs.", number: { answer: "0.5", unit: "m", tolerance: "0.1" } });
  expect(rebasedDraft(mine("0.8"), stored, present).number.answer).toBe("0.8");
  expect(rebasedDraft(mine("0.8."), stored, present).number.answer).toBe("0.8.");
});
