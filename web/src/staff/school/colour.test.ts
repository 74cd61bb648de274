import { expect, test } from "vitest";
import { CONTRAST_MIN, contrastOf } from "../../school/colours";
import { darkerReadable, hexIn, isReadable, shownContrast } from "./colour";

test("a colour is read with and without its sign, long and short", () => {
  expect(["#2348C5", " 2348c5 ", "#abc", "abc"].map(hexIn)).toEqual(["#2348c5", "#2348c5", "#aabbcc", "#aabbcc"]);
  expect(["", "#", "#12", "#12345", "#1234567", "blue", "#ggg"].map(hexIn)).toEqual(Array(7).fill(undefined));
});

test("what is too little is never shown as enough", () => {
  expect(["#767676", "#777777", "#2348c5", "#ffcc00"].map(isReadable)).toEqual([true, false, true, false]);
  expect(shownContrast("#777777")).toBe(4.47);
  expect(shownContrast("#ffffff")).toBe(1);
});

test("the nearest darker colour keeps the hue, passes, and is not darker than it must be", () => {
  expect(darkerReadable("#2348c5")).toBe("#2348c5");
  expect(darkerReadable("#ffffff")).toBe("#767676");
  for (const hex of ["#ffcc00", "#00ff00", "#ff6666", "#7fb2ff", "#777777"]) {
    const found = darkerReadable(hex);
    expect(isReadable(found), hex).toBe(true);
    expect(contrastOf(found, "#ffffff"), hex).toBeLessThan(CONTRAST_MIN + 0.1);
  }
  expect(darkerReadable("#ff0000")).toMatch(/^#[0-9a-f]{2}0000$/);
});
