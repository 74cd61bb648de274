import { expect, test } from "vitest";
import type { QuestionEdit } from "./bank";
import { isFirst, versionAfter } from "./versions";
import { bankQuestion } from "./testing/bank";

const edit = (changes: [string, string, string][]): QuestionEdit => ({
  id: String(changes.length),
  questionId: "g5-001",
  grade: 5,
  editedBy: "rita@exam.test",
  editedByName: "Rita",
  editedAt: "2026-11-23T10:00:00Z",
  comment: "",
  changes: changes.map(([field, before, after]) => ({ field, before, after })),
});

const present = bankQuestion({ question: "Third?", options: ["1", "2", "3"], answer: "C", difficulty: 4, fixedOptions: true });
const edits = [
  edit([["Question", "Second?", "Third?"], ["Option D", "4", ""], ["Answer", "D", "C"]]),
  edit([["Question", "First?", "Second?"], ["Difficulty", "2", "4"], ["Fixed options", "no", "yes"], ["Grade", "4", "5"]]),
];

test("an earlier version is the question with later edits taken back", () => {
  expect(versionAfter(present, edits, 0)).toMatchObject({ question: "Third?", options: ["1", "2", "3"], answer: "C", difficulty: 4 });
  expect(versionAfter(present, edits, 1)).toMatchObject({ question: "Second?", options: ["1", "2", "3", "4"], answer: "D", difficulty: 4, fixedOptions: true });
  expect(versionAfter(present, edits, 2)).toMatchObject({ question: "First?", options: ["1", "2", "3", "4"], difficulty: 2, fixedOptions: false, grade: 5 });
});

test("before a question was written there was none", () => {
  expect(edits.map(isFirst)).toEqual([false, false]);
  expect(isFirst(edit([["Question", "", "First?"]]))).toBe(true);
});
