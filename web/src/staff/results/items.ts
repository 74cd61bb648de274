// What the answers of everyone say about one question: how hard it was, and which wrong answer many chose or typed.

import { CHOICES, type Selected } from "../../exam/protocol";
import { isNumberResult, type ResultQuestion } from "./answer";
import { compareNumbers } from "./people";

/** A wrong answer is one that many chose from this share of those asked on, and this number of students. Below it, chance alone does as much. */
const MANY_SHARE = 0.2;
const MANY_STUDENTS = 3;
const FIRST_LETTER = "a".charCodeAt(0);

export type ItemOrder = "paper" | "hardest" | "slowest";

export interface OptionShare {
  /** The letter, or the number. */
  choice: Selected;
  /** Of an option; empty for a number. */
  text: string;
  count: number;
  /** Of those asked, 0 to 1. */
  share: number;
  isRight: boolean;
}

/** The share of those asked who were right; undefined before anyone was asked. */
export function pValue({ asked, right }: ResultQuestion): number | undefined {
  return asked === 0 ? undefined : right / asked;
}

/** What was answered, and by how many: each option, or the right number and those wrong ones that were typed most often. */
export function sharesOf(question: ResultQuestion): OptionShare[] {
  if (isNumberResult(question)) return numberShares(question);
  // A correction says what is right, also where some keep the result that an earlier key has given them.
  const wasRight = (choice: Selected) => question.correction === null && question.gradedBy[choice] !== undefined;
  const isRight = (choice: Selected) => choice === question.correct || question.alsoCorrect.includes(choice) || wasRight(choice);
  return CHOICES.filter((choice) => question.options[choice] !== undefined || question.chosen[choice] !== undefined).map((choice) => {
    const count = question.chosen[choice] ?? 0;
    const share = question.asked === 0 ? 0 : count / question.asked;
    return { choice, text: question.options[choice] ?? "", count, share, isRight: isRight(choice) };
  });
}

function numberShares({ correct, right, asked, wrong = [] }: ResultQuestion): OptionShare[] {
  const share = (count: number) => (asked === 0 ? 0 : count / asked);
  const rightOne = correct === null ? [] : [{ choice: correct, text: "", count: right, share: share(right), isRight: true }];
  return [...rightOne, ...wrong.map(({ text, count }) => ({ choice: text, text: "", count, share: share(count), isRight: false }))];
}

/** How many have typed a wrong number that is not among those that were typed most often. */
export function otherNumbers({ answered, right, wrong }: ResultQuestion): number {
  return wrong === undefined ? 0 : Math.max(0, answered - right - wrong.reduce((sum, { count }) => sum + count, 0));
}

/** The right answers by which tests were graded, if they were several: then the key was edited between them. */
export function gradedKeys({ gradedBy }: Pick<ResultQuestion, "gradedBy">): { choice: Selected; tests: number }[] {
  const keys = Object.entries(gradedBy).map(([choice, tests]) => ({ choice, tests }));
  return keys.length > 1 ? keys.sort((one, other) => (one.choice < other.choice ? -1 : 1)) : [];
}

/** The wrong answer that many gave, and how many; of two that equally many gave, the first. */
export function commonMistake(question: ResultQuestion): { choice: Selected; count: number } | undefined {
  const wrong = sharesOf(question).filter(({ isRight, count, share }) => !isRight && count >= MANY_STUDENTS && share >= MANY_SHARE);
  const [most] = wrong.sort((one, other) => other.count - one.count);
  return most === undefined ? undefined : { choice: most.choice, count: most.count };
}

/**
 * How the questions are called: by their places on the paper, or by their ids where papers differ. What form A does not ask has its
 * place in another form, whose letter stands before it. In an adaptive test each band has a question of its own at the same place,
 * told apart by small letters.
 */
export function labelsOf(questions: Pick<ResultQuestion, "id" | "number" | "stage" | "form">[]): string[] {
  const places = questions.map(({ number, stage, form = "" }) => (stage === null ? undefined : `${form}${number}`));
  const counts = new Map<string, number>();
  return questions.map(({ id }, index) => {
    const place = places[index];
    if (place === undefined) return id;
    const before = counts.get(place) ?? 0;
    counts.set(place, before + 1);
    const isShared = before > 0 || places.indexOf(place, index + 1) !== -1;
    return isShared ? `${place}${String.fromCharCode(FIRST_LETTER + before)}` : place;
  });
}

/** The questions in this order, as indices, since answers name questions by their index. The server gives them as on the paper. */
export function itemOrder(questions: ResultQuestion[], order: ItemOrder): number[] {
  const indices = questions.map((_, index) => index);
  const of = (index: number) => questions[index] as ResultQuestion;
  if (order === "hardest") return indices.sort((one, other) => (pValue(of(one)) ?? 2) - (pValue(of(other)) ?? 2) || one - other);
  if (order === "slowest") return indices.sort((one, other) => compareNumbers(of(other).medianTime, of(one).medianTime) || one - other);
  return indices;
}
