import { expect, test } from "vitest";
import { emptyNumber, formsText, isNumberBegun, numberDraftOf, numberKeyOf, numberProblems, numberUpdates, typeOf, UNIT_MAX } from "./number_draft";
import { bankQuestion, numberQuestion } from "./testing/bank";

const typed = (changes: Partial<ReturnType<typeof emptyNumber>>) => ({ ...emptyNumber(), answer: "12", ...changes });

test("a question is of the type by which it is answered", () => {
  expect([typeOf(numberQuestion()), typeOf(bankQuestion()), typeOf(bankQuestion({ type: "number" })), typeOf(bankQuestion({ type: "old" }))]).toEqual([
    "number",
    "multiple-choice",
    "multiple-choice",
    "multiple-choice",
  ]);
});

test("keys that can be read in one way are taken", () => {
  for (const answer of ["12", "-3", "−3", "+3", "0.5", "0,5", ".5", " 007 ", "1/2", "½", "31/20", "-1 11/20"]) expect(numberProblems(typed({ answer })), answer).toEqual([]);
  // `1,234` is a thousand to some and one to others.
  for (const answer of ["", " ", "1/0", "1,234", "12 cm", "twelve", "1e3", "9".repeat(19)]) expect(numberProblems(typed({ answer })), answer).toEqual(["number"]);
});

test("a fraction is stored as its decimal, and one that has none is refused with a way out", () => {
  expect(["31/20", "1 11/20", "-7/4", "½", "6/3", "0.50"].map((answer) => numberKeyOf(typed({ answer })).answer)).toEqual(["1.55", "1.55", "-1.75", "0.5", "2", "0.50"]);
  for (const answer of ["1/3", "-2 1/7", "⅔", `1/${2 ** 19}`]) expect(numberProblems(typed({ answer })), answer).toEqual(["fraction"]);
});

test("what else a number has is looked at", () => {
  expect(numberProblems(typed({ tolerance: "0,5", unit: " km/h " }))).toEqual([]);
  expect(numberProblems(typed({ tolerance: "-0.5" }))).toEqual(["tolerance"]);
  expect(numberProblems(typed({ tolerance: "1 %" }))).toEqual(["tolerance"]);
  expect(numberProblems(typed({ tolerance: "-0" }))).toEqual([]);
  expect(numberProblems(typed({ unit: "đ".repeat(UNIT_MAX) }))).toEqual([]);
  for (const unit of ["đ".repeat(UNIT_MAX + 1), "2 m", "-m", "/s", ",m", "m\tn"]) expect(numberProblems(typed({ unit })), unit).toEqual(["unit"]);
  expect(numberProblems(typed({ forms: [] }))).toEqual(["forms"]);
});

test("a number is stored in one way, however it was typed", () => {
  expect(numberKeyOf(typed({ answer: " −07,50 ", tolerance: " ", unit: " cm ", forms: ["mixed", "decimal"] }))).toEqual({
    answer: "-7.50",
    tolerance: "0",
    unit: "cm",
    forms: ["decimal", "mixed"],
    language: "en",
  });
  expect(formsText(["mixed", "other", "decimal"])).toBe("decimal, mixed");
  const stored = numberQuestion({ tolerance: "0.1" });
  expect(numberUpdates(stored, numberDraftOf(stored))).toEqual({});
  expect(numberUpdates(stored, { ...numberDraftOf(stored), tolerance: "" })).toEqual({ tolerance: "0" });
  // A number that can't be read is not sent, and does not overwrite the one that is stored.
  expect(numberUpdates(stored, { ...numberDraftOf(stored), answer: "2/3" })).toEqual({});
  expect(numberUpdates(stored, { ...numberDraftOf(stored), answer: "3/4" })).toEqual({});
  expect(numberUpdates(stored, { ...numberDraftOf(stored), answer: "1/4" })).toEqual({ answer: "0.25" });
});

test("a number is begun once something is typed", () => {
  expect([isNumberBegun(emptyNumber("vi")), isNumberBegun({ ...emptyNumber(), unit: " " }), isNumberBegun({ ...emptyNumber(), tolerance: "1" })]).toEqual([false, false, true]);
});
