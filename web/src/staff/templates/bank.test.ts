import { expect, test } from "vitest";
import { bankSources, bankTopics, entriesOf, hasNumbers, pickable, type PickFilters } from "./bank";
import { templateQuestion } from "./testing/templates";

const BANK = entriesOf({
  questions: [
    templateQuestion("a", { topic: "Phân số", source: "Sách giáo khoa" }),
    templateQuestion("b", { topic: "Decimals", difficulty: 4 }),
    templateQuestion("c", { topic: "Decimals", source: "Exam 2025", question: "How many are left?" }),
    templateQuestion("d", { topic: "" }),
  ],
  reviews: { a: { status: "approved" }, c: { status: "flagged" } },
});

const found = (filters: Partial<PickFilters>) =>
  pickable(BANK, { search: "", topic: "", difficulty: "", source: "", isApprovedOnly: false, types: "all", ...filters }).map(({ question }) => question.id);

test("a question without a review is pending", () => {
  expect(BANK.map(({ status }) => status)).toEqual(["approved", "pending", "flagged", "pending"]);
});

test("filters narrow the bank together", () => {
  expect(found({})).toEqual(["a", "b", "c", "d"]);
  expect(found({ topic: "Decimals" })).toEqual(["b", "c"]);
  expect(found({ topic: "Decimals", difficulty: "4" })).toEqual(["b"]);
  expect(found({ source: "Exam 2025" })).toEqual(["c"]);
  expect(found({ isApprovedOnly: true })).toEqual(["a"]);
  expect(found({ search: "phan so" })).toEqual(["a"]);
  expect(found({ search: "LEFT many" })).toEqual(["c"]);
  expect(found({ search: "left", isApprovedOnly: true })).toEqual([]);
});

test("numbers are looked for, and left out", () => {
  const bank = entriesOf({ questions: [templateQuestion("a"), templateQuestion("n", { type: "number", options: [], answer: "3" })], reviews: {} });
  const of = (types: PickFilters["types"]) => pickable(bank, { search: "", topic: "", difficulty: "", source: "", isApprovedOnly: false, types }).map(({ question }) => question.id);
  expect([of("multiple-choice"), of("number"), of("all")]).toEqual([["a"], ["n"], ["a", "n"]]);
  expect([hasNumbers(bank), hasNumbers(BANK)]).toEqual([true, false]);
});

test("topics and sources are named once, and none has no name", () => {
  expect(bankTopics(BANK)).toEqual(["Decimals", "Phân số"]);
  expect(bankSources(BANK)).toEqual(["Exam 2025", "Sách giáo khoa"]);
});
