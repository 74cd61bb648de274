// A correction of a question's key as somebody fills it in, as it is sent, and as it stands in a list.

import type { BodyOf, ValueOf } from "../../../api/paths";
import { CHOICES, type Selected } from "../../../exam/protocol";
import { isSameNumber, keyDecimal } from "../../../math/number";
import type { ResultsOf } from "../../halls";
import { isNumberResult, type ResultQuestion } from "../answer";

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
  /** The option that is right, or the number. */
  key: Selected | undefined;
  /** The further options, or numbers, that count. */
  also: Selected[];
  nobodyLoses: boolean;
  comment: string;
  /** Whether the key in the bank is changed too, if the kind allows it. */
  mends: boolean;
}

export function newCorrection(): CorrectionDraft {
  return { kind: undefined, key: undefined, also: [], nobodyLoses: true, comment: "", mends: true };
}

/** As many further numbers as one correction names. */
const FURTHER_NUMBERS_MAX = 3;

/** The options that the kind names, in the order of their letters; or the numbers. */
export function namedOptions({ kind, key, also }: CorrectionDraft): Selected[] {
  if (kind === "key") return key === undefined ? [] : [key];
  return kind === "also" ? [...also].sort() : [];
}

/**
 * The numbers of a text, with semicolons or blanks between them, as a key has them; undefined if one of them can be no key,
 * counts already, or is one too many.
 */
export function furtherNumbers(text: string, { correct, alsoCorrect }: ResultQuestion): string[] | undefined {
  const known = [...(correct === null ? [] : [correct]), ...alsoCorrect];
  const numbers: string[] = [];
  for (const part of text.split(/[;\s]+/).filter((part) => part !== "")) {
    const number = keyDecimal(part);
    if (number === undefined || [...known, ...numbers].some((other) => isSameNumber(other, number))) return undefined;
    numbers.push(number);
  }
  return numbers.length <= FURTHER_NUMBERS_MAX ? numbers : undefined;
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
  const hasTexts = !question.changed && question.question !== "" && !isNumberResult(question);
  const seen = hasTexts ? { optionTexts: optionTexts(question) } : {};
  const sent = { questionId: question.id, kind, options: namedOptions(draft), scope, nobodyLoses, comment: comment.trim(), ...seen };
  const body = id === undefined ? sent : { ...sent, id };
  if (grade === undefined || kind !== "key" || key === undefined || !draft.mends || !isMendable(question)) return body;
  const options = isNumberResult(question) ? {} : { options: optionTexts(question) };
  return { ...body, edit: { grade, updates: { answer: key }, before: { question: question.question, ...options } } };
}

/** The texts of the options, in the order of their letters. */
export function optionTexts({ options }: ResultQuestion): string[] {
  return CHOICES.flatMap((choice) => options[choice] ?? []);
}
