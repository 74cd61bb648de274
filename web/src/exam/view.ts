// The view of an exam that a page shows: one value, built again after each change.

import type { Answers } from "./answers";
import type { AttemptRecord } from "./ports";
import type { Ending, EndReason, Mode, OptionOrders, Selected } from "./protocol";
import { calculatorIn, type AllowedCalculator } from "./question";

/** Where the student's work is: saved by the server, on its way, or waiting for the network or for the server's database. */
export type Saving = "saved" | "saving" | "offline" | "waiting";

/** `submitted` is a test that ended while this page showed it; `ended` one that had ended before. */
export type Phase = "running" | "superseded" | "refused" | "ended" | "submitted";

/** A message that stays until the student dismisses it. */
export interface Notice {
  id: number;
  kind: "notice" | "more" | "less" | "refused" | "elsewhere";
  /** The text of a proctor's message. */
  text: string;
  /** How much more time there is, or less. */
  seconds: number;
  /** What the student has done later on another device, for the kind `elsewhere`. */
  elsewhere?: Elsewhere;
}

/** What another device has done later to the question with this number: an answer by the letter that the student sees, null for one that was cleared; missing for a drawing. */
export interface Elsewhere {
  question: number;
  selected?: Selected | null;
}

export interface ExamView {
  phase: Phase;
  sessionId: string;
  grade: number;
  mode: Mode;
  stage: number;
  stages: number;
  durationMinutes: number;
  /** The calculator that the student may use. */
  calculator: AllowedCalculator;
  questionIds: string[];
  optionOrder: OptionOrders;
  /** The letter of the student's form; empty if the test has one form only. */
  form: string;
  answers: Answers;
  current: number;
  isPaused: boolean;
  /** A proctor's word for the pause; empty if there is none. */
  pauseText: string;
  isTimeUp: boolean;
  /** The ending that the student has asked for and the server has not answered yet. */
  ending: Ending | null;
  /** Whether that ending can still be withdrawn. */
  canGoBack: boolean;
  saving: Saving;
  /** Whether the browser stores what is unsaved, so that it outlives this page. */
  isKeptHere: boolean;
  notices: Notice[];
  /** The number of answers and drawings that the server did not get before the test ended. */
  lost: number;
  /** How many came after the end, and are kept for staff to decide about. */
  late: number;
  /** Who or what has ended the test; null while it runs, and if nobody has told the page. */
  endedBy: EndReason | null;
  /** When the server said that the test is stored, in milliseconds of its own clock; null if this page was not there. */
  storedAt: number | null;
  /** How many questions have an answer, as the server has stored it at the end; null before that, and if it is not certain. */
  answered: number | null;
}

/** The part of the view that comes from the record of a started test. */
export function termsOf(record: AttemptRecord): Pick<ExamView, "grade" | "mode" | "stage" | "stages" | "durationMinutes" | "calculator" | "questionIds" | "optionOrder" | "form" | "current"> {
  const { grade = 0, mode = "standard", stage = 1, stages = 1, durationMinutes = 0, questionIds = [], optionOrder = {}, form = "", current = 0 } = record;
  return { grade, mode, stage, stages, durationMinutes, calculator: calculatorIn(record.calculator), questionIds, optionOrder, form, current };
}

/** The notices with one more, which gets its own id. */
export function withNotice(notices: Notice[], kind: Notice["kind"], text: string, seconds: number, elsewhere?: Elsewhere): Notice[] {
  return [...notices, { id: (notices.at(-1)?.id ?? 0) + 1, kind, text, seconds, ...(elsewhere === undefined ? {} : { elsewhere }) }];
}
