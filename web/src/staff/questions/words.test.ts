import { expect, test } from "vitest";
import { compared } from "./words";

const marked = (before: string, after: string) => {
  const { before: old, after: now } = compared(before, after);
  const text = (pieces: typeof old) => pieces.map((piece) => (piece.isSame ? piece.text : `[${piece.text}]`)).join("");
  return [text(old), text(now)];
};

test("what differs is marked, word by word", () => {
  expect(marked("How much is 1 + 2?", "How many are 1 + 2?")).toEqual(["How [much] [is] 1 + 2?", "How [many] [are] 1 + 2?"]);
  expect(marked("$\\frac{1}{2}$", "$\\frac{1}{3}$")).toEqual(["$\\frac{1}{[2]}$", "$\\frac{1}{[3]}$"]);
  expect(marked("Tổng là 3", "Tổng là 4")).toEqual(["Tổng là [3]", "Tổng là [4]"]);
});

test("what is added, removed or the same", () => {
  expect(marked("", "new")).toEqual(["", "[new]"]);
  expect(marked("old", "")).toEqual(["[old]", ""]);
  expect(marked("same", "same")).toEqual(["same", "same"]);
});

test("a very long text is compared as a whole, and takes no time", () => {
  const long = "a ".repeat(16_000);
  const begun = performance.now();
  expect(compared(long, `${long}b`).after).toHaveLength(1);
  compared("a ".repeat(500), "b ".repeat(500));
  expect(performance.now() - begun).toBeLessThan(1_000);
});
