import { expect, test } from "vitest";
import { foundIn, gradesOf } from "./search";
import { adaptive, standard } from "./testing/templates";

const ALL = [standard({ name: "Kiểm tra giữa kỳ", grades: [5, 6] }), adaptive({ name: "Autumn" })];

test("words are found without accents, and filters narrow", () => {
  const names = (search: object) => foundIn(ALL, { text: "", grade: "", mode: "", ...search }).map(({ name }) => name);
  expect(names({})).toEqual(["Kiểm tra giữa kỳ", "Autumn"]);
  expect(names({ text: "giua kiem" })).toEqual(["Kiểm tra giữa kỳ"]);
  expect(names({ text: "head autumn" })).toEqual(["Autumn"]);
  expect(names({ grade: "6" })).toEqual(["Kiểm tra giữa kỳ"]);
  expect(names({ mode: "adaptive", grade: "5" })).toEqual(["Autumn"]);
  expect(gradesOf(ALL)).toEqual([5, 6]);
});
