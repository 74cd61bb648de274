import { expect, test } from "vitest";
import { found } from "./palette";
import { folded } from "./search";

const find = (names: string[], query: string) => found(names, (name) => name, query);

test("accents, the bar of đ and case do not matter", () => {
  expect(folded("Đề thi Toán, Lớp 5")).toBe("de thi toan, lop 5");
  expect(find(["Đề thi Toán", "Kiểm tra"], "toan de")).toEqual(["Đề thi Toán"]);
});

test("every word must be there, and names that begin with the first come first", () => {
  const names = ["Desk of Final 5a", "Final 5a", "Final 5b", "Retake"];
  expect(find(names, "fin")).toEqual(["Final 5a", "Final 5b", "Desk of Final 5a"]);
  expect(find(names, " 5a  final ")).toEqual(["Desk of Final 5a", "Final 5a"]);
  expect(find(names, "final x")).toEqual([]);
  expect(find(names, " ")).toEqual(names);
});

test("a number of a seat is found before longer ones", () => {
  const names = ["Ada · 112", "Bo · B12 · 3", "Cy · B12 · 12", "12 Angry Students", "Dan · 120"];
  expect(find(names, "12")).toEqual(["12 Angry Students", "Cy · B12 · 12", "Ada · 112", "Bo · B12 · 3", "Dan · 120"]);
});

test("a school with thousands of sittings gets a list that it can look through", () => {
  const names = Array.from({ length: 5_000 }, (_, index) => `Sitting ${index}`);
  expect(find(names, "").length).toBe(40);
  expect(find(names, "sitting 4999")).toEqual(["Sitting 4999"]);
});
