import { expect, test } from "vitest";
import { languageOf } from "./written";

test("an English question on a Vietnamese page is English, and the other way round", () => {
  expect(languageOf(["What is 3 + 4?", "7", "8"], "vi")).toBe("en");
  expect(languageOf(["Số nào lớn nhất?", "Ba", "Hai"], "en")).toBe("vi");
});

test("in the page's own language nothing is said of it", () => {
  expect(languageOf(["What is 3 + 4?"], "en")).toBeUndefined();
  expect(languageOf(["Số nào lớn nhất?", "Ba"], "vi")).toBeUndefined();
});

test("letters with marks apart are the same letters", () => {
  expect(languageOf(["Số nào lớn nhất?".normalize("NFD")], "en")).toBe("vi");
});

test("formulas, numbers, points and units are in no language, and others can't be told", () => {
  for (const text of ["", "1/2", "$\\frac{1}{2} \\text{of}$", "AB = 3 cm", "Où est le château ?", "三角形"]) expect(languageOf([text], "vi"), text).toBeUndefined();
});
