// What the server says of templates, as `/api/docs/` describes it, and the names of their lists.

import type { ShowAnswers, TemplateAccess } from "../../api/schema";
import type { AllowedCalculator } from "../../exam/question";
import type { SentScale } from "../marks/draft";

export const TEMPLATES = "/api/manager/test-templates";

export type TemplateMode = "standard" | "adaptive";
/** From the best to the lowest. */
export const BANDS = ["90-100", "80-90", "70-80", "60-70", "below-60"] as const;
export type Band = (typeof BANDS)[number];
/** The lists of a template: one, or a first and then one for each band. */
export type ListKey = "standard" | "session1" | Band;

/** Numbers by difficulty, from 1 to 5. */
export type DifficultyCounts = readonly number[];
/** The same as the server writes it; what is left out is none. */
export type Targets = Partial<Record<string, number>>;

/** Numbers by topic. */
export type TopicTargets = Record<string, number>;

export const DIFFICULTIES = [1, 2, 3, 4, 5] as const;

/** In what order the questions that are drawn stand; the first is the usual one. */
export const PAPER_ORDERS = ["mixed", "easy-first", "by-topic"] as const;
export type PaperOrder = (typeof PAPER_ORDERS)[number];

/** The types of questions that are drawn; the first is the usual one. */
export const DRAWN_TYPES = ["multiple-choice", "number", "all"] as const;
export type DrawnTypes = (typeof DRAWN_TYPES)[number];

/** How many forms a standard template has at most: `A` to `H`. */
export const FORMS_MAX = 8;

export type { Question as TemplateQuestion, TemplateSummary, TestTemplate as FullTemplate } from "../../api/schema";

/** The fields that are sent. */
export interface TemplateFields {
  name: string;
  grades: number[];
  mode: TemplateMode;
  /** NaN, which is sent as null, while the field is empty. */
  durationMinutes: number;
  calculator: AllowedCalculator;
  /** Null takes them back, where those by topic hold alone. */
  standardTargets?: Targets | null;
  session1Targets?: Targets;
  session2TargetsByBand?: Record<Band, Targets>;
  topicTargets?: TopicTargets;
  approvedOnly?: boolean;
  sources?: string[];
  order?: PaperOrder;
  types?: DrawnTypes;
  /** How many, of a standard template. */
  forms?: number;
  parallelForms?: boolean;
  shuffleOptions?: boolean;
  inOrder?: boolean;
  /** How marks are made: null for none. */
  markScale?: SentScale;
  access?: TemplateAccess;
  showAnswers?: ShowAnswers;
  /** Null takes it back, so that the template does not say. */
  practice?: boolean | null;
  /** The ids of questions that stay when the others are drawn anew. */
  pinned?: string[];
}

/** The list as the server's routes name it. */
export interface Bucket {
  kind: "standard" | "session1" | "session2";
  band?: Band;
}

export function bucketOf(list: ListKey): Bucket {
  return list === "standard" || list === "session1" ? { kind: list } : { kind: "session2", band: list };
}

export function listKeys(mode: TemplateMode): ListKey[] {
  return mode === "standard" ? ["standard"] : ["session1", ...BANDS];
}

export function listCounts(targets: Targets = {}): number[] {
  return DIFFICULTIES.map((difficulty) => targets[difficulty] ?? 0);
}

export function targetsOf(counts: DifficultyCounts): Targets {
  return Object.fromEntries(DIFFICULTIES.map((difficulty, index) => [difficulty, counts[index] ?? 0]));
}

export function total(counts: DifficultyCounts): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
