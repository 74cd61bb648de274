// The list of questions: what a row has, which rows the filters leave, in what order, and where a decision leads next.

import { distinctTopics, topicKey } from "../../texts/topics/names";
import { compareTexts } from "../order";
import { folded, wordsOf } from "../search";
import { excerpt, UNREVIEWED, type Bank, type BankQuestion, type Figures, type Review, type ReviewState } from "./bank";
import { doubtsOf, type Doubt } from "./doubts";
import type { MarkKind, MarkSheet } from "./marks/marks";
import { isMislabelled } from "./measured";
import { typeOf, type QuestionType } from "./number_draft";

export interface QuestionRow {
  id: string;
  question: BankQuestion;
  review: Review;
  figures: Figures | undefined;
  doubts: Doubt[];
  isMislabelled: boolean;
  /** As what it is marked; missing while that is not known. */
  mark?: MarkKind;
  excerpt: string;
}

export const ORDERS = ["id", "topic", "hardest", "flattest", "latest"] as const;
export type QuestionOrder = (typeof ORDERS)[number];

export interface QuestionFilters {
  state: ReviewState | "";
  topic: string;
  type: QuestionType | "";
  search: string;
  /** The address of the reviewer whose reviews alone are shown; empty for all. */
  reviewer: string;
  areDoubted: boolean;
  areMislabelled: boolean;
  mark: MarkKind | "";
}

export function rowsOf({ questions, reviews }: Bank, figures: ReadonlyMap<string, Figures>, marks?: MarkSheet): QuestionRow[] {
  return questions.map((question) => {
    const of = figures.get(question.id);
    return {
      id: question.id,
      question,
      review: reviews[question.id] ?? UNREVIEWED,
      figures: of,
      doubts: doubtsOf(of, question.answer),
      isMislabelled: isMislabelled(question.difficulty, of?.measured),
      ...(marks === undefined ? {} : { mark: marks.kindOf(question.id) }),
      excerpt: excerpt(question),
    };
  });
}

/** What has been folded once: a letter that is typed must not fold ten thousand questions again. */
const known = new WeakMap<BankQuestion, string>();

/** All that the search looks at. */
function searched(question: BankQuestion): string {
  const { id, topic, subtopic, source, options } = question;
  const text = known.get(question) ?? folded([id, topic, subtopic, question.question, ...options, source].join(" "));
  known.set(question, text);
  return text;
}

export function filteredQuestions(rows: QuestionRow[], { state, topic, type, search, reviewer, areDoubted, areMislabelled, mark }: QuestionFilters): QuestionRow[] {
  const words = wordsOf(search);
  return rows.filter(
    (row) =>
      (state === "" || row.review.status === state) &&
      (topic === "" || isSameTopic(row.question.topic, topic)) &&
      (type === "" || typeOf(row.question) === type) &&
      (reviewer === "" || row.review.reviewedBy === reviewer) &&
      (!areDoubted || row.doubts.length > 0) &&
      (!areMislabelled || row.isMislabelled) &&
      (mark === "" || row.mark === mark) &&
      words.every((word) => searched(row.question).includes(word)),
  );
}

/** The rows in this order. Those without the figure come last, and equals stay in the order of the server. */
export function ordered(rows: QuestionRow[], order: QuestionOrder): QuestionRow[] {
  const last = (value: number | null | undefined) => value ?? Infinity;
  const compare: Record<QuestionOrder, ((one: QuestionRow, other: QuestionRow) => number) | undefined> = {
    id: undefined,
    topic: (one, other) => compareTexts(one.question.topic, other.question.topic) || compareTexts(one.question.subtopic, other.question.subtopic),
    hardest: (one, other) => compareNumbers(last(one.figures?.pValue), last(other.figures?.pValue)),
    flattest: (one, other) => compareNumbers(last(one.figures?.discrimination), last(other.figures?.discrimination)),
    latest: (one, other) => (other.review.reviewedAt ?? "").localeCompare(one.review.reviewedAt ?? ""),
  };
  return compare[order] === undefined ? rows : [...rows].sort(compare[order]);
}

/** Two infinite numbers have no difference. */
function compareNumbers(one: number, other: number): number {
  return one === other ? 0 : one - other;
}

export function stateCounts(rows: QuestionRow[]): Record<ReviewState, number> {
  const count = (state: ReviewState) => rows.filter(({ review }) => review.status === state).length;
  return { pending: count("pending"), approved: count("approved"), flagged: count("flagged") };
}

/** Each topic once, in the order of the alphabet, however it is typed in its questions and in whatever language. */
export function topicsOf(rows: QuestionRow[]): string[] {
  return distinctTopics(new Set(rows.map(({ question }) => question.topic))).sort(compareTexts);
}

function isSameTopic(one: string, other: string): boolean {
  return one === other || topicKey(one) === topicKey(other);
}

/** Where a decision on this question leads: to the next one that is pending, round the end of the list, or else to its neighbour. */
export function nextAfter(rows: QuestionRow[], id: string): string | undefined {
  const index = rows.findIndex((row) => row.id === id);
  const others = [...rows.slice(index + 1), ...rows.slice(0, Math.max(0, index))];
  return (others.find(({ review }) => review.status === "pending") ?? rows[index + 1])?.id;
}

/** The question so many places further down the list; that at its end if there are no more. */
export function neighbour(rows: QuestionRow[], id: string, step: 1 | -1): string | undefined {
  const index = rows.findIndex((row) => row.id === id);
  if (index < 0) return rows[0]?.id;
  return rows[Math.min(rows.length - 1, Math.max(0, index + step))]?.id;
}
