import { expect, test } from "vitest";
import { doubtsOf, otherKeys } from "./doubts";
import { figures } from "./testing/bank";

const kinds = (changes: Parameters<typeof figures>[0]) => doubtsOf(figures(changes), "B").map(({ kind }) => kind);

test("a question that does what it should raises no doubts", () => {
  expect(kinds({})).toEqual([]);
  expect(kinds({ pValue: 0.25, discrimination: 0.1 })).toEqual([]);
  expect(kinds({ pValue: 0.97 })).toEqual([]);
});

test("each figure that looks wrong is named", () => {
  expect(kinds({ pValue: 0.24 })).toEqual(["hard"]);
  expect(kinds({ pValue: 0.98 })).toEqual(["easy"]);
  expect(kinds({ discrimination: 0.09 })).toEqual(["flat"]);
  expect(kinds({ discrimination: -0.3 })).toEqual(["flat"]);
  expect(kinds({ discrimination: null })).toEqual([]);
});

test("a wrong option that more chose than the key is named", () => {
  const options = { A: 0.1, B: 0.3, C: 0.2, D: 0.35, none: 0.05 };
  expect(doubtsOf(figures({ options }), "B")).toEqual([{ kind: "mistake", choice: "D" }]);
  expect(doubtsOf(figures({ options }), "D")).toEqual([]);
  expect(doubtsOf(figures({ options: { A: 0.5, B: 0.5 } }), "B")).toEqual([]);
});

test("without enough tests, and without figures, nothing is said", () => {
  expect(kinds({ attempts: 19, pValue: 0 })).toEqual([]);
  expect(kinds({ attempts: 20, pValue: 0 })).toEqual(["hard"]);
  expect(doubtsOf(undefined, "B")).toEqual([]);
});

test("figures by another key than that of today raise no doubts, and say by which they are", () => {
  const options = { A: 0.6, B: 0.1, C: 0.3 };
  const edited = figures({ attempts: 40, pValue: 0.1, options, gradedBy: { A: 38, B: 2 } });
  expect(doubtsOf(edited, "B")).toEqual([]);
  expect(otherKeys(edited, "B")).toEqual([
    { choice: "A", tests: 38 },
    { choice: "B", tests: 2 },
  ]);
  const few = figures({ attempts: 40, pValue: 0.1, options, gradedBy: { A: 2, B: 38 } });
  expect(doubtsOf(few, "B").map(({ kind }) => kind)).toEqual(["hard", "mistake"]);
  expect(otherKeys(figures({ gradedBy: { B: 40 } }), "B")).toEqual([]);
});

test("a wrong number that more gave than the right one is named, and keys are numbers", () => {
  const of = (wrong: { text: string; count: number }[], pValue: number, gradedBy: Record<string, number> = { "0.5": 40 }) => figures({ options: {}, attempts: 40, pValue, gradedBy, wrong });
  const mistake = { kind: "mistake", choice: "5" };
  expect(doubtsOf(of([{ text: "5", count: 15 }], 0.3), "0.5")).toEqual([mistake]);
  expect(doubtsOf(of([{ text: "5", count: 12 }], 0.3), "0.5")).toEqual([]);
  expect(doubtsOf(of([], 0.3), "0.5")).toEqual([]);
  expect(otherKeys(of([], 0.5), "0.5")).toEqual([]);
  const edited = of([{ text: "5", count: 38 }], 0.05, { "5": 38, "0.5": 2 });
  expect(otherKeys(edited, "0.5")).toEqual([
    { choice: "5", tests: 38 },
    { choice: "0.5", tests: 2 },
  ]);
  expect(doubtsOf(edited, "0.5")).toEqual([]);
});
