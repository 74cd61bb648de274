import { expect, test } from "vitest";
import { shortId } from "../short_id";
import { firstWords } from "./bank";
import { bankQuestion } from "./testing/bank";

const ID = "0ced2f6f-c09d-868a-bb04-78d36edffbd2";

test("an id that was made is cut, and one of a few signs stands whole", () => {
  expect([shortId(ID), shortId("g6-053"), shortId("chapter-4-17")]).toEqual(["0ced2f6f…", "g6-053", "chapter-4-17"]);
});

test("messages name a question by its first words, and one without words by its id", () => {
  expect(firstWords(bankQuestion({ question: "What is $1.25 \\cdot 0.5$?" }))).toBe("“What is 1.25 · 0.5?”");
  expect(firstWords(bankQuestion({ question: "A rope of twelve metres is cut into pieces of one and a half metres." }))).toBe("“A rope of twelve metres is cut into pieces of…”");
  expect(firstWords(bankQuestion({ question: "一".repeat(60) }))).toBe(`“${"一".repeat(48)}…”`);
  expect(firstWords(bankQuestion({ id: ID, question: " " }))).toBe("0ced2f6f…");
});
