// The bank as templates draw and choose from it: each question with what reviewers have decided on it.

import type { QuestionsWithReviews, ReviewStatus } from "../../api/schema";
import { asksNumber } from "../../exam/question";
import { compareTexts } from "../order";
import { folded, wordsOf } from "../search";
import type { DrawnTypes, TemplateQuestion } from "./shapes";

export interface BankEntry {
  question: TemplateQuestion;
  status: ReviewStatus;
}

/** What somebody who chooses by hand looks for; an empty text leaves everything. */
export interface PickFilters {
  search: string;
  topic: string;
  difficulty: string;
  source: string;
  isApprovedOnly: boolean;
  types: DrawnTypes;
}

export function entriesOf({ questions, reviews }: QuestionsWithReviews): BankEntry[] {
  return questions.map((question) => ({ question, status: reviews[question.id]?.status ?? "pending" }));
}

/** What has been folded once: a letter that is typed must not fold ten thousand questions again. */
const known = new WeakMap<TemplateQuestion, string>();

function searched(question: TemplateQuestion): string {
  const { id, topic, subtopic, source, options } = question;
  const text = known.get(question) ?? folded([id, topic, subtopic, question.question, ...options, source].join(" "));
  known.set(question, text);
  return text;
}

/** Whether a question is of the types that are drawn or looked for. */
export function isOfTypes(question: TemplateQuestion, types: DrawnTypes): boolean {
  return types === "all" || asksNumber(question) === (types === "number");
}

/** Whether there is anything to choose between. */
export function hasNumbers(entries: BankEntry[]): boolean {
  return entries.some(({ question }) => asksNumber(question));
}

export function pickable(entries: BankEntry[], { search, topic, difficulty, source, isApprovedOnly, types }: PickFilters): BankEntry[] {
  const words = wordsOf(search);
  return entries.filter(
    ({ question, status }) =>
      (topic === "" || question.topic === topic) &&
      (difficulty === "" || question.difficulty === Number(difficulty)) &&
      (source === "" || question.source === source) &&
      (!isApprovedOnly || status === "approved") &&
      isOfTypes(question, types) &&
      words.every((word) => searched(question).includes(word)),
  );
}

/** Each topic once; a question that has none can't be asked for by it. The same holds for sources. */
export function bankTopics(entries: BankEntry[]): string[] {
  return namesOf(entries.map(({ question }) => question.topic));
}

export function bankSources(entries: BankEntry[]): string[] {
  return namesOf(entries.map(({ question }) => question.source));
}

function namesOf(texts: string[]): string[] {
  return [...new Set(texts)].filter((text) => text !== "").sort(compareTexts);
}
