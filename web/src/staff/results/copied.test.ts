import { expect, test } from "vitest";
import { accountsOf, asTable } from "./copied";
import en from "./texts/en";
import { resultRow } from "./testing/results";

test("rows are lines of cells under their headings, and no name is a formula", () => {
  const [headings = "", ada = "", evil = "", ...more] = asTable([
    resultRow("Ada", { account: "ada@school.example", score: 640, right: 31, room: "A1" }),
    resultRow("=1+1", { account: null, score: null, seat: "two\tcells" }),
  ], en, "en").split("\n");
  expect(more).toEqual([]);
  expect([ada, evil].map((line) => line.split("\t").length)).toEqual(Array(2).fill(headings.split("\t").length));
  expect(ada.split("\t").slice(0, 4)).toEqual(["Ada", "ada@school.example", "640", "31"]);
  expect(evil).toContain("'=1+1");
  expect(evil).toContain("two cells");
  const [, wide = "", quoted = ""] = asTable([resultRow("＝1+1"), resultRow('"Ada" Lovelace')], en, "en").split("\n");
  expect(wide.startsWith("'＝1+1\t")).toBe(true);
  expect(quoted.startsWith('"""Ada"" Lovelace"\t')).toBe(true);
});

test("forms have a column where there are several", () => {
  const cells = (rows: Parameters<typeof asTable>[0]) => asTable(rows, en, "en").split("\n").map((line) => line.split("\t"));
  const [headings = [], ada = [], bo = []] = cells([resultRow("Ada", { form: "B" }), resultRow("Bo")]);
  expect([headings.length, ada[headings.indexOf("Form")], bo[headings.indexOf("Form")]]).toEqual([11, "B", ""]);
  expect(cells([resultRow("Bo")])[0]).not.toContain("Form");
});

test("marks have a column of their own where there are any, with the decimal sign of the page", () => {
  const rows = [resultRow("Ada", { mark: { text: "7.5", passed: true } }), resultRow("Bo", { mark: { text: "4.0", passed: false } }), resultRow("Absent")];
  const cells = (language: "en" | "vi") => asTable(rows, en, language).split("\n").map((line) => line.split("\t").slice(3, 5));
  expect(cells("en")).toEqual([["Mark", "Passed"], ["7.5", "yes"], ["4.0", "no"], ["", ""]]);
  expect(cells("vi")[1]).toEqual(["7,5", "yes"]);
  const [headings = ""] = asTable([resultRow("Ada", { mark: { text: "B" } })], en, "en").split("\n");
  expect(headings).toContain("\tMark\tRight");
});

test("each account is named once, and nobody is named who has none", () => {
  expect(accountsOf([resultRow("a", { account: "a@x.example" }), resultRow("b", { account: null }), resultRow("a", { account: "a@x.example" })])).toEqual(["a@x.example"]);
});
