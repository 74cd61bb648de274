// The questions of a grade as reviewers get them: with keys, reviews, figures and the log of edits.

import type { Choice } from "../../exam/protocol";
import { plainText } from "./plain";

export type ReviewState = "pending" | "approved" | "flagged";

export interface BankQuestion {
  id: string;
  grade: number;
  topic: string;
  subtopic: string;
  difficulty: number;
  source: string;
  question: string;
  options: string[];
  answer: Choice;
  explanation: string;
  image: string;
  /** What the picture shows, in words; absent or empty if nobody has said it. */
  imageDescription?: string;
}

/** For a question that nobody has reviewed, only the state. */
export interface Review {
  status: ReviewState;
  reviewedBy?: string;
  reviewedByName?: string;
  reviewedAt?: string;
  note?: string;
}

export interface Bank {
  questions: BankQuestion[];
  /** By question. */
  reviews: Record<string, Review>;
}

/** A question with its review, as somebody has it before their eyes. */
export interface Seen {
  question: BankQuestion;
  review: Review;
}

export interface Figures {
  questionId: string;
  /** Tests that had it. */
  attempts: number;
  /** The share of right answers. */
  pValue: number;
  /** From -1 to 1; null when it is not defined. */
  discrimination: number | null;
  /** Whole seconds; null when no time is known. */
  medianTime: number | null;
  /** The share of each option, and of no answer. */
  options: Partial<Record<Choice | "none", number>>;
  /** Tests by the right option that each was graded with: the other figures are by the key of each. */
  gradedBy?: Partial<Record<Choice, number>>;
}

/** The fields that an edit can change, as the log names them. */
export const QUESTION_FIELDS = ["Question", "Option A", "Option B", "Option C", "Option D", "Answer", "Explanation", "Image", "Image description"] as const;
export type QuestionField = (typeof QUESTION_FIELDS)[number];
/** An import can change more than an edit. */
export type LoggedField = QuestionField | "Topic" | "Subtopic" | "Difficulty" | "Grade";

export interface FieldChange {
  field: LoggedField;
  before: string;
  after: string;
}

export interface QuestionEdit {
  id: string;
  questionId: string;
  editedByName: string;
  editedBy: string;
  editedAt: string;
  changes: FieldChange[];
  comment: string;
}

export const UNREVIEWED: Review = { status: "pending" };

/** The question and its review; undefined if the bank has no such question. */
export function seenIn({ questions, reviews }: Bank, id: string): Seen | undefined {
  const question = questions.find((one) => one.id === id);
  return question === undefined ? undefined : { question, review: reviews[id] ?? UNREVIEWED };
}

/** The first words of a question for one line. */
export function excerpt({ question }: BankQuestion): string {
  return plainText(question).replace(/\s+/g, " ").trim().slice(0, EXCERPT_MAX);
}

/** More than a line of a list shows. */
const EXCERPT_MAX = 160;
