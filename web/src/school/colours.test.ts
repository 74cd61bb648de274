import { expect, test } from "vitest";
import { accentOf, CONTRAST_MIN, contrastOf } from "./colours";

/** The colours of the light theme that the accent and its tint meet (`base.css`). */
const [PAPER, GROUND, INK, QUIET] = ["#ffffff", "#f6f5f1", "#1b2130", "#515a6b"];

/** Every mixture of red, green and blue in steps of 17. */
function colours(): string[] {
  const parts = Array.from({ length: 16 }, (_, index) => (index * 17).toString(16).padStart(2, "0"));
  return parts.flatMap((red) => parts.flatMap((green) => parts.map((blue) => `#${red}${green}${blue}`)));
}

test("contrast is that of WCAG", () => {
  expect(contrastOf("#000000", PAPER)).toBeCloseTo(21, 5);
  expect(contrastOf("#777777", PAPER)).toBeCloseTo(4.48, 2);
  expect(contrastOf(PAPER, PAPER)).toBe(1);
});

test("whatever colour a school has, words can be read on it, in it and on its tint", () => {
  let taken = 0;
  for (const colour of colours()) {
    const found = accentOf(colour);
    expect(found !== undefined, colour).toBe(contrastOf(colour, PAPER) >= CONTRAST_MIN);
    if (found === undefined) continue;
    taken += 1;
    const { accent, deep, soft } = found;
    for (const [words, behind] of [[PAPER, accent], [PAPER, deep], [accent, PAPER], [accent, GROUND], [accent, soft], [INK, soft], [QUIET, soft]] as const) {
      expect(contrastOf(words, behind), `${colour}: ${words} on ${behind}`).toBeGreaterThanOrEqual(CONTRAST_MIN);
    }
  }
  expect(taken).toBeGreaterThan(1_000);
});

test("a dark colour stays as it is, and what is no colour is none", () => {
  expect(accentOf("#0b3d91")?.accent).toBe("#0b3d91");
  for (const text of ["", "blue", "#fff", "#0b3d9", "0b3d91"]) expect(accentOf(text), text).toBeUndefined();
});
