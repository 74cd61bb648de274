// Who may sit a template, when its answers are shown and whether its questions are for practice: as the form holds it, what is
// wrong with it, and what of it is sent.

import type { Audience, ShowAnswers } from "../../../api/schema";
import { iso, parsed } from "../../moments";
import type { NumberEntry } from "../entries";
import type { FullTemplate, TemplateFields } from "../shapes";

export interface AccessDraft {
  who: Audience;
  classIds: string[];
  /** Nothing for as often as they like. */
  attempts: NumberEntry;
  /** In milliseconds; undefined for none, and NaN for what is no time. */
  opens: number | undefined;
  closes: number | undefined;
  code: string;
  answers: ShowAnswers;
  /** Undefined where the template does not say. */
  practice: boolean | undefined;
}

export type AccessFaults = Partial<{ classes: "none" | "many"; attempts: "range"; window: "time" | "order"; code: "form"; answers: "end" }>;

export const AUDIENCES: readonly Audience[] = ["anyone", "signed-in", "classes"];
export const ANSWERS_SHOWN: readonly ShowAnswers[] = ["always", "after-closing", "never"];
export const ACCESS_CLASSES_MAX = 50;
export const ATTEMPTS_MAX = 20;
export const ACCESS_CODE_MAX = 20;
const CODE = /^[A-Za-z0-9]{4,20}$/;
/** Without those that are taken for each other when they are read aloud or from a board. */
const CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const MADE_CHARACTERS = 6;

/** What a template says that says nothing: it is as it was before there was anything to say. */
export function openAccess(): AccessDraft {
  return { who: "anyone", classIds: [], attempts: null, opens: undefined, closes: undefined, code: "", answers: "always", practice: undefined };
}

/** What is proposed for a new template: a test of a class that each account sits once, and whose keys are nobody's practice. */
export function proposedAccess(): AccessDraft {
  return { ...openAccess(), who: "signed-in", attempts: 1, practice: false };
}

export function accessDraftOf({ access, showAnswers = "always", practice }: FullTemplate): AccessDraft {
  if (access === undefined) return { ...openAccess(), answers: showAnswers, practice };
  const { who, classIds = [], attempts = null, opensAt, closesAt, code } = access;
  return { who, classIds: [...classIds], attempts, opens: parsed(opensAt), closes: parsed(closesAt), code: code ?? "", answers: showAnswers, practice };
}

/** Of a copy: the times and the code were those of another day. */
export function copiedAccess(access: AccessDraft): AccessDraft {
  return { ...withEnd(access, undefined), opens: undefined, code: "" };
}

/**
 * It closes then, or at no time. With the first time, answers are shown when it has closed, since who hands in first could tell the
 * others; without one there is no such moment.
 */
export function withEnd(access: AccessDraft, closes: number | undefined): AccessDraft {
  const isFirst = access.closes === undefined && closes !== undefined;
  if (isFirst && access.answers === "always") return { ...access, closes, answers: "after-closing" };
  if (closes === undefined && access.answers === "after-closing") return { ...access, closes, answers: "always" };
  return { ...access, closes };
}

/**
 * How long practice with one of its questions, and other tests, show no answers: until it has closed, or for as long as the template
 * stands. Undefined if it keeps them from nobody.
 */
export function keptFromOthers({ who, code, closes, answers, practice }: AccessDraft): "until-closed" | "always" | undefined {
  if (practice !== false) return undefined;
  const isForSome = who !== "anyone" || code.trim() !== "";
  if (answers === "never" || (isForSome && closes === undefined)) return "always";
  return isForSome || answers === "after-closing" ? "until-closed" : undefined;
}

export function accessFaults({ who, classIds, attempts, opens, closes, code, answers }: AccessDraft): AccessFaults {
  const faults: AccessFaults = {};
  if (who === "classes" && classIds.length === 0) faults.classes = "none";
  if (who === "classes" && classIds.length > ACCESS_CLASSES_MAX) faults.classes = "many";
  const isCount = attempts == null || (Number.isInteger(attempts) && attempts >= 1 && attempts <= ATTEMPTS_MAX);
  if (who !== "anyone" && !isCount) faults.attempts = "range";
  if (Number.isNaN(opens) || Number.isNaN(closes)) faults.window = "time";
  else if (opens !== undefined && closes !== undefined && opens >= closes) faults.window = "order";
  if (code.trim() !== "" && !CODE.test(code.trim())) faults.code = "form";
  if (answers === "after-closing" && closes === undefined) faults.answers = "end";
  return faults;
}

/** What is sent of it. Attempts need accounts, so that those of another choice are left out. */
export function accessFields({ who, classIds, attempts, opens, closes, code, answers, practice }: AccessDraft): Required<Pick<TemplateFields, "access" | "showAnswers">> & Pick<TemplateFields, "practice"> {
  const moment = (ms: number | undefined) => (ms === undefined || Number.isNaN(ms) ? null : iso(ms));
  const access = {
    who,
    classIds: who === "classes" ? [...classIds].sort() : [],
    attempts: who === "anyone" ? null : (attempts ?? null),
    opensAt: moment(opens),
    closesAt: moment(closes),
    code: code.trim() === "" ? null : code.trim(),
  };
  return { access, showAnswers: answers, ...(practice === undefined ? {} : { practice }) };
}

/** The chosen classes that are there, and those that are not: these would be refused together with all the others. */
export function sortedOut(classIds: string[], there: readonly { id: string }[]): { kept: string[]; gone: string[] } {
  const ids = new Set(there.map(({ id }) => id));
  return { kept: classIds.filter((id) => ids.has(id)), gone: classIds.filter((id) => !ids.has(id)) };
}

/** A code to hand out; `chances` are bytes that nobody can guess. */
export function madeCode(chances: Uint8Array = crypto.getRandomValues(new Uint8Array(MADE_CHARACTERS))): string {
  return [...chances].map((chance) => CODE_LETTERS.charAt(chance % CODE_LETTERS.length)).join("");
}
