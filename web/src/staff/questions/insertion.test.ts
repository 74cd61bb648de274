import { expect, test, vi } from "vitest";
import { isInFormula } from "../../math/inside";
import { isRenderable } from "../../math/render";
import { insertion, nextGap } from "./insertion";
import { GAP, PIECE_GROUPS, pieceNamed, piecesOf, type PieceName } from "./palette_pieces";

vi.mock("../../math/math.css", () => ({}));

/** The text after an insertion: brackets stand for what is selected before, a bar for the cursor after it. */
function after(typed: string, name: PieceName): string {
  const [from, to] = [typed.indexOf("["), typed.indexOf("]") - 1];
  const text = typed.replace("[", "").replace("]", "");
  const { from: begin, to: end, text: inserted, cursor } = insertion(text, from, to, pieceNamed(name));
  const whole = text.slice(0, begin) + inserted + text.slice(end);
  return `${whole.slice(0, cursor)}|${whole.slice(cursor)}`;
}

test("a structure gets dollar signs of its own outside of a formula, and none within one", () => {
  expect(after("What is [] of 10?", "fraction")).toBe("What is $\\frac{|}{}$ of 10?");
  expect(after("$x + []$", "fraction")).toBe("$x + \\frac{|}{}$");
  expect(after("$$x + []$$", "root")).toBe("$$x + \\sqrt{|}$$");
  // A formula that somebody has just begun.
  expect(after("Solve $x + []", "power")).toBe("Solve $x + |^{}");
  expect(after("It costs $5 and [] more", "fraction")).toBe("It costs $5 and $\\frac{|}{}$ more");
  expect(after("It costs \\$x and [] more", "fraction")).toBe("It costs \\$x and $\\frac{|}{}$ more");
  expect(after("[]5 apples", "root")).toBe("$\\sqrt{|}$ 5 apples");
});

test("what is selected goes into the first gap", () => {
  expect(after("Half of [3]?", "fraction")).toBe("Half of $\\frac{3}{|}$?");
  expect(after("$[a+b] = c$", "fraction")).toBe("$\\frac{a+b}{|} = c$");
  expect(after("So [$x^2$] it is", "root")).toBe("So $\\sqrt{x^2}$| it is");
  expect(after("[9]", "squared")).toBe("$9^2$|");
  // Partly a formula: it stays as it is.
  expect(after("So [$x$ and y]", "root")).toBe("So $x$ and y$\\sqrt{|}$");
});

test("signs and units are plain characters in a text, and LaTeX in a formula", () => {
  expect(after("3 [] 4", "times")).toBe("3 ×| 4");
  expect(after("$3 [] 4$", "times")).toBe("$3 \\times | 4$");
  expect(after("It is 5[]", "centimetre")).toBe("It is 5 cm|");
  expect(after("It is 5 []", "squareCentimetre")).toBe("It is 5 cm²|");
  expect(after("$5[]$", "squareCentimetre")).toBe("$5\\text{ cm}^2|$");
  expect(after("[]", "metre")).toBe("m|");
  expect(after("a [b] c", "atMost")).toBe("a b≤| c");
  expect(after("$a [b]$", "pi")).toBe("$a b\\pi |$");
});

test("every piece can be set once its gaps are filled", () => {
  const names = PIECE_GROUPS.flatMap(piecesOf);
  expect(names.length).toBeGreaterThan(25);
  for (const name of names) expect(isRenderable(`x${pieceNamed(name).tex.replaceAll(GAP, "2")}y`, false), name).toBe(true);
});

test("a place is in a formula between its dollar signs alone", () => {
  const text = "a $x$ b $$y$$ c";
  const within = [...text, ""].map((_, at) => (isInFormula(text, at) ? "x" : "."));
  expect(within.join("")).toBe("...xx.....xx...." .slice(0, text.length + 1));
});

test("the Tab key goes on to the next empty braces of the formula, and leaves after the last", () => {
  /** A bar stands for the cursor, before and after. */
  const tabbed = (typed: string) => {
    const at = typed.indexOf("|");
    const text = typed.replace("|", "");
    const gap = nextGap(text, at);
    return gap === undefined ? undefined : `${text.slice(0, gap)}|${text.slice(gap)}`;
  };
  expect(tabbed("What is $\\frac{1|}{}$ of 10?")).toBe("What is $\\frac{1}{|}$ of 10?");
  expect(tabbed("$\\frac{|}{}$")).toBe("$\\frac{}{|}$");
  expect(tabbed("$2|\\frac{}{}$")).toBe("$2\\frac{|}{}$");
  expect(tabbed("$$\\frac{1|}{}$$")).toBe("$$\\frac{1}{|}$$");
  expect(tabbed("$\\frac{1}{2|}$")).toBeUndefined();
  // Another formula is reached by hand, and so is what stands outside of one.
  expect(tabbed("$\\frac{1}{2|}$ and $\\frac{}{}$")).toBeUndefined();
  expect(tabbed("Half| of $\\frac{}{}$")).toBeUndefined();
  expect(tabbed("A set| {}")).toBeUndefined();
});
