import { expect, test } from "vitest";
import { readNumber } from "../math/number";
import en from "../texts/number/en";
import vi from "../texts/number/vi";
import { spokenNumber } from "./spoken";

function said(typed: string, words = en): string | undefined {
  const number = readNumber(typed, words === en ? "en" : "vi");
  return number === undefined ? undefined : spokenNumber(number, words);
}

test("fractions and signs are said in words", () => {
  expect(["0,5", "-1/2", "2 1/2", "-2 1/2", "x"].map((typed) => said(typed))).toEqual(["0.5", "minus 1 over 2", "2 and 1 over 2", "minus 2 and 1 over 2", undefined]);
  expect(["0.5", "-1/2", "2 1/2"].map((typed) => said(typed, vi))).toEqual(["0,5", "âm 1 phần 2", "2 và 1 phần 2"]);
});

test("the unit is said behind the number", () => {
  expect([en.said("5", "cm"), en.said("5", "")]).toEqual(["You wrote 5 cm.", "You wrote 5."]);
});
