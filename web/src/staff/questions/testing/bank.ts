// Questions and figures for tests, in which only what a test is about has to be said.

import type { YearDifficulty } from "../../../api/schema";
import type { BankQuestion, Figures, Measured, Review } from "../bank";

export function bankQuestion(changes: Partial<BankQuestion> = {}): BankQuestion {
  return {
    id: "g5-001",
    grade: 5,
    topic: "Fractions",
    subtopic: "Sums",
    difficulty: 2,
    source: "",
    question: "What is $\\frac{1}{2} + \\frac{1}{4}$?",
    options: ["1/6", "3/4", "2/6", "1/8"],
    answer: "B",
    explanation: "Two quarters and one quarter.",
    image: "",
    imageDescription: "",
    type: "multiple-choice",
    fixedOptions: false,
    ...changes,
  };
}

export function numberQuestion(changes: Partial<BankQuestion> = {}): BankQuestion {
  const key = { answer: "0.75", tolerance: "0", unit: "", forms: ["decimal", "fraction", "mixed"], language: "en" } satisfies Partial<BankQuestion>;
  return bankQuestion({ id: "g5-121", type: "number", options: [], ...key, ...changes });
}

export function bankReview(changes: Partial<Review> = {}): Review {
  return { status: "approved", reviewedBy: "rita@exam.test", reviewedByName: "Rita", reviewedAt: "2026-11-23T10:00:00Z", note: "", ...changes };
}

export function figures(changes: Partial<Figures> = {}): Figures {
  return {
    questionId: "g5-001",
    attempts: 40,
    pValue: 0.6,
    discrimination: 0.35,
    medianTime: 42,
    options: { A: 0.1, B: 0.6, C: 0.2, D: 0.05, none: 0.05 },
    gradedBy: {},
    ...changes,
  };
}

export function measured(changes: Partial<Measured> = {}): Measured {
  return { difficulty: 2, error: 0.3, answers: 120, years: [], ...changes };
}

export function yearDifficulty(changes: Partial<YearDifficulty> = {}): YearDifficulty {
  return { year: 2025, difficulty: 2, error: 0.3, answers: 60, ...changes };
}
