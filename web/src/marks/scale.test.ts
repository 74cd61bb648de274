import { expect, test } from "vitest";
import golden from "../../../tests/golden/marks.json";
import { markRank, possibleMarks, reckonedMark, shareOfResult, type MarkScale, type ResultMark } from "./scale";

interface Case {
  facts: { score: number; correct: number; questions: number; points: [number, number] | null };
  mark: ResultMark | null;
}

const SCALES = golden.marks as unknown as { scale: MarkScale; cases: Case[] }[];

function marked(scale: MarkScale, { score, correct, questions, points }: Case["facts"]): ResultMark | null {
  const known = points === null ? {} : { points: { top: points[0], bottom: points[1] } };
  const share = shareOfResult(scale, { score, correctAnswers: correct, totalQuestions: questions, ...known });
  return share === undefined ? null : reckonedMark(scale, share);
}

test("a result has the mark that the server gives it", () => {
  expect(SCALES.length).toBeGreaterThan(10);
  for (const { scale, cases } of SCALES) {
    expect(cases.length).toBeGreaterThan(0);
    for (const { facts, mark } of cases) expect(marked(scale, facts), `${JSON.stringify(facts)} by ${JSON.stringify(scale)}`).toEqual(mark);
  }
});

const numbers = (worst: number, best: number, step = 0.5): MarkScale => ({ type: "numbers", basis: "percent", worst, best, step, rounding: "nearest" });
const words: MarkScale = { type: "labels", basis: "percent", labels: [{ label: "A", from: 50 }, { label: "F", from: 0 }] };
const rank = (scale: MarkScale | null, text: string) => markRank(scale, { text });

test("the better mark is higher, whichever end of the scale it stands at", () => {
  expect([rank(numbers(0, 10), "10.0"), rank(numbers(0, 10), "9.5")]).toEqual([10, 9.5]);
  expect(rank(numbers(6, 1), "1.0")).toBeGreaterThan(rank(numbers(6, 1), "6.0") as number);
  expect(rank(words, "A")).toBeGreaterThan(rank(words, "F") as number);
  expect([rank(words, "B"), markRank(words, undefined), rank(null, "A")]).toEqual([undefined, undefined, undefined]);
});

test("all marks of a scale are listed, the best first, unless they are too many", () => {
  expect(possibleMarks(numbers(1, 3), 10)).toEqual(["3.0", "2.5", "2.0", "1.5", "1.0"]);
  expect(possibleMarks(numbers(1, -1, 0.5), 10)).toEqual(["-1.0", "-0.5", "0.0", "0.5", "1.0"]);
  expect(possibleMarks(words, 1)).toEqual(["A", "F"]);
  expect(possibleMarks(numbers(0, 10, 0.01), 100)).toBeUndefined();
});
