import { expect, test } from "vitest";
import { diffOf, type DiffPart } from "./diff";

function one({ text, isMath, isChanged }: DiffPart): string {
  const written = isMath ? `$${text}$` : text;
  return isChanged ? `[${written}]` : written;
}

/** A side of a diff with what is marked in brackets, and formulas between dollars. */
const shown = (parts: DiffPart[]) => parts.map(one).join("");
const both = (before: string, after: string) => Object.values(diffOf(before, after)).map(shown);

test("only the words that differ are marked", () => {
  expect(both("Add the tenths.", "Add the tenths first.")).toEqual(["Add the tenths.", "Add the tenths[ first]."]);
  expect(both("How many sides has it? Six.", "How many edges has it? Ten.")).toEqual(["How many [sides] has it? [Six].", "How many [edges] has it? [Ten]."]);
  expect(both("Bảy cái kẹo", "Tám cái kẹo")).toEqual(["[Bảy] cái kẹo", "[Tám] cái kẹo"]);
  expect(both("the big red ball", "the ball")).toEqual(["the [big red ]ball", "the ball"]);
});

test("a formula is one word, and prices are none", () => {
  expect(both("Is $\\frac{1}{2}$ more than $x$?", "Is $\\frac{1}{3}$ more than $x$?")).toEqual([
    "Is [$\\frac{1}{2}$] more than $x$?",
    "Is [$\\frac{1}{3}$] more than $x$?",
  ]);
  expect(both("5 \\$ or 6 \\$", "5 \\$ or 7 \\$")).toEqual(["5 $ or [6] $", "5 $ or [7] $"]);
  expect(both("x", "$x$")).toEqual(["[x]", "[$x$]"]);
});

test("nothing, the same, and all else", () => {
  expect(both("", "new")).toEqual(["", "[new]"]);
  expect(both("same", "same")).toEqual(["same", "same"]);
  expect(both("one two", "three")).toEqual(["[one two]", "[three]"]);
});

test("two long texts are compared in a moment, by their ends alone", () => {
  const long = (word: string) => `Begin ${Array.from({ length: 8_000 }, (_, index) => `${word}${index}`).join(" ")} end`;
  const { before, after } = diffOf(long("a"), long("b"));
  expect([before, after].map((parts) => parts.map(({ isChanged }) => isChanged))).toEqual([
    [false, true, false],
    [false, true, false],
  ]);
});
