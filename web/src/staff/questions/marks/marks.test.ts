import "../../testing/page";
import { expect, test } from "vitest";
import { filteredQuestions, rowsOf, type QuestionFilters } from "../rows";
import { bankQuestion } from "../testing/bank";
import { markChanges, marksBefore, MarkSheet, NEW_MARKS } from "./marks";

const sheet = new MarkSheet({ secure: ["s", "both"], practice: ["p", "both"], noPractice: ["n"] });

test("what is kept for exams is never for practice", () => {
  expect(["s", "both", "p", "n", "other"].map((id) => sheet.kindOf(id))).toEqual(["secure", "secure", "practice", "notPractice", "none"]);
  expect(sheet.of("both")).toEqual({ isSecure: true, practice: true });
  expect(sheet.of("other")).toEqual({ isSecure: false, practice: undefined });
  // A server of an earlier version tells only what is kept.
  expect(new MarkSheet({ secure: ["s"] }).kindOf("p")).toBe("none");
});

test("only what is other is sent", () => {
  expect(markChanges(NEW_MARKS, { ...NEW_MARKS })).toBeUndefined();
  expect(markChanges(NEW_MARKS, { isSecure: true, practice: false })).toEqual({ secure: true });
  expect(markChanges({ isSecure: true, practice: undefined }, { isSecure: true, practice: false })).toEqual({ practice: false });
  expect(markChanges({ isSecure: true, practice: true }, { isSecure: false, practice: undefined })).toEqual({ secure: false, practice: null });
});

test("what is taken back is what was other before", () => {
  expect(marksBefore(sheet, ["s", "p", "n", "other"], { secure: true })).toEqual([{ ids: ["p", "n", "other"], marks: { secure: false } }]);
  expect(marksBefore(sheet, ["s", "p", "n"], { practice: true })).toEqual([
    { ids: ["n"], marks: { practice: false } },
    { ids: ["s"], marks: { practice: null } },
  ]);
  expect(marksBefore(sheet, ["p"], { practice: true })).toEqual([]);
});

test("the list is narrowed down by marks", () => {
  const all: QuestionFilters = { state: "", type: "", topic: "", search: "", reviewer: "", areDoubted: false, areMislabelled: false, mark: "" };
  const rows = rowsOf({ questions: ["s", "p", "n", "other"].map((id) => bankQuestion({ id })), reviews: {} }, new Map(), sheet);
  const ids = (mark: QuestionFilters["mark"]) => filteredQuestions(rows, { ...all, mark }).map(({ id }) => id);
  expect([ids(""), ids("secure"), ids("practice"), ids("notPractice"), ids("none")]).toEqual([["s", "p", "n", "other"], ["s"], ["p"], ["n"], ["other"]]);
});
