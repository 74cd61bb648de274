import { expect, test } from "vitest";
import { proposalsOf } from "./proposals";
import { bankQuestion } from "./testing/bank";

const questions = [
  bankQuestion({ topic: "Sums", subtopic: "Carrying", source: "Book" }),
  bankQuestion({ topic: "Fractions", subtopic: "Halves", source: "" }),
  bankQuestion({ topic: "Sums ", subtopic: "", source: "book" }),
];

test("each topic and source is proposed once, and the subtopics are those of the topic", () => {
  expect(proposalsOf(questions, "")).toEqual({ topics: ["Fractions", "Sums"], subtopics: ["Carrying", "Halves"], sources: ["book", "Book"] });
  expect(proposalsOf(questions, " Sums").subtopics).toEqual(["Carrying"]);
  expect(proposalsOf(questions, "sums").subtopics).toEqual(["Carrying"]);
  expect(proposalsOf(questions, "Phân số").subtopics).toEqual(["Halves"]);
  expect(proposalsOf(questions, "Circles").subtopics).toEqual([]);
});
