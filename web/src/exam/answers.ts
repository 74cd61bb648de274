// What a student has done to each question: the page's own picture, which the server's takes the place of after each resume.

import type { Change, Choice, StoredAnswer, StoredDrawing } from "./protocol";

export interface QuestionState {
  selected: Choice | null;
  marked: boolean;
  visited: boolean;
  /** Whole seconds spent on it. */
  seconds: number;
  drawing: StoredDrawing | null;
}

export type Answers = Record<string, QuestionState>;

const UNTOUCHED: QuestionState = { selected: null, marked: false, visited: false, seconds: 0, drawing: null };

/** The state of a question; that of an untouched one when nothing is known. */
export function stateOf(answers: Answers, questionId: string): QuestionState {
  return answers[questionId] ?? UNTOUCHED;
}

/** The answers with one change more. */
export function withChange(answers: Answers, change: Change): Answers {
  return { ...answers, [change.questionId]: { ...stateOf(answers, change.questionId), ...effect(change) } };
}

function effect(change: Change): Partial<QuestionState> {
  switch (change.type) {
    case "answer":
      return { selected: change.selected, seconds: change.timeTaken };
    case "mark":
      return { marked: change.marked };
    case "visit":
      return { visited: true };
    case "drawing":
      return { drawing: change.drawing };
  }
}

/** The answers as the server has them, with the student's own unsaved changes upon them. */
export function restored(stored: StoredAnswer[], drawings: Record<string, StoredDrawing>, unsaved: Change[]): Answers {
  let answers: Answers = {};
  for (const { questionId, selected, marked, visited, timeTaken } of stored) {
    answers[questionId] = { ...UNTOUCHED, selected, marked, visited, seconds: timeTaken ?? 0 };
  }
  for (const [questionId, drawing] of Object.entries(drawings)) {
    answers[questionId] = { ...stateOf(answers, questionId), drawing };
  }
  for (const change of unsaved) answers = withChange(answers, change);
  return answers;
}

/** The answers as a browser keeps them, in one piece; drawings are larger, and kept one by one. */
export type RecordedAnswers = Record<string, Omit<QuestionState, "drawing">>;

export function toRecord(answers: Answers): RecordedAnswers {
  return Object.fromEntries(Object.entries(answers).map(([id, { drawing: _, ...state }]) => [id, state]));
}

/** What was recorded, with the unsaved changes upon it. */
export function ofRecord(recorded: RecordedAnswers, drawings: Record<string, StoredDrawing>, unsaved: Change[]): Answers {
  let answers: Answers = Object.fromEntries(Object.entries(recorded).map(([id, state]) => [id, { ...state, drawing: drawings[id] ?? null }]));
  for (const change of unsaved) answers = withChange(answers, change);
  return answers;
}

export interface Count {
  answered: number;
  marked: number;
  unanswered: number;
}

/** How many of these questions are answered, marked and not answered. */
export function count(answers: Answers, questionIds: string[]): Count {
  const states = questionIds.map((id) => stateOf(answers, id));
  const answered = states.filter((state) => state.selected !== null).length;
  return { answered, marked: states.filter((state) => state.marked).length, unanswered: states.length - answered };
}

/** The first place that may not be opened from the panel: everything that was visited may, and the one that comes next. */
export function canOpen(answers: Answers, questionIds: string[], index: number): boolean {
  const id = questionIds[index];
  if (id === undefined) return false;
  const before = questionIds[index - 1];
  return stateOf(answers, id).visited || before === undefined || stateOf(answers, before).visited;
}
