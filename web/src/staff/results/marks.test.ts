import { expect, test } from "vitest";
import type { MarkScale } from "../../marks/scale";
import { presetScale } from "../marks/presets";
import { compareMarks, markSpreadOf } from "./marks";
import { filteredResults } from "./people";
import { resultRow } from "./testing/results";

const ten = presetScale("ten", "en");
const six = presetScale("sixWorst", "en");
const rows = (...marks: [string, boolean?][]) =>
  marks.map(([text, passed], index) => resultRow(`${index}`, { mark: { text, ...(passed === undefined ? {} : { passed }) } }));
const names = (list: { student: string }[]) => list.map(({ student }) => student);

test("every mark of a scale has its count, the best first, with those who have passed and the mean", () => {
  const spread = markSpreadOf([...rows(["8.0", true], ["4.5", false], ["8.0", true]), resultRow("absent", { score: null })], ten);
  expect(spread.counts).toHaveLength(21);
  expect([spread.counts[0]?.text, spread.counts.at(-1)?.text]).toEqual(["10.0", "0.0"]);
  expect(spread.counts.filter(({ count }) => count > 0).map(({ text, count }) => `${text}: ${count}`)).toEqual(["8.0: 2", "4.5: 1"]);
  expect([spread.count, spread.most, spread.passed, spread.mean]).toEqual([3, 2, 2, 20.5 / 3]);
});

test("of a fine scale only the marks that somebody has are listed, and words have no mean", () => {
  const fine: MarkScale = { type: "numbers", basis: "percent", worst: 0, best: 10, step: 0.01, rounding: "nearest" };
  const spread = markSpreadOf(rows(["3.33"], ["10.00"], ["9.99"]), fine);
  expect([spread.counts.map(({ text }) => text), spread.passed]).toEqual([["10.00", "9.99", "3.33"], undefined]);
  const words = markSpreadOf(rows(["F", false], ["A", true]), presetScale("letters", "en"));
  expect([words.counts.map(({ count }) => count), words.mean]).toEqual([[1, 0, 0, 0, 1], undefined]);
  expect(markSpreadOf([], ten)).toMatchObject({ count: 0, most: 0, passed: 0, mean: undefined });
});

test("a better mark is higher than a worse one, and whoever has none comes before the worst", () => {
  const [one, five, none] = [...rows(["1"], ["5"]), resultRow("none")];
  if (one === undefined || five === undefined || none === undefined) throw new Error("three rows");
  expect(names([one, five, none].sort(compareMarks(six)))).toEqual(["none", "1", "0"]);
});

test("those with one mark are found", () => {
  const all = { search: "", room: "", state: "", measure: "right" as const, least: undefined, most: undefined };
  expect(names(filteredResults([...rows(["8.0"], ["4.5"]), resultRow("none")], { ...all, mark: "4.5" }))).toEqual(["1"]);
});
