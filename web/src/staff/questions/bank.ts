// The questions of a grade as reviewers get them: with keys, reviews, figures and the log of edits.

import type { Question, QuestionReview, QuestionsWithReviews } from "../../api/schema";
import { shortId } from "../short_id";
import { plainText } from "./plain";

export type { Question as BankQuestion, QuestionReview as Review, ReviewStatus as ReviewState, QuestionsWithReviews as Bank } from "../../api/schema";
export type { ItemFigures as Figures, MeasuredDifficulty as Measured, Change as FieldChange, Edit as QuestionEdit } from "../../api/schema";

/** A question with its review, as somebody has it before their eyes. */
export interface Seen {
  question: Question;
  review: QuestionReview;
}

/** The fields that an edit can change, as the log names them. */
export const QUESTION_FIELDS = [
  "Question",
  "Option A",
  "Option B",
  "Option C",
  "Option D",
  "Answer",
  "Tolerance",
  "Unit",
  "Forms",
  "Language",
  "Explanation",
  "Image",
  "Image description",
  "Topic",
  "Subtopic",
  "Difficulty",
  "Source",
  "Fixed options",
] as const;
export type QuestionField = (typeof QUESTION_FIELDS)[number];
/** An import can change more than an edit. */
export type LoggedField = QuestionField | "Grade" | "Type";

export const UNREVIEWED: QuestionReview = { status: "pending" };

/** The question and its review; undefined if the bank has no such question. */
export function seenIn({ questions, reviews }: QuestionsWithReviews, id: string): Seen | undefined {
  const question = questions.find((one) => one.id === id);
  return question === undefined ? undefined : { question, review: reviews[id] ?? UNREVIEWED };
}

/** The first words of a question for one line. */
export function excerpt({ question }: Question): string {
  return plainText(question).replace(/\s+/g, " ").trim().slice(0, EXCERPT_MAX);
}

/** What messages call a question. */
export function firstWords({ id, question }: Pick<Question, "id" | "question">): string {
  const words = [...plainText(question).replace(/\s+/g, " ").trim()];
  if (words.length <= WORDS_MAX) return words.length === 0 ? shortId(id) : `“${words.join("")}”`;
  const cut = words.slice(0, WORDS_MAX + 1).lastIndexOf(" ");
  return `“${words.slice(0, cut > 0 ? cut : WORDS_MAX).join("")}…”`;
}

/** What a message has room for. */
const WORDS_MAX = 48;
/** More than a line of a list shows. */
const EXCERPT_MAX = 160;
