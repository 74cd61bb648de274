import { expect, test } from "vitest";
import { stockOf } from "./stock";
import { bankQuestion } from "./testing/bank";

const questions = [
  bankQuestion({ topic: "Sums", subtopic: "Carrying", source: "Book" }),
  bankQuestion({ topic: "Fractions", subtopic: "Halves", source: "" }),
  bankQuestion({ topic: "Sums ", subtopic: "", source: "book" }),
];

test("each topic and source is proposed once, and the subtopics are those of the topic", () => {
  expect(stockOf(questions, "")).toEqual({ topics: ["Fractions", "Sums"], subtopics: ["Carrying", "Halves"], sources: ["book", "Book"] });
  expect(stockOf(questions, " Sums").subtopics).toEqual(["Carrying"]);
  expect(stockOf(questions, "Circles").subtopics).toEqual([]);
});
