// A question while somebody writes or edits it: what is wrong with it, what has changed, and what is sent.

import { CHOICES, type Choice } from "../../exam/protocol";
import { seenForm } from "../../same";
import { QUESTION_FIELDS, type BankQuestion, type FieldChange, type QuestionField } from "./bank";
import { emptyNumber, formsText, isNumberBegun, MULTIPLE_CHOICE, NUMBER, numberDraftOf, numberKeyOf, numberProblems, numberUpdates, typedKey, typeOf, type NumberDraft, type NumberKey, type NumberProblem, type QuestionType } from "./number_draft";

export interface QuestionDraft {
  /** An edit leaves it as it is, and so it does the type. */
  grade: number;
  type: QuestionType;
  topic: string;
  subtopic: string;
  difficulty: number;
  source: string;
  question: string;
  options: string[];
  /** Undefined before one is chosen, after the option that was right has been removed, and where a number is asked for. */
  answer: Choice | undefined;
  /** What is typed of a number. It stays while somebody tries options instead, as these stay with a number. */
  number: NumberDraft;
  explanation: string;
  image: string;
  imageDescription: string;
  /** Whether the options keep their order. */
  fixedOptions: boolean;
}

/** The fields of an edit, as they are sent. */
export interface Updates extends Partial<NumberKey> {
  topic?: string;
  subtopic?: string;
  source?: string;
  question?: string;
  explanation?: string;
  image?: string;
  imageDescription?: string;
  options?: string[];
  difficulty?: number;
  fixedOptions?: boolean;
}
/** All fields of a question as they are sent. */
export type WrittenFields = Pick<BankQuestion, (typeof TEXTS)[number] | "grade" | "difficulty" | "options" | "answer" | "type"> & Partial<NumberKey> & { fixedOptions: boolean };
export type DraftProblem = "question" | "option" | "twice" | "answer" | NumberProblem;

export const OPTIONS_MIN = 2;
export const OPTIONS_MAX = 4;
export const DIFFICULTY_LEVELS = [1, 2, 3, 4, 5] as const;
const USUAL_DIFFICULTY = 3;

const TEXTS = ["topic", "subtopic", "source", "question", "explanation", "image", "imageDescription"] as const;

export function questionDraftOf(of: BankQuestion | QuestionDraft): QuestionDraft {
  const { grade, topic, subtopic, difficulty, source, question, options, explanation, image, imageDescription = "", fixedOptions = false } = of;
  const common = { grade, topic, subtopic, difficulty, source, question, options: [...options], explanation, image, imageDescription, fixedOptions };
  return { ...common, ...keyOf(of) };
}

function keyOf(of: BankQuestion | QuestionDraft): Pick<QuestionDraft, "type" | "answer" | "number"> {
  if ("number" in of) return { type: of.type, answer: of.answer, number: { ...of.number, forms: [...of.number.forms] } };
  const type = typeOf(of);
  if (type === NUMBER) return { type, answer: undefined, number: numberDraftOf(of) };
  return { type, answer: CHOICES.find((choice) => choice === of.answer), number: emptyNumber() };
}

/** A new question with nothing in it yet but where it belongs. */
export function emptyDraft(grade: number, { topic = "", difficulty = USUAL_DIFFICULTY, source = "", type = MULTIPLE_CHOICE, number }: Partial<QuestionDraft> = {}): QuestionDraft {
  const texts = { question: "", explanation: "", image: "", imageDescription: "", subtopic: "" };
  const key = { options: Array<string>(OPTIONS_MAX).fill(""), answer: undefined, fixedOptions: false, number: emptyNumber(number?.language) };
  return { ...texts, ...key, grade, topic, difficulty, source, type };
}

/** Whether somebody has written anything: where the question belongs is no text. */
export function isBegun({ question, options, explanation, image, imageDescription, answer, number }: QuestionDraft): boolean {
  return answer !== undefined || isNumberBegun(number) || [question, ...options, explanation, image, imageDescription].some((text) => text.trim() !== "");
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
  return {
    ...Object.fromEntries(changed.map((name) => [name, normal(draft[name])])),
    ...(draft.type === NUMBER ? numberUpdates(before, draft.number) : choiceUpdates(before, draft)),
    ...(draft.difficulty === before.difficulty ? {} : { difficulty: draft.difficulty }),
  };
}

function choiceUpdates(before: BankQuestion, draft: QuestionDraft): Updates {
  const areOptions = draft.options.length !== before.options.length || draft.options.some((option, index) => !isSame(option, before.options[index] ?? ""));
  return {
    ...(areOptions ? { options: draft.options.map(normal) } : {}),
    ...(draft.answer === undefined || draft.answer === before.answer ? {} : { answer: draft.answer }),
    ...(draft.fixedOptions === (before.fixedOptions ?? false) ? {} : { fixedOptions: draft.fixedOptions }),
  };
}

/** All fields of a new question that has no problem, as they are sent. */
export function writtenOf(draft: QuestionDraft): WrittenFields {
  const texts = Object.fromEntries(TEXTS.map((name) => [name, normal(draft[name])])) as Record<(typeof TEXTS)[number], string>;
  const { grade, difficulty, type, fixedOptions, answer = "" } = draft;
  if (type === NUMBER) return { ...texts, grade, difficulty, type, options: [], fixedOptions: false, ...numberKeyOf(draft.number) };
  return { ...texts, grade, difficulty, type, options: draft.options.map(normal), answer, fixedOptions };
}

/** What an editor has seen of a question, with which the server refuses to overwrite others. */
export function seenOf(before: BankQuestion): Omit<WrittenFields, "grade" | "type"> {
  const { grade: _, type, ...common } = questionDraftOf(before);
  const { number, answer: __, ...seen } = common;
  return { ...seen, ...(type === NUMBER ? numberKeyOf(number) : {}), answer: before.answer };
}

function byField(of: BankQuestion | QuestionDraft): Record<QuestionField, string> {
  const { type, topic, subtopic, difficulty, source, question, options, answer = "", number, explanation, image, imageDescription } = questionDraftOf(of);
  const [a = "", b = "", c = "", d = ""] = type === NUMBER ? [] : options;
  const ofOptions = { "Option A": a, "Option B": b, "Option C": c, "Option D": d };
  const place = { Topic: topic, Subtopic: subtopic, Difficulty: String(difficulty), Source: source };
  const ofPicture = { Image: image, "Image description": imageDescription };
  const key = type === NUMBER ? numberFields(number) : { Answer: answer, Tolerance: "", Unit: "", Forms: "", Language: "" };
  return { Question: question, ...ofOptions, ...key, Explanation: explanation, ...ofPicture, ...place, "Fixed options": type !== NUMBER && of.fixedOptions === true ? "yes" : "no" };
}

function numberFields(draft: NumberDraft): Record<"Answer" | "Tolerance" | "Unit" | "Forms" | "Language", string> {
  const { answer, tolerance, unit, forms, language } = numberKeyOf(draft);
  return { Answer: answer, Tolerance: tolerance, Unit: unit, Forms: formsText(forms), Language: language };
}

/** Field by field, as the log has it. */
export function changesBetween(before: BankQuestion | QuestionDraft, after: BankQuestion | QuestionDraft): FieldChange[] {
  const [old, now] = [byField(before), byField(after)];
  return QUESTION_FIELDS.filter((field) => !isSame(old[field], now[field])).map((field) => ({ field, before: old[field], after: now[field] }));
}

/** What the server would refuse. */
export function problemsOf({ type, question, options, answer, number }: QuestionDraft): DraftProblem[] {
  const ofQuestion = normal(question) === "" ? ["question" as const] : [];
  return [...ofQuestion, ...(type === NUMBER ? numberProblems(number) : optionProblems(options, answer))];
}

function optionProblems(options: string[], answer: Choice | undefined): DraftProblem[] {
  const filled = options.map(normal);
  const typed = filled.filter((text) => text !== "");
  const isNoOption = answer === undefined || CHOICES.indexOf(answer) >= options.length;
  return [
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
  const rebased = questionDraftOf({ ...present, ...mine });
  // What can't be sent is not lost: the option that was right is gone, or the number is only half typed.
  if ("options" in mine && draft.answer === undefined) return { ...rebased, answer: undefined };
  const isHalfTyped = rebased.type === NUMBER && typedKey(draft.number.answer) === undefined;
  return isHalfTyped ? { ...rebased, number: { ...rebased.number, answer: draft.number.answer } } : rebased;
}
