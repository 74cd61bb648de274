// What reviewers have decided on the questions of a paper, since questions are drawn whatever that is.

import { listsOf } from "./lists";
import type { TemplateQuestion, FullTemplate } from "./shapes";

export type Decisions = Record<string, { status: string }>;

export interface ReviewStanding {
  flagged: TemplateQuestion[];
  pending: number;
  approved: number;
  all: number;
}

/** Each question of the paper once. */
export function questionsOfPaper(template: FullTemplate): TemplateQuestion[] {
  const all = listsOf(template).flatMap(({ questions }) => questions);
  return [...new Map(all.map((question) => [question.id, question])).values()];
}

/** With those that only some forms have. */
export function questionsOfForms(template: FullTemplate): TemplateQuestion[] {
  const own = questionsOfPaper(template);
  const known = new Set(own.map(({ id }) => id));
  return [...own, ...(template.formQuestions ?? []).filter(({ id }) => !known.has(id))];
}

/** Those that stay when the paper is drawn anew. */
export function pinnedQuestions(template: FullTemplate): TemplateQuestion[] {
  return questionsOfPaper(template).filter(({ id }) => template.pinned?.includes(id) === true);
}

/** Those that a copy of this kind and for these grades keeps: a new template takes what is pinned into its first list alone. */
export function pinsOfCopy(template: FullTemplate, { mode, grades }: Pick<FullTemplate, "mode" | "grades">): TemplateQuestion[] {
  // Nobody has asked for a first stage of what was pinned in the only list.
  if (template.mode === "standard" && mode === "adaptive") return [];
  const first = listsOf(template)[0]?.questions ?? [];
  return first.filter(({ id, grade }) => grades.includes(grade) && template.pinned?.includes(id) === true);
}

/** A question without a decision is pending. */
export function reviewStanding(questions: TemplateQuestion[], decisions: Decisions): ReviewStanding {
  const statusOf = ({ id }: TemplateQuestion) => decisions[id]?.status ?? "pending";
  const flagged = questions.filter((question) => statusOf(question) === "flagged");
  const approved = questions.filter((question) => statusOf(question) === "approved").length;
  return { flagged, approved, pending: questions.length - approved - flagged.length, all: questions.length };
}
