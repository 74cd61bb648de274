// Questions and templates as the server delivers them. With `PUBLIC_ANSWERS=false` questions come without their answers.

import type { Selected } from "./protocol";

export interface Question {
  id: string;
  /** `multiple-choice` or `number`; a page of an earlier version has stored none. */
  type?: string;
  grade: number;
  topic: string;
  subtopic: string;
  difficulty: number;
  question: string;
  options: string[];
  /** The letters of the options in the order in which this student sees them, where it is not the bank's (`option_order.ts`). */
  order?: string;
  image?: string;
  /** What the picture shows, in words; absent or empty if nobody has said it. */
  imageDescription?: string;
  answer?: Selected;
  explanation?: string;
  /** Where a number is asked for: what stands behind the box, and the language by whose habits it is read. */
  unit?: string;
  language?: NumberLanguage;
  /** Beside the answer: how far from it a number may be. */
  tolerance?: string;
}

/** The languages in which digits are grouped and decimals are written. */
export type NumberLanguage = "en" | "vi";

/** Whether the answer is typed. Banks of before have had questions of any type, all with options. */
export function asksNumber({ type, options }: Pick<Question, "type" | "options">): boolean {
  return type === "number" && options.length === 0;
}

/** The calculators that a test may allow. */
export const CALCULATORS = ["none", "basic", "scientific"] as const;
export type AllowedCalculator = (typeof CALCULATORS)[number];

/** The calculator that was named; none if that is no name of one. */
export function calculatorIn(named: unknown): AllowedCalculator {
  return CALCULATORS.find((calculator) => calculator === named) ?? "none";
}

/** How long an adaptive test of a grade is. */
export const ADAPTIVE = { questions: 40, minutes: 70 };

/** Who may sit a template, and when, as whoever reads it is told; without any of this, everyone at any time. */
export interface TemplateAccess {
  who: "anyone" | "signed-in" | "classes";
  opensAt?: string | null;
  closesAt?: string | null;
  codeRequired?: boolean;
  /** How often each account may sit it, and how often the reader still may; null without a limit. */
  attempts?: number | null;
  attemptsLeft?: number | null;
  /** Whether it is for the reader's account; missing if nobody is signed in, or it does not matter. */
  forAccount?: boolean;
  /** The account has begun a test that goes on: a start goes on with it, whatever else holds. */
  goesOn?: boolean;
}

/** A template as a page gets it. */
export interface Template {
  id: string;
  name: string;
  grades: number[];
  mode: "standard" | "adaptive";
  durationMinutes: number;
  calculator?: AllowedCalculator;
  /** Whether students go through the questions in order; missing if not. */
  inOrder?: boolean;
  standardQuestions?: Question[];
  session1Questions?: Question[];
  session2QuestionsByBand?: Record<string, Question[]>;
  /** Those that only other forms of the test have. */
  formQuestions?: Question[];
  access?: TemplateAccess;
  /** The lists are not there: they come with the secret of a running attempt. How many questions they have is said all the same. */
  questionsWithheld?: boolean;
  questionCounts?: { standard?: number; session1?: number; session2?: Record<string, number> };
}

/**
 * The questions after a stage has begun. Those of this stage are taken from `now`, since the server grades them as they are
 * now. All others stay as they were when their own stage began; only missing ones are added.
 */
export function renewed(questions: Record<string, Question>, now: Question[], begun: string[]): Record<string, Question> {
  const fresh = Object.fromEntries(now.map((question) => [question.id, question]));
  const ofStage = begun.flatMap((id) => (fresh[id] === undefined ? [] : [[id, fresh[id]] as const]));
  return { ...fresh, ...questions, ...Object.fromEntries(ofStage) };
}

/** What a student reads of it while the test runs. */
export function textsOf({ question, options }: Question): string[] {
  return [question, ...options];
}

/** Every question that a test of this template can have. */
export function questionsOf(template: Template): Question[] {
  const ofBands = Object.values(template.session2QuestionsByBand ?? {}).flat();
  const { standardQuestions = [], session1Questions = [], formQuestions = [] } = template;
  return [...standardQuestions, ...session1Questions, ...ofBands, ...formQuestions];
}

/** How many questions a student answers in a test of this template. */
export function questionCount({ questionCounts: counts, standardQuestions, session1Questions, session2QuestionsByBand = {} }: Template): number {
  if (counts !== undefined) return (counts.standard ?? counts.session1 ?? 0) + (Object.values(counts.session2 ?? {})[0] ?? 0);
  const first = standardQuestions ?? session1Questions ?? [];
  const second = Object.values(session2QuestionsByBand)[0] ?? [];
  return first.length + second.length;
}
