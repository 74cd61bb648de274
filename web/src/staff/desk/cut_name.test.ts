import { expect, test } from "vitest";
import { cutName } from "./cut_name";

test("the end of a name stays, by whole words", () => {
  expect(cutName("Nguyễn Thị Minh Khai")).toEqual({ start: "Nguyễn Thị", end: " Minh Khai" });
  expect(cutName("Nguyễn Thị Phương Thảo")).toEqual({ start: "Nguyễn Thị Phương", end: " Thảo" });
  expect(cutName("Ada")).toEqual({ start: "Ada", end: "" });
  expect(cutName("Ada Wolfeschlegelsteinhausen")).toEqual({ start: "Ada", end: " Wolfeschlegelsteinhausen" });
  expect(cutName("n-241@school.example")).toEqual({ start: "n-241@school.example", end: "" });
  for (const name of ["Lê An", "  ", "", "A  B"]) expect(cutName(name).start + cutName(name).end, "nothing is lost").toBe(name);
});
