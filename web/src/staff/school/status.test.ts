import { expect, test } from "vitest";
import { STATUS_LETTERS_MAX, statusText } from "./status";

test("lines become one, since bars have one", () => {
  expect(statusText("  Back\n at\t2. ")).toBe("Back at 2.");
  expect(statusText(" \n ")).toBe("");
});

test("letters are counted as readers count them", () => {
  expect(statusText("😀".repeat(STATUS_LETTERS_MAX))).toBeDefined();
  expect(statusText("x".repeat(STATUS_LETTERS_MAX + 1))).toBeUndefined();
});
