// A question while somebody edits it: what is wrong with it, what has changed, and what is sent.

import { CHOICES, type Choice } from "../../exam/protocol";
import { seenForm } from "../../same";
import { QUESTION_FIELDS, type BankQuestion, type FieldChange, type QuestionField } from "./bank";

export interface QuestionDraft {
  question: string;
  options: string[];
  /** Undefined after the option that was right has been removed. */
  answer: Choice | undefined;
  explanation: string;
  image: string;
  imageDescription: string;
}

/** The fields of an edit, as they are sent. */
export type Updates = Partial<{ question: string; options: string[]; answer: Choice; explanation: string; image: string; imageDescription: string }>;
export type DraftProblem = "question" | "option" | "twice" | "answer";

export const OPTIONS_MIN = 2;
export const OPTIONS_MAX = 4;

export function questionDraftOf({ question, options, answer, explanation, image, imageDescription = "" }: BankQuestion | QuestionDraft): QuestionDraft {
  return { question, options: [...options], answer, explanation, image, imageDescription };
}

/** As the server stores and compares texts. */
function normal(text: string): string {
  return text.trim().replace(/\r\n?/g, "\n");
}

/** A text that differs only at its edges or in its line ends is no change. */
function isSame(one: string, other: string): boolean {
  return normal(one) === normal(other);
}

/** Only what differs, as an edit sends it. */
export function updatesOf(before: BankQuestion, draft: QuestionDraft): Updates {
  const changed = (["question", "explanation", "image", "imageDescription"] as const).filter((name) => !isSame(before[name] ?? "", draft[name]));
  const areOptions = draft.options.length !== before.options.length || draft.options.some((option, index) => !isSame(option, before.options[index] ?? ""));
  return {
    ...Object.fromEntries(changed.map((name) => [name, normal(draft[name])])),
    ...(areOptions ? { options: draft.options.map(normal) } : {}),
    ...(draft.answer === undefined || draft.answer === before.answer ? {} : { answer: draft.answer }),
  };
}

function byField({ question, options, answer, explanation, image, imageDescription = "" }: BankQuestion | QuestionDraft): Record<QuestionField, string> {
  const [a = "", b = "", c = "", d = ""] = options;
  const ofOptions = { "Option A": a, "Option B": b, "Option C": c, "Option D": d };
  return { Question: question, ...ofOptions, Answer: answer ?? "", Explanation: explanation, Image: image, "Image description": imageDescription };
}

/** Field by field, as the log has it. */
export function changesBetween(before: BankQuestion | QuestionDraft, after: BankQuestion | QuestionDraft): FieldChange[] {
  const [old, now] = [byField(before), byField(after)];
  return QUESTION_FIELDS.filter((field) => !isSame(old[field], now[field])).map((field) => ({ field, before: old[field], after: now[field] }));
}

/** What the server would refuse. */
export function problemsOf({ question, options, answer }: QuestionDraft): DraftProblem[] {
  const filled = options.map(normal);
  const typed = filled.filter((text) => text !== "");
  const isNoOption = answer === undefined || CHOICES.indexOf(answer) >= options.length;
  return [
    ...(normal(question) === "" ? ["question" as const] : []),
    ...(filled.includes("") ? ["option" as const] : []),
    ...(new Set(typed.map(seenForm)).size < typed.length ? ["twice" as const] : []),
    ...(isNoOption ? ["answer" as const] : []),
  ];
}

/** Without the option at this place. The right answer goes with its text, since letters move up. */
export function withoutOption(draft: QuestionDraft, place: number): QuestionDraft {
  const right = draft.answer === undefined ? -1 : CHOICES.indexOf(draft.answer);
  const answer = right === place ? undefined : right > place ? CHOICES[right - 1] : draft.answer;
  return { ...draft, options: draft.options.filter((_, index) => index !== place), answer };
}

/** My changes upon what somebody else has left: their text where I have changed nothing. */
export function rebasedDraft(draft: QuestionDraft, before: BankQuestion, present: BankQuestion): QuestionDraft {
  const mine = updatesOf(before, draft);
  return { ...questionDraftOf(present), ...mine, ...("options" in mine && draft.answer === undefined ? { answer: undefined } : {}) };
}
