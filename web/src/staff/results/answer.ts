// What the server says about results, as it says it: of a sitting, of a template or of a grade.

import type { Choice } from "../../exam/protocol";
import type { SittingState } from "../agenda";

/** Of an id that stands for a name. */
const NAMELESS_LETTERS = 8;

export type SourceKind = "sitting" | "template" | "grade";
/** Those of candidates; results of templates and grades have handed-in tests alone. */
export type ResultState = "expected" | "waiting" | "ready" | "active" | "paused" | "submitted" | "absent";

/** Index into the questions, the chosen option, and 1 if it was right. */
export type AnswerCell = [question: number, chosen: Choice | null, isRight: 0 | 1];

export interface ResultQuestion {
  id: string;
  /** The place on the paper; of a grade, where papers differ, only that in this list. */
  number: number;
  /** 1 or 2; null where papers differ, and for a question that the template no longer has. */
  stage: 1 | 2 | null;
  /** Like the texts that follow, as the newest test asked it; empty if nothing of it is known. */
  topic: string;
  difficulty: number | null;
  question: string;
  options: Partial<Record<Choice, string>>;
  /** The address of a picture; empty if there is none. */
  image: string;
  /** What the picture shows, in words. */
  imageDescription?: string;
  /** By the newest test. */
  correct: Choice | null;
  /** Tests by the right option that each was graded with: what is right is by the key of each. */
  gradedBy?: Partial<Record<Choice, number>>;
  /** Whether the texts are those of today, since those of the tests were not kept. */
  changed?: boolean;
  /** Whether the bank has other texts now, or the question no longer. */
  edited?: boolean;
  asked: number;
  answered: number;
  right: number;
  chosen: Partial<Record<Choice, number>>;
  /** Whole seconds. */
  medianTime: number | null;
}

/** Why there is a version of a session. */
export type VersionReason = "submitted" | "late_work" | "reopened" | "key_corrected" | "reverted";

/** One of the results that a test has had. */
export interface ResultVersion {
  version: number;
  at: string;
  reason: VersionReason;
  by: string | null;
  comment: string | null;
  score: number;
  correctAnswers: number;
}

export interface ResultRow {
  sessionId: string | null;
  student: string;
  account: string | null;
  candidateId: string | null;
  room: string | null;
  seat: string | null;
  state: ResultState;
  /** 200 to 800. */
  score: number | null;
  right: number | null;
  questions: number | null;
  /** Whole seconds. */
  time: number | null;
  submittedAt: string | null;
  report: string | null;
  hasDrawings: boolean;
  /** Which of the results that the test has had, from 1. */
  version: number | null;
  /** In the order of the paper. */
  answers: AnswerCell[];
}

export interface Results {
  /** A grade has no name. */
  of: { kind: SourceKind; id: string; name: string; grades: number[] };
  questions: ResultQuestion[];
  /** Empty for those who see items and no people. */
  rows: ResultRow[];
  /** There are more rows than the server gives at once; these are the newest. */
  truncated?: boolean;
}

export interface Sources {
  sittings: { id: string; name: string; startsAt: string; state: SittingState; submitted: number }[];
  templates: { id: string; name: string; grades: number[]; submitted: number }[];
  grades: { grade: number; submitted: number }[];
}

/** What identifies the row, also one of a candidate without a test. */
export function keyOf(row: ResultRow): string {
  return row.sessionId ?? row.candidateId ?? `${row.student} ${row.account ?? ""}`;
}

/** A test for practice may have been begun without a name, and then has at least the beginning of its id. */
export function studentName({ student, account, sessionId }: ResultRow): string {
  return student !== "" ? student : (account ?? sessionId?.slice(0, NAMELESS_LETTERS) ?? "");
}

/** Whether somebody may still hand in what is not among these results. */
export function isUnderWay(results: Results): boolean {
  return results.rows.some(({ state }) => state === "waiting" || state === "ready" || state === "active" || state === "paused");
}
