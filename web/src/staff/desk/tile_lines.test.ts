import { expect, test } from "vitest";
import { linesHeight, placeBeside, rangeOf, tileLines } from "./tile_lines";

const SIZES = { perLine: 3, tilePx: 60, hallPx: 20, gapPx: 5 };
const KEYS = ["a1", "a2", "a3", "a4", "b1", "b2", "c1"];
const hallOf = (key: string) => key.slice(0, 1).toUpperCase();

test("students of one hall stand together below its name", () => {
  const lines = tileLines(KEYS, hallOf, SIZES);
  expect(lines.map((line) => (line.kind === "hall" ? `${line.hall} ${line.count}` : line.keys.join(" ")))).toEqual(["A 4", "a1 a2 a3", "a4", "B 2", "b1 b2", "C 1", "c1"]);
  expect(lines.map(({ top }) => top)).toEqual([0, 25, 90, 155, 180, 245, 270]);
  expect(linesHeight(lines)).toBe(330);
  expect(tileLines(KEYS, undefined, SIZES).map((line) => line.kind === "tiles" && line.first)).toEqual([0, 3, 6]);
  expect([tileLines([], hallOf, SIZES), linesHeight([])]).toEqual([[], 0]);
});

test("only lines in view become elements", () => {
  const lines = tileLines(KEYS, hallOf, SIZES);
  const tops = (from: number, to: number) => {
    const { first, after } = rangeOf(lines, from, to);
    return lines.slice(first, after).map(({ top }) => top);
  };
  expect(tops(0, 60)).toEqual([0, 25, 90]);
  expect(tops(160, 240)).toEqual([90, 155, 180, 245]);
  expect(tops(900, 1_000), "a list that has become shorter").toEqual([270]);
});

test("up and down stay in their column, also from hall to hall", () => {
  const lines = tileLines(KEYS, hallOf, SIZES);
  expect(placeBeside(lines, 1, 1), "a2, below which there is only a4").toBe(3);
  expect(placeBeside(lines, 3, 1), "a4 to b1").toBe(4);
  expect(placeBeside(lines, 5, -1), "b2 to a4").toBe(3);
  expect(placeBeside(lines, 6, 1)).toBe(6);
  expect(placeBeside(lines, 0, -1)).toBe(0);
});
