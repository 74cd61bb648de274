import { expect, test } from "vitest";
import { numberResult, resultQuestion } from "../testing/results";
import { correctionBody, correctionsQuery, furtherNumbers, isCorrectionComplete, namedOptions, newCorrection, scopeOf } from "./correction";

const SCOPE = { sittingId: "s-1" };

test("only kinds that name options need some", () => {
  const draft = newCorrection();
  expect(isCorrectionComplete(draft)).toBe(false);
  expect(isCorrectionComplete({ ...draft, kind: "key" })).toBe(false);
  expect(isCorrectionComplete({ ...draft, kind: "key", key: "C" })).toBe(true);
  expect(isCorrectionComplete({ ...draft, kind: "also", key: "C" })).toBe(false);
  expect(isCorrectionComplete({ ...draft, kind: "also", also: ["D"] })).toBe(true);
  expect([isCorrectionComplete({ ...draft, kind: "all" }), isCorrectionComplete({ ...draft, kind: "drop" })]).toEqual([true, true]);
});

test("what was chosen for another kind is not sent", () => {
  const draft = { ...newCorrection(), key: "C" as const, also: ["D" as const, "A" as const] };
  expect(namedOptions({ ...draft, kind: "key" })).toEqual(["C"]);
  expect(namedOptions({ ...draft, kind: "also" })).toEqual(["A", "D"]);
  expect([namedOptions({ ...draft, kind: "all" }), namedOptions({ ...draft, kind: "drop" })]).toEqual([[], []]);
});

test("the bank gets the new key in the same step, if its letters mean what they meant in the test", () => {
  const draft = { ...newCorrection(), kind: "key" as const, key: "C" as const, comment: "  C is right " };
  const question = resultQuestion();
  const optionTexts = ["1/6", "3/4", "2/6", "1/8"];
  const sent = { id: "i", questionId: "g5-001", kind: "key", options: ["C"], scope: SCOPE, nobodyLoses: true, comment: "C is right", optionTexts };
  const before = { question: question.question, options: optionTexts };
  expect(correctionBody(draft, question, SCOPE, "i", 5)).toEqual({ ...sent, edit: { grade: 5, updates: { answer: "C" }, before } });
  expect(correctionBody(draft, question, SCOPE, "i")).toEqual(sent);
  expect(correctionBody({ ...draft, mends: false }, question, SCOPE, "i", 5)).toEqual(sent);
  expect(correctionBody(draft, resultQuestion({ edited: true }), SCOPE, "i", 5)).toEqual(sent);
  expect(correctionBody({ ...draft, kind: "all" }, question, SCOPE, "i", 5)).toEqual({ ...sent, kind: "all", options: [] });
});

test("a trial has no id, and letters of which nobody knows what they stood for go without texts", () => {
  const draft = { ...newCorrection(), kind: "key" as const, key: "C" as const };
  expect(correctionBody(draft, resultQuestion(), SCOPE)).not.toHaveProperty("id");
  expect(correctionBody(draft, resultQuestion({ changed: true }), SCOPE)).not.toHaveProperty("optionTexts");
});

test("a correction holds for what the results are of, and for a grade between two days", () => {
  expect(scopeOf({ kind: "sitting", sittingId: "s-1" })).toEqual(SCOPE);
  expect(scopeOf({ kind: "template", templateId: "t-1" })).toEqual({ templateId: "t-1" });
  expect(scopeOf({ kind: "template", templateId: "t-1" }, "2026-11-01")).toBeUndefined();
  expect(scopeOf({ kind: "grade", grade: 5 }, "2026-11-01", "")).toBeUndefined();
  expect(scopeOf({ kind: "grade", grade: 5 }, "2026-11-01", "2026-11-30")).toEqual({ grade: 5, from: "2026-11-01", to: "2026-11-30" });
  expect(correctionsQuery({ kind: "grade", grade: 5 })).toEqual({ grade: 5 });
});

test("a number is corrected by a number, without texts of options", () => {
  const draft = { ...newCorrection(), kind: "key" as const, key: "0.8" };
  const sent = { id: "i", questionId: "g5-001", kind: "key", options: ["0.8"], scope: SCOPE, nobodyLoses: true, comment: "" };
  const question = numberResult();
  expect(correctionBody(draft, question, SCOPE, "i")).toEqual(sent);
  expect(correctionBody(draft, question, SCOPE, "i", 5)).toEqual({ ...sent, edit: { grade: 5, updates: { answer: "0.8" }, before: { question: question.question } } });
});

test("further numbers are decimals that do not count already, each once, and three at most", () => {
  const question = numberResult({ correct: "0.75", alsoCorrect: ["0.7"] });
  expect(furtherNumbers("0,8; .9", question)).toEqual(["0.8", "0.9"]);
  expect(furtherNumbers(" ", question)).toEqual([]);
  for (const text of ["0.750", "0,70", "0.8; 0,80", "1; 2; 3; 4", "1/3", "two"]) expect(furtherNumbers(text, question), text).toBeUndefined();
});
