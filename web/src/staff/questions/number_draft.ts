// The key of a question that asks for a number while somebody writes it: what is typed, what is wrong with it, and what is sent.

import { asksNumber, type NumberLanguage } from "../../exam/question";
import { keyDecimal, readNumber, shortDecimal, type NumberForm } from "../../math/number";
import type { BankQuestion } from "./bank";

export const MULTIPLE_CHOICE = "multiple-choice";
export const NUMBER = "number";
export const QUESTION_TYPES = [MULTIPLE_CHOICE, NUMBER] as const;
export type QuestionType = (typeof QUESTION_TYPES)[number];

export const NUMBER_FORMS: readonly NumberForm[] = ["decimal", "fraction", "mixed"];
export const NUMBER_LANGUAGES: readonly NumberLanguage[] = ["en", "vi"];
export const UNIT_MAX = 20;
/** Digits on both sides of the point, with a sign, and some room for blanks. */
export const KEY_TEXT_MAX = 48;
const EXACT = "0";

export interface NumberDraft {
  /** As it was typed; empty before anything is. */
  answer: string;
  /** Empty for none. */
  tolerance: string;
  unit: string;
  forms: NumberForm[];
  language: NumberLanguage;
}

/** The key as the server has it. */
export type NumberKey = Required<Pick<BankQuestion, "answer" | "tolerance" | "unit" | "forms" | "language">>;
export type NumberProblem = "number" | "fraction" | "tolerance" | "unit" | "forms";

/** The decimal that a typed key is stored as: a fraction is its decimal, if that has an end. Undefined for what can be no key. */
export function typedKey(typed: string): string | undefined {
  const key = keyDecimal(typed);
  const fraction = key === undefined ? fractionIn(typed) : undefined;
  return fraction === undefined ? key : keyDecimal(shortDecimal(fraction) ?? "");
}

/** `31/20`, `1 11/20` or `½`. */
function fractionIn(typed: string) {
  const read = readNumber(typed);
  return read === undefined || read.form === "decimal" ? undefined : read;
}

/** The language is that of the pages of whoever writes. */
export function emptyNumber(language: NumberLanguage = "en"): NumberDraft {
  return { answer: "", tolerance: "", unit: "", forms: [...NUMBER_FORMS], language };
}

/** The type that a form shows. A bank of before may have others, all of which have options. */
export function typeOf(question: Pick<BankQuestion, "type" | "options">): QuestionType {
  return asksNumber(question) ? NUMBER : MULTIPLE_CHOICE;
}

export function numberDraftOf({ answer, tolerance = EXACT, unit = "", forms = [...NUMBER_FORMS], language = "en" }: BankQuestion): NumberDraft {
  return { answer, tolerance: tolerance === EXACT ? "" : tolerance, unit, forms: [...forms], language };
}

export function isNumberBegun({ answer, tolerance, unit }: NumberDraft): boolean {
  return [answer, tolerance, unit].some((text) => text.trim() !== "");
}

/** As the log and workbooks name them. */
export function formsText(forms: readonly string[]): string {
  return NUMBER_FORMS.filter((form) => forms.includes(form)).join(", ");
}

/** What is sent and stored. A number that can't be read stays as it was typed, for whoever compares it. */
export function numberKeyOf({ answer, tolerance, unit, forms, language }: NumberDraft): NumberKey {
  const width = tolerance.trim() === "" ? EXACT : (keyDecimal(tolerance) ?? tolerance.trim());
  return { answer: typedKey(answer) ?? answer.trim(), tolerance: width, unit: unit.trim(), forms: NUMBER_FORMS.filter((form) => forms.includes(form)), language };
}

/** Only what differs from what is stored, as an edit sends it. A number that can't be read is not sent. */
export function numberUpdates(before: BankQuestion, draft: NumberDraft): Partial<NumberKey> {
  const [stored, now] = [numberKeyOf(numberDraftOf(before)), numberKeyOf(draft)];
  return {
    ...(now.answer === stored.answer || typedKey(draft.answer) === undefined ? {} : { answer: now.answer }),
    ...(now.tolerance === stored.tolerance ? {} : { tolerance: now.tolerance }),
    ...(now.unit === stored.unit ? {} : { unit: now.unit }),
    ...(formsText(now.forms) === formsText(stored.forms) ? {} : { forms: now.forms }),
    ...(now.language === stored.language ? {} : { language: now.language }),
  };
}

/** What the server would refuse. */
export function numberProblems({ answer, tolerance, unit, forms }: NumberDraft): NumberProblem[] {
  const width = tolerance.trim() === "" ? EXACT : keyDecimal(tolerance);
  return [
    ...(typedKey(answer) !== undefined ? [] : [fractionIn(answer) === undefined ? ("number" as const) : ("fraction" as const)]),
    ...(width === undefined || width.startsWith("-") ? ["tolerance" as const] : []),
    ...(isUnit(unit) ? [] : ["unit" as const]),
    ...(forms.length === 0 ? ["forms" as const] : []),
  ];
}

/** Students may type it behind their number, so it does not begin like the rest of one. */
function isUnit(unit: string): boolean {
  const text = unit.trim();
  return [...text].length <= UNIT_MAX && !/^[-+−\p{Nd}.,/]/u.test(text) && !/\p{Cc}/u.test(text);
}
