import { expect, test } from "vitest";
import { byClass, classGrades, filteredClasses, firstGrade, type SchoolClass } from "./classes";

function class_(name: string, grade: number): SchoolClass {
  return { id: name, name, grade, people: 30, createdAt: "2027-05-01T02:00:00.000Z", updatedAt: "2027-05-01T02:00:00.000Z", createdBy: "head@school.example" };
}

const ALL = [class_("10A", 10), class_("5B", 5), class_("9A", 9), class_("5 Đặc biệt", 5), class_("5A2", 5), class_("5A10", 5)];

test("classes stand by grade and name, with numbers in their order", () => {
  expect([...ALL].sort(byClass).map(({ name }) => name)).toEqual(["5 Đặc biệt", "5A2", "5A10", "5B", "9A", "10A"]);
  expect(classGrades(ALL)).toEqual([5, 9, 10]);
});

test("a class is found by a part of its name, without accents, and by its grade", () => {
  const names = (text: string, grade = "") => filteredClasses(ALL, { text, grade }).map(({ name }) => name);
  expect([names("dac"), names("A", "9"), names("a1 5"), names("", "1")]).toEqual([["5 Đặc biệt"], ["9A"], ["5A10"], []]);
  expect(names("").length).toBe(ALL.length);
});

test("whoever chooses sees the classes of the exam's grade first", () => {
  expect([firstGrade(ALL, [5]), firstGrade(ALL, [5, 9]), firstGrade(ALL, [1]), firstGrade(ALL, [1, 10])]).toEqual(["5", "", "", "10"]);
});
