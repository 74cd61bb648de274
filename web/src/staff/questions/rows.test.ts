import { expect, test } from "vitest";
import { stateCounts, filteredQuestions, neighbour, nextAfter, ordered, rowsOf, topicsOf, type QuestionFilters } from "./rows";
import { figures, bankQuestion, bankReview, measured, numberQuestion } from "./testing/bank";

const ALL: QuestionFilters = { state: "", type: "", topic: "", search: "", reviewer: "", areDoubted: false, areMislabelled: false, mark: "" };
const bank = {
  questions: [
    bankQuestion({ id: "q1", topic: "Số học", question: "Tính tổng của 1 và 2" }),
    bankQuestion({ id: "q2", topic: "Fractions" }),
    bankQuestion({ id: "q3", topic: "Fractions", subtopic: "Halves" }),
    bankQuestion({ id: "q4", topic: "Time" }),
  ],
  reviews: {
    q1: { status: "pending" as const },
    q2: bankReview({ reviewedAt: "2026-11-22T10:00:00Z" }),
    q3: bankReview({ status: "flagged", reviewedBy: "max@exam.test" }),
  },
};
const rows = rowsOf(
  bank,
  new Map([
    ["q1", figures({ pValue: 0.9, discrimination: null })],
    ["q2", figures({ pValue: 0.1, measured: measured({ difficulty: 4.5 }) })],
    ["q3", figures({ pValue: 0.5, discrimination: 0 })],
  ]),
);
const ids = (list: typeof rows) => list.map(({ id }) => id);

test("a question that nobody has reviewed is pending", () => {
  expect(rows.map((row) => row.review.status)).toEqual(["pending", "approved", "flagged", "pending"]);
  expect(stateCounts(rows)).toEqual({ pending: 2, approved: 1, flagged: 1 });
});

test("filters leave what fits all of them", () => {
  expect(ids(filteredQuestions(rows, ALL))).toEqual(["q1", "q2", "q3", "q4"]);
  expect(ids(filteredQuestions(rows, { ...ALL, state: "pending" }))).toEqual(["q1", "q4"]);
  expect(ids(filteredQuestions(rows, { ...ALL, topic: "Fractions", state: "flagged" }))).toEqual(["q3"]);
  expect(ids(filteredQuestions(rows, { ...ALL, reviewer: "rita@exam.test" }))).toEqual(["q2"]);
  expect(ids(filteredQuestions(rows, { ...ALL, areDoubted: true }))).toEqual(["q2", "q3"]);
  expect(ids(filteredQuestions(rows, { ...ALL, areMislabelled: true }))).toEqual(["q2"]);
  expect(ids(filteredQuestions(rows, { ...ALL, search: "so hoc TONG" }))).toEqual(["q1"]);
  expect(ids(filteredQuestions(rows, { ...ALL, search: "halves q3" }))).toEqual(["q3"]);
});

test("questions that ask for a number are found, and those that had the name before there were numbers are none", () => {
  const questions = [bankQuestion({ id: "c" }), numberQuestion({ id: "n", unit: "cm" }), bankQuestion({ id: "old", type: "number" })];
  const mixed = rowsOf({ questions, reviews: {} }, new Map());
  expect(ids(filteredQuestions(mixed, { ...ALL, type: "number" }))).toEqual(["n"]);
  expect(ids(filteredQuestions(mixed, { ...ALL, type: "multiple-choice" }))).toEqual(["c", "old"]);
  expect(ids(filteredQuestions(mixed, ALL))).toEqual(["c", "n", "old"]);
});

test("orders put what has no figure last", () => {
  expect(ids(ordered(rows, "hardest"))).toEqual(["q2", "q3", "q1", "q4"]);
  expect(ids(ordered(rows, "flattest"))).toEqual(["q3", "q2", "q1", "q4"]);
  expect(ids(ordered(rows, "topic"))).toEqual(["q3", "q2", "q1", "q4"]);
  expect(ids(ordered(rows, "latest"))).toEqual(["q3", "q2", "q1", "q4"]);
  expect(topicsOf(rows)).toEqual(["Fractions", "Số học", "Time"]);
  const chapters = ["Chapter 10", "Đo lường", "Chapter 2"].map((topic, index) => bankQuestion({ id: `c${index}`, topic }));
  expect(topicsOf(rowsOf({ questions: chapters, reviews: {} }, new Map()))).toEqual(["Chapter 2", "Chapter 10", "Đo lường"]);
});

test("a decision leads to the next pending question, round the end, and else to the neighbour", () => {
  expect(nextAfter(rows, "q1")).toBe("q4");
  expect(nextAfter(rows, "q4")).toBe("q1");
  expect(nextAfter(filteredQuestions(rows, { ...ALL, topic: "Fractions" }), "q2")).toBe("q3");
  expect(nextAfter(filteredQuestions(rows, { ...ALL, topic: "Fractions" }), "q3")).toBeUndefined();
  expect(nextAfter(rows, "elsewhere")).toBe("q1");
});

test("J and K stay within the list", () => {
  expect(neighbour(rows, "q1", 1)).toBe("q2");
  expect(neighbour(rows, "q1", -1)).toBe("q1");
  expect(neighbour(rows, "q4", 1)).toBe("q4");
  expect(neighbour(rows, "elsewhere", 1)).toBe("q1");
  expect(neighbour([], "q1", 1)).toBeUndefined();
});
