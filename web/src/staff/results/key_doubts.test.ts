import { expect, test } from "vitest";
import { doubtWords } from "./doubt_words";
import { copyNoteOf, doubtfulOf, keyDoubts } from "./key_doubts";
import { numberResult, resultQuestion } from "./testing/results";
import en from "./texts/en";
import vi from "./texts/vi";

const kinds = (...of: Parameters<typeof keyDoubts>) => keyDoubts(...of).map(({ kind }) => kind);

test("a key is doubtful if more students chose another option", () => {
  const wrong = resultQuestion({ asked: 30, right: 4, correct: "B", chosen: { A: 2, B: 4, C: 24 } });
  expect(keyDoubts(wrong)).toEqual([{ kind: "another", choice: "C", count: 24, right: 4 }]);
  expect(kinds(resultQuestion({ asked: 30, right: 12, chosen: { B: 12, C: 12 } })), "as many").toEqual([]);
  expect(kinds(resultQuestion({ asked: 7, right: 0, chosen: { C: 7 } })), "a few students alone").toEqual([]);
});

test("fewer than a guesser would get are few, also where no option stands out", () => {
  expect(kinds(resultQuestion({ asked: 40, right: 5, chosen: { A: 5, B: 5, C: 5, D: 5 } }))).toEqual(["few"]);
  expect(kinds(resultQuestion({ asked: 40, right: 6, chosen: { A: 5, B: 6, C: 5, D: 5 } }))).toEqual([]);
});

test("a question that the better students get wrong is doubtful, if enough have had it", () => {
  expect(kinds(resultQuestion({ asked: 28, right: 20, discrimination: -0.3 }))).toEqual(["backwards"]);
  expect(kinds(resultQuestion({ asked: 28, right: 20, discrimination: -0.1 }))).toEqual([]);
  expect(kinds(resultQuestion({ asked: 14, right: 10, chosen: { B: 10, C: 4 }, discrimination: -0.9 }))).toEqual([]);
});

test("the key of a number is doubtful if more wrote another one, and not because few were right: nobody guesses it", () => {
  const wrong = numberResult({ asked: 30, answered: 30, right: 4, wrong: [{ text: "2/3", count: 20 }] });
  expect(keyDoubts(wrong)).toEqual([{ kind: "another", choice: "2/3", count: 20, right: 4 }]);
  expect(kinds(numberResult({ asked: 40, right: 2, wrong: [{ text: "1", count: 2 }] }))).toEqual([]);
});

test("what looks wrong is called as on the page, the plainest first, and what was corrected has been looked at", () => {
  const wrong = (id: string, number: number, count: number, changes: object = {}) =>
    ({ id, number, stage: 1, type: "multiple-choice", corrected: false, asked: 30, right: 4, mistakes: [{ choice: "A", count }], discrimination: null, ...changes });
  const number = wrong("n", 4, 6, { type: "number", mistakes: [{ choice: "2/3", count: 6 }] });
  const backwards = wrong("e", 6, 2, { right: 28, discrimination: -0.4 });
  const questions = [wrong("a", 1, 9), wrong("b", 2, 2, { right: 28 }), wrong("c", 3, 21), number, wrong("d", 5, 24, { corrected: true })];
  expect(doubtfulOf({ questions: [backwards] }).map(({ doubts }) => doubts)).toEqual([[{ kind: "backwards" }]]);
  const found = doubtfulOf({ questions });
  expect(found.map(({ id, label }) => [id, label])).toEqual([["c", "3"], ["a", "1"], ["n", "4"]]);
  const words = found.map(({ doubts, isNumber }) => doubtWords(doubts, isNumber, en));
  expect(words).toEqual(["21 chose A, and only 4 were right.", "9 chose A, and only 4 were right.", "6 wrote 2/3, and only 4 were right."]);
  expect(doubtWords([{ kind: "few", right: 5, asked: 40 }, { kind: "backwards" }], false, vi)).toBe(`${vi.doubts.few(5, 40)} ${vi.doubts.backwards}`);
});

test("a key that was corrected has been looked at", () => {
  expect(kinds(resultQuestion({ asked: 28, right: 2, correction: "key", discrimination: -0.9 }))).toEqual([]);
});

test("whose letters these are is said where forms or options differ, and of forms it says both", () => {
  const told = [[true, true], [false, true], [false, false]].map(([forms = false, shuffled = false]) => copyNoteOf({ forms, shuffled }));
  expect(told).toEqual(["forms", "letters", undefined]);
});
