import { expect, test } from "vitest";
import golden from "../../../tests/golden/pieces.json";
import { pieces } from "./pieces";

const math = (text: string) => pieces(text).filter((piece) => piece.isMath).map((piece) => piece.text);

test("LaTeX is what stands between dollar signs", () => {
  expect(pieces("What is $\\frac{1}{2}$ of $x$?")).toEqual([
    { isMath: false, text: "What is " },
    { isMath: true, text: "\\frac{1}{2}" },
    { isMath: false, text: " of " },
    { isMath: true, text: "x" },
    { isMath: false, text: "?" },
  ]);
});

test("prices are no mathematics", () => {
  for (const text of ["It costs $5 and $3.", "$5, $6 or $7", "5$", "$ x $", "\\$5 or 6\\$", "from $5 to $10"]) expect(math(text), text).toEqual([]);
  expect(pieces("\\$5")).toEqual([{ isMath: false, text: "$5" }]);
});

test("a dollar within mathematics is escaped", () => {
  expect(math("$\\$5 + x$")).toEqual(["\\$5 + x"]);
});

test("what is escaped outside opens nothing and hides nothing", () => {
  expect(pieces("\\$5 or $x$")).toEqual([
    { isMath: false, text: "$5 or " },
    { isMath: true, text: "x" },
  ]);
  expect(pieces("a\\b $y$ c\\")).toEqual([
    { isMath: false, text: "a\\b " },
    { isMath: true, text: "y" },
    { isMath: false, text: " c\\" },
  ]);
});

test("much text with many dollars takes no time", () => {
  const begun = performance.now();
  pieces("$ ".repeat(50_000) + "$a".repeat(50_000));
  expect(performance.now() - begun).toBeLessThan(1_000);
});

test("two dollars put a formula in a line of its own", () => {
  expect(pieces("Solve:\n$$\\frac{x}{2} = 4$$\nWhat is $x$?")).toEqual([
    { isMath: false, text: "Solve:" },
    { isMath: true, isDisplay: true, text: "\\frac{x}{2} = 4" },
    { isMath: false, text: "What is " },
    { isMath: true, text: "x" },
    { isMath: false, text: "?" },
  ]);
  expect(pieces("$$\n  x^2\n$$")).toEqual([{ isMath: true, isDisplay: true, text: "x^2" }]);
  expect(math("$$\\$5 + x\\$$$ and $$y$$")).toEqual(["\\$5 + x\\$", "y"]);
});

test("several dollars without a formula between them stay as they are", () => {
  for (const text of ["$$", "$$$", "$$$$", "$$ $$", "cheap $, fair $$, dear $$$", "$$$5", "5$$"]) expect(math(text), text).toEqual([]);
});

test("much text with many doubled dollars takes no time", () => {
  const begun = performance.now();
  pieces("$$ ".repeat(50_000) + "$$a".repeat(50_000) + "$$" + " ".repeat(50_000) + "\n".repeat(50_000));
  expect(performance.now() - begun).toBeLessThan(1_000);
});

test("the server splits texts in the same way", () => {
  for (const [text, expected] of golden as [string, [string, string][]][]) {
    const found = pieces(text).map((piece) => [piece.isMath ? (piece.isDisplay === true ? "display" : "inline") : "plain", piece.text]);
    expect(found, text).toEqual(expected);
  }
});
