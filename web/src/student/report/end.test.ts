import { expect, test } from "vitest";
import { endFacts, withResult } from "./end";

const VIEW = { phase: "submitted" as const, answered: 2, storedAt: 1_000, stages: 1, questionIds: ["q1", "q2", "q3"] };
const NOTHING = { answered: null, total: null, storedAt: null, endedAt: null };

function session(selected: string[]) {
  const answers = selected.map((one, index) => ({ questionId: `q${index}`, selected: one }));
  const result = { score: 500, correctAnswers: 1, totalQuestions: selected.length, timeTaken: 60, topicBreakdown: [], difficultyBreakdown: [], answers };
  return { completedAt: "2026-01-05T09:00:00.000Z", result };
}

test("the page of the running test knows how many questions were answered, and when it was stored", () => {
  expect(endFacts(VIEW)).toEqual({ answered: 2, total: 3, storedAt: 1_000, endedAt: null });
});

test("of a test in parts it does not know the number of questions", () => {
  expect(endFacts({ ...VIEW, stages: 2 })).toMatchObject({ answered: 2, total: null });
});

test("of a test that had ended before, or without a page of the test, nothing is known", () => {
  for (const view of [undefined, { ...VIEW, phase: "ended" as const }, { ...VIEW, phase: "running" as const }]) expect(endFacts(view)).toEqual(NOTHING);
});

test("the stored result says it of every test", () => {
  expect(withResult(endFacts({ ...VIEW, stages: 2 }), session(["A", "", "C", "D"]))).toEqual({ answered: 3, total: 4, storedAt: 1_000, endedAt: Date.UTC(2026, 0, 5, 9) });
  expect(withResult(endFacts(undefined), session(["", ""]))).toMatchObject({ answered: 0, total: 2, storedAt: null });
  expect(withResult(endFacts(VIEW), undefined)).toEqual(endFacts(VIEW));
});
