import { expect, test } from "vitest";
import { commonMistake, itemOrder, gradedKeys, labelsOf, otherNumbers, pValue, sharesOf } from "./items";
import { numberResult, resultQuestion } from "./testing/results";

test("a wrong option is one that many chose from a fifth of those asked and three students on", () => {
  expect(commonMistake(resultQuestion({ asked: 28, chosen: { A: 1, B: 14, C: 12, D: 1 } }))).toEqual({ choice: "C", count: 12 });
  expect(commonMistake(resultQuestion({ asked: 28, chosen: { B: 20, C: 5, D: 3 } })), "below a fifth").toBeUndefined();
  expect(commonMistake(resultQuestion({ asked: 25, chosen: { B: 20, C: 5 } })), "exactly a fifth").toEqual({ choice: "C", count: 5 });
  expect(commonMistake(resultQuestion({ asked: 4, chosen: { B: 2, C: 2 } })), "two students").toBeUndefined();
  expect(commonMistake(resultQuestion({ asked: 15, chosen: { B: 12, C: 3 } })), "three students").toEqual({ choice: "C", count: 3 });
});

test("the right option is never the wrong answer that many chose, and of two equals the first is named", () => {
  expect(commonMistake(resultQuestion({ asked: 10, chosen: { B: 10 } }))).toBeUndefined();
  expect(commonMistake(resultQuestion({ asked: 10, chosen: { A: 4, B: 2, D: 4 } }))).toEqual({ choice: "A", count: 4 });
  expect(commonMistake(resultQuestion({ asked: 0, chosen: {} }))).toBeUndefined();
});

test("shares are of those asked, so that who left it out counts", () => {
  const shares = sharesOf(resultQuestion({ asked: 20, answered: 10, chosen: { B: 5, C: 5 } }));
  expect(shares.map(({ choice, count, share, isRight }) => [choice, count, share, isRight])).toEqual([
    ["A", 0, 0, false],
    ["B", 5, 0.25, true],
    ["C", 5, 0.25, false],
    ["D", 0, 0, false],
  ]);
  expect(pValue(resultQuestion({ asked: 20, right: 5 }))).toBe(0.25);
  expect(pValue(resultQuestion({ asked: 0, right: 0 }))).toBeUndefined();
});

test("questions are in the order of the paper, or the hardest or slowest first", () => {
  const questions = [
    resultQuestion({ id: "x", right: 20, medianTime: 10 }),
    resultQuestion({ id: "y", right: 2, medianTime: null }),
    resultQuestion({ id: "z", right: 9, medianTime: 90 }),
    resultQuestion({ id: "unasked", asked: 0, right: 0, medianTime: null }),
  ];
  const ids = (order: Parameters<typeof itemOrder>[1]) => itemOrder(questions, order).map((index) => questions[index]?.id);
  expect(ids("paper")).toEqual(["x", "y", "z", "unasked"]);
  expect(ids("hardest")).toEqual(["y", "z", "x", "unasked"]);
  expect(ids("slowest")).toEqual(["z", "x", "y", "unasked"]);
});

test("a question is called by its place, with a letter if bands share it, or by its id if papers differ", () => {
  const places = [1, 2, 2, 2, 3].map((number, index) => resultQuestion({ id: `g5-${index}`, number, stage: number === 1 ? 1 : 2 }));
  expect(labelsOf(places)).toEqual(["1", "2a", "2b", "2c", "3"]);
  expect(labelsOf([resultQuestion({ id: "g5-007", number: 1, stage: null })])).toEqual(["g5-007"]);
  const parallel = [{}, { form: "B" }, { form: "C" }, { form: "C" }].map((form, index) => resultQuestion({ id: `g5-00${index}`, number: 3, ...form }));
  expect(labelsOf(parallel)).toEqual(["3", "B3", "C3a", "C3b"]);
});

test("further options that count are right as well", () => {
  const corrected = resultQuestion({ asked: 10, right: 8, correction: "also", alsoCorrect: ["C"], chosen: { B: 4, C: 4, D: 2 } });
  expect(sharesOf(corrected).flatMap(({ choice, isRight }) => (isRight ? [choice] : []))).toEqual(["B", "C"]);
  expect(commonMistake(corrected)).toBeUndefined();
});

test("after a correction, the key that some keep is not right any more", () => {
  const corrected = resultQuestion({ asked: 30, right: 28, correct: "C", correction: "key", gradedBy: { B: 4, C: 26 }, chosen: { B: 4, C: 24, D: 2 } });
  expect(sharesOf(corrected).flatMap(({ choice, isRight }) => (isRight ? [choice] : []))).toEqual(["C"]);
});

test("after an edit of the key, what was right by either key is right", () => {
  const edited = resultQuestion({ asked: 30, right: 20, correct: "B", gradedBy: { B: 10, C: 20 }, chosen: { B: 10, C: 12, D: 8 } });
  expect(sharesOf(edited).flatMap(({ choice, isRight }) => (isRight ? [choice] : []))).toEqual(["B", "C"]);
  expect(commonMistake(edited)).toEqual({ choice: "D", count: 8 });
  expect(gradedKeys(edited)).toEqual([
    { choice: "B", tests: 10 },
    { choice: "C", tests: 20 },
  ]);
  expect([gradedKeys(resultQuestion({ gradedBy: { B: 30 } })), gradedKeys(resultQuestion({}))]).toEqual([[], []]);
});

test("of a number, the right one and the most frequent wrong ones have shares", () => {
  const question = numberResult({ asked: 20, answered: 18, right: 8 });
  expect(sharesOf(question).map(({ choice, count, share, isRight }) => [choice, count, share, isRight])).toEqual([
    ["0.75", 8, 0.4, true],
    ["2/3", 5, 0.25, false],
    ["0,25", 1, 0.05, false],
  ]);
  expect(commonMistake(question)).toEqual({ choice: "2/3", count: 5 });
  expect(commonMistake(numberResult({ asked: 28 })), "below a fifth").toBeUndefined();
});

test("whoever typed a rarer wrong number is counted with the others", () => {
  expect(otherNumbers(numberResult({ asked: 20, answered: 18, right: 8 }))).toBe(4);
  // Credit for everyone counts those as right who gave no answer.
  expect(otherNumbers(numberResult({ asked: 20, answered: 10, right: 20, correction: "all" }))).toBe(0);
  expect(otherNumbers(resultQuestion())).toBe(0);
});

test("numbers by which tests were graded are told as letters are", () => {
  expect(gradedKeys(numberResult({ gradedBy: { "0.75": 20, "0.5": 8 } }))).toEqual([
    { choice: "0.5", tests: 8 },
    { choice: "0.75", tests: 20 },
  ]);
});
