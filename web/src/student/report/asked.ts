// Compares the questions of a report with the bank of today, and finds those that are not shown yet.

import type { OptionOrders } from "../../exam/protocol";
import type { Question } from "../../exam/question";

/** What the server says about the questions; one of an earlier release says nothing. */
export interface PaperNotes {
  changed?: string[];
  removed?: string[];
  replaced?: string[];
  withheld?: { count: number; until: string | null } | null;
  keptAnswers?: { until: string | null } | null;
  /** As the session has them. */
  form?: string;
  optionOrder?: OptionOrders;
}

/** `replaced`: what was asked is not known, and the text is that of today. */
export type TextState = "asked" | "changed" | "removed" | "replaced";

export interface AskedPaper {
  questions: Map<string, Question>;
  states: Map<string, TextState>;
  /** What others are still to write. */
  withheld: NonNullable<PaperNotes["withheld"]> | undefined;
  /** Keys that students are not told yet, or never if `until` is null. */
  kept: NonNullable<PaperNotes["keptAnswers"]> | undefined;
}

export const NO_PAPER: AskedPaper = { questions: new Map(), states: new Map(), withheld: undefined, kept: undefined };

export function paperOf({ questions, changed = [], removed = [], replaced = [], withheld, keptAnswers }: { questions: Question[] } & PaperNotes): AskedPaper {
  const listed = { changed, removed, replaced };
  const states = (["changed", "removed", "replaced"] as const).flatMap((state) => listed[state].map((id) => [id, state] as const));
  return { questions: new Map(questions.map((question) => [question.id, question])), states: new Map(states), withheld: withheld ?? undefined, kept: keptAnswers ?? undefined };
}
