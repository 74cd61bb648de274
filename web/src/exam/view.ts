// What a page shows of an exam: one value, made anew after each change.

import type { Answers } from "./answers";
import type { AttemptRecord } from "./ports";
import type { Ending, Mode } from "./protocol";

/** What is true of the student's work: with the server, on its way, kept here while there is no network or no store. */
export type Saving = "saved" | "saving" | "offline" | "waiting";

/** `ended` was submitted before this page was opened; `submitted` while it was. */
export type Phase = "running" | "superseded" | "refused" | "ended" | "submitted";

/** What someone else has done that the student is told in words. */
export interface Notice {
  id: number;
  kind: "notice" | "extended" | "refused";
  /** A proctor's words. */
  text: string;
  /** Minutes that were added. */
  minutes: number;
}

export interface View {
  phase: Phase;
  sessionId: string;
  grade: number;
  mode: Mode;
  stage: number;
  stages: number;
  durationMinutes: number;
  questionIds: string[];
  answers: Answers;
  current: number;
  isPaused: boolean;
  isTimeUp: boolean;
  /** What the student has asked for and the server has not answered yet. */
  ending: Ending | null;
  /** Whether it can still be taken back. */
  canGoBack: boolean;
  saving: Saving;
  /** Whether the browser keeps what is unsaved, so that it outlives this page. */
  isKeptHere: boolean;
  notices: Notice[];
  /** Answers and drawings that the server does not have though the test is over. */
  lost: number;
}

/** Of a test that has been started, what its record says. */
export function termsOf(record: AttemptRecord): Pick<View, "grade" | "mode" | "stage" | "stages" | "durationMinutes" | "questionIds" | "current"> {
  const { grade = 0, mode = "standard", stage = 1, stages = 1, durationMinutes = 0, questionIds = [], current = 0 } = record;
  return { grade, mode, stage, stages, durationMinutes, questionIds, current };
}

/** The notices with one more, under a number of its own. */
export function withNotice(notices: Notice[], kind: Notice["kind"], text: string, minutes: number): Notice[] {
  return [...notices, { id: (notices.at(-1)?.id ?? 0) + 1, kind, text, minutes }];
}
