// Results for tests, in which only what a test is about has to be said.

import type { AnswerCell, ResultQuestion, ResultRow } from "../answer";

export function resultQuestion(changes: Partial<ResultQuestion> = {}): ResultQuestion {
  return {
    id: "g5-001",
    type: "multiple-choice",
    number: 1,
    stage: 1,
    topic: "Fractions",
    difficulty: 2,
    question: "What is $\\frac{1}{2} + \\frac{1}{4}$?",
    options: { A: "1/6", B: "3/4", C: "2/6", D: "1/8" },
    image: "",
    imageDescription: "",
    correct: "B",
    asked: 28,
    answered: 27,
    right: 20,
    chosen: { A: 1, B: 20, C: 5, D: 1 },
    medianTime: 41,
    discrimination: null,
    changed: false,
    edited: false,
    gradedBy: {},
    correction: null,
    alsoCorrect: [],
    ...changes,
  };
}

/** A question that asks for a number. */
export function numberResult(changes: Partial<ResultQuestion> = {}): ResultQuestion {
  const wrong = [{ text: "2/3", count: 5 }, { text: "0,25", count: 1 }];
  return resultQuestion({ type: "number", unit: "cm", language: "en", options: {}, chosen: {}, correct: "0.75", wrong, ...changes });
}

export function resultRow(student: string, changes: Partial<ResultRow> = {}): ResultRow {
  return {
    sessionId: `session-${student}`,
    student,
    account: null,
    candidateId: null,
    room: null,
    seat: null,
    state: "submitted",
    score: 500,
    right: 10,
    questions: 20,
    time: 600,
    submittedAt: "2026-11-23T10:00:00Z",
    report: `/report/session-${student}`,
    hasDrawings: false,
    version: 1,
    reason: null,
    answers: [],
    ...changes,
  };
}

/** Answers as a word: a letter that was chosen, small if it was wrong, `-` for none and a blank for a question that was not asked. */
export function answers(word: string): AnswerCell[] {
  return [...word].flatMap((letter, index): AnswerCell[] => {
    if (letter === " ") return [];
    return letter === "-" ? [[index, null, 0]] : [[index, letter.toUpperCase(), letter === letter.toUpperCase() ? 1 : 0]];
  });
}
