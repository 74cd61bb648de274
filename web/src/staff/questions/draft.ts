// A question while somebody writes or edits it: what is wrong with it, what has changed, and what is sent.

import { CHOICES, type Choice } from "../../exam/protocol";
import { seenForm } from "../../same";
import { QUESTION_FIELDS, type BankQuestion, type FieldChange, type QuestionField } from "./bank";

export interface QuestionDraft {
  /** An edit leaves it as it is. */
  grade: number;
  topic: string;
  subtopic: string;
  difficulty: number;
  source: string;
  question: string;
  options: string[];
  /** Undefined before one is chosen, and after the option that was right has been removed. */
  answer: Choice | undefined;
  explanation: string;
  image: string;
  imageDescription: string;
  /** Whether the options keep their order. */
  fixedOptions: boolean;
}

/** The fields of an edit, as they are sent. */
export type Updates = Partial<Omit<QuestionDraft, "grade" | "answer"> & { answer: Choice }>;
export type DraftProblem = "question" | "option" | "twice" | "answer";

export const OPTIONS_MIN = 2;
export const OPTIONS_MAX = 4;
export const DIFFICULTY_LEVELS = [1, 2, 3, 4, 5] as const;
const USUAL_DIFFICULTY = 3;

const TEXTS = ["topic", "subtopic", "source", "question", "explanation", "image", "imageDescription"] as const;

export function questionDraftOf(of: BankQuestion | QuestionDraft): QuestionDraft {
  const { grade, topic, subtopic, difficulty, source, question, options, answer, explanation, image, imageDescription = "", fixedOptions = false } = of;
  return { grade, topic, subtopic, difficulty, source, question, options: [...options], answer, explanation, image, imageDescription, fixedOptions };
}

/** A new question with nothing in it yet but where it belongs. */
export function emptyDraft(grade: number, { topic = "", difficulty = USUAL_DIFFICULTY, source = "" }: Partial<QuestionDraft> = {}): QuestionDraft {
  const texts = { question: "", explanation: "", image: "", imageDescription: "", subtopic: "" };
  return { ...texts, grade, topic, difficulty, source, options: Array<string>(OPTIONS_MAX).fill(""), answer: undefined, fixedOptions: false };
}

/** Whether somebody has written anything: where the question belongs is no text. */
export function isBegun({ question, options, explanation, image, imageDescription, answer }: QuestionDraft): boolean {
  return answer !== undefined || [question, ...options, explanation, image, imageDescription].some((text) => text.trim() !== "");
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
  const changed = TEXTS.filter((name) => !isSame(before[name] ?? "", draft[name]));
  const areOptions = draft.options.length !== before.options.length || draft.options.some((option, index) => !isSame(option, before.options[index] ?? ""));
  return {
    ...Object.fromEntries(changed.map((name) => [name, normal(draft[name])])),
    ...(areOptions ? { options: draft.options.map(normal) } : {}),
    ...(draft.answer === undefined || draft.answer === before.answer ? {} : { answer: draft.answer }),
    ...(draft.difficulty === before.difficulty ? {} : { difficulty: draft.difficulty }),
    ...(draft.fixedOptions === (before.fixedOptions ?? false) ? {} : { fixedOptions: draft.fixedOptions }),
  };
}

/** All fields of a new question that has no problem, as they are sent. */
export function writtenOf(draft: QuestionDraft & { answer: Choice }): Required<Updates> & { grade: number } {
  const texts = Object.fromEntries(TEXTS.map((name) => [name, normal(draft[name])])) as Record<(typeof TEXTS)[number], string>;
  return { ...draft, ...texts, options: draft.options.map(normal) };
}

function byField(of: BankQuestion | QuestionDraft): Record<QuestionField, string> {
  const { topic, subtopic, difficulty, source, question, options, answer = "", explanation, image, imageDescription } = questionDraftOf(of);
  const [a = "", b = "", c = "", d = ""] = options;
  const ofOptions = { "Option A": a, "Option B": b, "Option C": c, "Option D": d };
  const place = { Topic: topic, Subtopic: subtopic, Difficulty: String(difficulty), Source: source };
  const ofPicture = { Image: image, "Image description": imageDescription };
  return { Question: question, ...ofOptions, Answer: answer, Explanation: explanation, ...ofPicture, ...place, "Fixed options": of.fixedOptions === true ? "yes" : "no" };
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
