import { expect, test } from "vitest";
import type { QuestionEdit } from "./bank";
import { isFirst } from "../first_edit";
import { versionAfter } from "./versions";
import { bankQuestion, numberQuestion } from "./testing/bank";

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

test("an earlier number has its key, and an earlier type is told", () => {
  const number = numberQuestion({ answer: "0.8", tolerance: "0.1", unit: "m", forms: ["decimal"], language: "vi" });
  const changes: [string, string, string][] = [
    ["Answer", "0.75", "0.8"],
    ["Tolerance", "0", "0.1"],
    ["Unit", "", "m"],
    ["Forms", "decimal, fraction", "decimal"],
    ["Language", "en", "vi"],
  ];
  expect(versionAfter(number, [edit(changes)], 0).number).toEqual({ answer: "0.8", tolerance: "0.1", unit: "m", forms: ["decimal"], language: "vi" });
  expect(versionAfter(number, [edit(changes)], 1)).toMatchObject({
    type: "number",
    options: [],
    answer: undefined,
    number: { answer: "0.75", tolerance: "0", unit: "", forms: ["decimal", "fraction"], language: "en" },
  });
  const imported = edit([["Type", "multiple-choice", "number"], ["Option A", "1", ""], ["Option B", "2", ""], ["Answer", "B", "0.8"]]);
  expect(versionAfter(number, [imported], 1)).toMatchObject({ type: "multiple-choice", options: ["1", "2"], answer: "B", number: { answer: "0.8" } });
  const back = edit([["Type", "number", "multiple-choice"], ["Option A", "", "1"], ["Option B", "", "2"], ["Answer", "0.8", "B"]]);
  expect(versionAfter(bankQuestion({ options: ["1", "2"] }), [back], 1)).toMatchObject({ type: "number", options: [], number: { answer: "0.8" } });
});
