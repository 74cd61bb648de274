// What the server says of templates, as `/api/docs/` describes it, and the names of their lists.

import type { Allowed } from "../../exam/question";

export const TEMPLATES = "/api/manager/test-templates";

export type Mode = "standard" | "adaptive";
/** From the best to the lowest. */
export const BANDS = ["90-100", "80-90", "70-80", "60-70", "below-60"] as const;
export type Band = (typeof BANDS)[number];
/** The lists of a template: one, or a first and then one for each band. */
export type ListKey = "standard" | "session1" | Band;

/** Numbers by difficulty, from 1 to 5. */
export type Counts = readonly number[];
/** The same as the server writes it; what is left out is none. */
export type Targets = Partial<Record<string, number>>;

export const DIFFICULTIES = [1, 2, 3, 4, 5] as const;

export interface Question {
  id: string;
  grade: number;
  topic: string;
  subtopic: string;
  difficulty: number;
  question: string;
  options: string[];
  answer: string;
  explanation: string;
  image: string;
  /** What the picture shows, in words. */
  imageDescription?: string;
}

export interface TemplateSummary {
  id: string;
  name: string;
  mode: Mode;
  grades: number[];
  durationMinutes: number;
  createdAt: string;
  updatedAt: string;
  createdBy: string;
}

export interface Template extends TemplateSummary {
  calculator: Allowed;
  standardTargets?: Targets;
  standardQuestions?: Question[];
  session1Targets?: Targets;
  session2TargetsByBand?: Partial<Record<Band, Targets>>;
  session1Questions?: Question[];
  session2QuestionsByBand?: Partial<Record<Band, Question[]>>;
}

/** The fields that are sent. */
export interface TemplateFields {
  name: string;
  grades: number[];
  mode: Mode;
  durationMinutes: number | null;
  calculator: Allowed;
  standardTargets?: Targets;
  session1Targets?: Targets;
  session2TargetsByBand?: Record<Band, Targets>;
}

/** The list as a swap names it. */
export interface Bucket {
  kind: "standard" | "session1" | "session2";
  band?: Band;
}

export function bucketOf(list: ListKey): Bucket {
  return list === "standard" || list === "session1" ? { kind: list } : { kind: "session2", band: list };
}

export function keysOf(mode: Mode): ListKey[] {
  return mode === "standard" ? ["standard"] : ["session1", ...BANDS];
}

export function countsOf(targets: Targets = {}): number[] {
  return DIFFICULTIES.map((difficulty) => targets[difficulty] ?? 0);
}

export function targetsOf(counts: Counts): Targets {
  return Object.fromEntries(DIFFICULTIES.map((difficulty, index) => [difficulty, counts[index] ?? 0]));
}

export function total(counts: Counts): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
