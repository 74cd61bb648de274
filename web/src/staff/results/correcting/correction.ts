// A correction of a question's key as somebody fills it in, as it is sent, and as it stands in a list.

import type { BodyOf, ValueOf } from "../../../api/paths";
import { CHOICES, type Choice } from "../../../exam/protocol";
import type { ResultsOf } from "../../halls";
import type { ResultQuestion } from "../answer";

const ROAD = "/api/manager/corrections";

type Posted = ValueOf<typeof ROAD, "post">;
type PostedBody = NonNullable<BodyOf<typeof ROAD, "post">>;

export type Correction = ValueOf<typeof ROAD, "get">["corrections"][number];
/** What a correction would change. */
export type CorrectionTrial = Extract<Posted, { distribution: unknown }>;
export type CorrectionKind = Correction["kind"];
export type CorrectionScope = PostedBody["scope"];

export const CORRECTION_KINDS: readonly CorrectionKind[] = ["key", "also", "all", "drop"];
/** As much as the server takes of it. */
export const CORRECTION_COMMENT_MAX = 10_000;

export interface CorrectionDraft {
  kind: CorrectionKind | undefined;
  /** The option that is right. */
  key: Choice | undefined;
  /** The further options that count. */
  also: Choice[];
  nobodyLoses: boolean;
  comment: string;
  /** Whether the key in the bank is changed too, if the kind allows it. */
  mends: boolean;
}

export function newCorrection(): CorrectionDraft {
  return { kind: undefined, key: undefined, also: [], nobodyLoses: true, comment: "", mends: true };
}

/** The options that the kind names, in the order of their letters. */
export function namedOptions({ kind, key, also }: CorrectionDraft): Choice[] {
  if (kind === "key") return key === undefined ? [] : [key];
  return kind === "also" ? CHOICES.filter((choice) => also.includes(choice)) : [];
}

export function isCorrectionComplete(draft: CorrectionDraft): boolean {
  if (draft.kind === undefined) return false;
  return draft.kind === "all" || draft.kind === "drop" || namedOptions(draft).length > 0;
}

/**
 * Whether another key can be written into the bank in the same step: the letters must mean there what they meant in the test.
 */
export function isMendable({ question, changed, edited }: ResultQuestion): boolean {
  return question !== "" && !changed && !edited;
}

/**
 * For what a correction holds that is made among these results; undefined where the days that are shown can't bound it: of a
 * grade both are needed, and of a template all tests are corrected.
 */
export function scopeOf(of: ResultsOf, from = "", to = ""): CorrectionScope | undefined {
  if (of.kind === "sitting") return { sittingId: of.sittingId };
  if (of.kind === "template") return from === "" && to === "" ? { templateId: of.templateId } : undefined;
  return from === "" || to === "" ? undefined : { grade: of.grade, from, to };
}

/** How the list of the corrections that concern these results is asked for. */
export function correctionsQuery(of: ResultsOf): { sittingId?: string; templateId?: string; grade?: number } {
  if (of.kind === "sitting") return { sittingId: of.sittingId };
  return of.kind === "template" ? { templateId: of.templateId } : { grade: of.grade };
}

/**
 * What is sent, for a trial without an id. With `grade`, the bank's question of that grade gets the new key in the same step.
 */
export function correctionBody(draft: CorrectionDraft, question: ResultQuestion, scope: CorrectionScope, id?: string, grade?: number): PostedBody {
  const { kind = "key", key, nobodyLoses, comment } = draft;
  // What letters stand for is said where it is known what was asked.
  const seen = question.changed || question.question === "" ? {} : { optionTexts: optionTexts(question) };
  const sent = { questionId: question.id, kind, options: namedOptions(draft), scope, nobodyLoses, comment: comment.trim(), ...seen };
  const body = id === undefined ? sent : { ...sent, id };
  if (grade === undefined || kind !== "key" || key === undefined || !draft.mends || !isMendable(question)) return body;
  return { ...body, edit: { grade, updates: { answer: key }, before: { question: question.question, options: optionTexts(question) } } };
}

/** The texts of the options, in the order of their letters. */
export function optionTexts({ options }: ResultQuestion): string[] {
  return CHOICES.flatMap((choice) => options[choice] ?? []);
}
