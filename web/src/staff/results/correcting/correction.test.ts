import { expect, test } from "vitest";
import { resultQuestion } from "../testing/results";
import { correctionBody, correctionsQuery, isCorrectionComplete, namedOptions, newCorrection, scopeOf, standingCorrection } from "./correction";
import { correction } from "./testing/corrections";

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
  const sent = { questionId: "g5-001", kind: "key", options: ["C"], scope: SCOPE, nobodyLoses: true, comment: "C is right" };
  const before = { question: question.question, options: ["1/6", "3/4", "2/6", "1/8"] };
  expect(correctionBody(draft, question, SCOPE, 5)).toEqual({ ...sent, edit: { grade: 5, updates: { answer: "C" }, before } });
  expect(correctionBody(draft, question, SCOPE)).toEqual(sent);
  expect(correctionBody({ ...draft, mends: false }, question, SCOPE, 5)).toEqual(sent);
  expect(correctionBody(draft, resultQuestion({ edited: true }), SCOPE, 5)).toEqual(sent);
  expect(correctionBody({ ...draft, kind: "all" }, question, SCOPE, 5)).toEqual({ ...sent, kind: "all", options: [] });
});

test("a correction holds for what the results are of, and for a grade between two days", () => {
  expect(scopeOf({ kind: "sitting", sittingId: "s-1" })).toEqual(SCOPE);
  expect(scopeOf({ kind: "template", templateId: "t-1" })).toEqual({ templateId: "t-1" });
  expect(scopeOf({ kind: "grade", grade: 5 }, "2026-11-01", "")).toBeUndefined();
  expect(scopeOf({ kind: "grade", grade: 5 }, "2026-11-01", "2026-11-30")).toEqual({ grade: 5, from: "2026-11-01", to: "2026-11-30" });
  expect(correctionsQuery({ kind: "grade", grade: 5 })).toEqual({ grade: 5 });
});

test("of a question the newest correction rules that was not taken back", () => {
  const list = [
    correction({ id: "c-3", revertedAt: "2026-11-23T13:00:00Z" }),
    correction({ id: "c-2" }),
    correction({ id: "c-1" }),
    correction({ id: "other", questionId: "g5-002" }),
  ];
  expect(standingCorrection(list, "g5-001")?.id).toBe("c-2");
  expect(standingCorrection(list, "g5-003")).toBeUndefined();
});
