// A student's answers, marks and visits, as this page has them. Separate from the work around it because these are
// plain values: each change makes new ones, so that the view can tell what changed.

import { CHOICES, type Change, type Choice, type Selected, type StoredAnswer, type StoredDrawing } from "./protocol";

export interface QuestionState {
  selected: Selected | null;
  marked: boolean;
  /** The options that are crossed out, in the order of their letters. */
  eliminated: Choice[];
  visited: boolean;
  /** Whole seconds that the student has looked at it. */
  seconds: number;
  drawing: StoredDrawing | null;
}

export type Answers = Record<string, QuestionState>;

const UNTOUCHED: QuestionState = { selected: null, marked: false, eliminated: [], visited: false, seconds: 0, drawing: null };

/** The state of a question. One that is not in the answers is untouched. */
export function stateOf(answers: Answers, questionId: string): QuestionState {
  return answers[questionId] ?? UNTOUCHED;
}

/** The answers after one more change. */
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
    case "eliminate":
      return { eliminated: change.eliminated };
  }
}

/** These crossed-out options with one more, or without it. */
export function withCross(eliminated: readonly Choice[], choice: Choice, isOut: boolean): Choice[] {
  return CHOICES.filter((one) => (one === choice ? isOut : eliminated.includes(one)));
}

/** The server's answers with the student's unsaved changes on top. */
export function restored(stored: StoredAnswer[], drawings: Record<string, StoredDrawing>, unsaved: Change[]): Answers {
  let answers: Answers = {};
  for (const { questionId, selected, marked, eliminated = [], visited, timeTaken } of stored) {
    answers[questionId] = { ...UNTOUCHED, selected, marked, eliminated, visited, seconds: timeTaken ?? 0 };
  }
  for (const [questionId, drawing] of Object.entries(drawings)) {
    answers[questionId] = { ...stateOf(answers, questionId), drawing };
  }
  for (const change of unsaved) answers = withChange(answers, change);
  return answers;
}

/** The answers as a browser stores them, in one piece. Drawings are larger, and stored one by one. */
export type RecordedAnswers = Record<string, Omit<QuestionState, "drawing">>;

export function toRecord(answers: Answers): RecordedAnswers {
  return Object.fromEntries(Object.entries(answers).map(([id, { drawing: _, ...state }]) => [id, state]));
}

/** The stored answers with the unsaved changes on top. A record may be older than a part of the state. */
export function ofRecord(recorded: RecordedAnswers, drawings: Record<string, StoredDrawing>, unsaved: Change[]): Answers {
  let answers: Answers = Object.fromEntries(Object.entries(recorded).map(([id, state]) => [id, { ...UNTOUCHED, ...state, drawing: drawings[id] ?? null }]));
  for (const change of unsaved) answers = withChange(answers, change);
  return answers;
}

export interface Count {
  answered: number;
  marked: number;
  unanswered: number;
}

/** Counts the answered, marked and unanswered ones among these questions. */
export function count(answers: Answers, questionIds: string[]): Count {
  const states = questionIds.map((id) => stateOf(answers, id));
  const answered = states.filter((state) => state.selected !== null).length;
  return { answered, marked: states.filter((state) => state.marked).length, unanswered: states.length - answered };
}

/** Whether a student may open the question at this index, where questions come in order: one they have visited, or the one after it. */
export function isInReach(answers: Answers, questionIds: string[], index: number): boolean {
  const id = questionIds[index];
  if (id === undefined) return false;
  const before = questionIds[index - 1];
  return stateOf(answers, id).visited || before === undefined || stateOf(answers, before).visited;
}
