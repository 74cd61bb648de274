// Whether the figures of a question make its key doubtful. Each doubt has its rule here; the words stand elsewhere.

import type { Selected } from "../../exam/protocol";
import type { KeyFigures } from "../../api/schema";
import { isNumberResult, type ResultQuestion, type ResultRow } from "./answer";
import { labelsOf, sharesOf } from "./items";

/** Of fewer tests nothing is claimed: chance alone does as much. */
const DOUBT_ASKED_MIN = 8;
const MORE_CHOSE_MIN = 3;
/** Whoever guesses among four options is right more often than this. */
const FEW_RIGHT_SHARE = 0.15;
/** A correlation needs more tests than a share. At this number, one below the limit is rare if the key is right. */
const BACKWARDS_ASKED_MIN = 15;
const BACKWARDS_BELOW = -0.15;

export type KeyDoubt =
  /** More students gave this wrong answer than were right. */
  | { kind: "another"; choice: Selected; count: number; right: number }
  | { kind: "few"; right: number; asked: number }
  /** Whoever did well in the rest of the test was wrong more often here. */
  | { kind: "backwards" };

/** What was answered to a question, wrong answers in the order of the options. */
interface Figures {
  asked: number;
  right: number;
  isNumber: boolean;
  mistakes: { choice: Selected; count: number }[];
}

/** What speaks against the key, the plainest first. `discrimination` is undefined where nobody's answers are known. */
export function keyDoubts(question: ResultQuestion, discrimination: number | undefined): KeyDoubt[] {
  const { asked, right } = question;
  return doubtsOf({ asked, right, isNumber: isNumberResult(question), mistakes: sharesOf(question).filter(({ isRight }) => !isRight) }, discrimination);
}

function doubtsOf({ asked, right, isNumber, mistakes }: Figures, discrimination: number | undefined): KeyDoubt[] {
  if (asked < DOUBT_ASKED_MIN) return [];
  const [most] = [...mistakes].sort((one, other) => other.count - one.count);
  const isAnother = most !== undefined && most.count > right && most.count >= MORE_CHOSE_MIN;
  return [
    ...(isAnother ? [{ kind: "another" as const, choice: most.choice, count: most.count, right }] : []),
    // Where another option stands out, this says nothing more; and a number is not guessed.
    ...(!isAnother && !isNumber && right / asked < FEW_RIGHT_SHARE ? [{ kind: "few" as const, right, asked }] : []),
    ...(asked >= BACKWARDS_ASKED_MIN && (discrimination ?? 0) < BACKWARDS_BELOW ? [{ kind: "backwards" as const }] : []),
  ];
}

/** What speaks against the key of each question. One whose key was corrected has been looked at. */
export function keyDoubtsOf(questions: ResultQuestion[], rows: ResultRow[]): KeyDoubt[][] {
  const discriminations = discriminationsOf(rows, questions.length);
  return questions.map((question, index) => (question.correction === null ? keyDoubts(question, discriminations[index]) : []));
}

/** A question that looks wrong, as the pages call it. */
export interface Doubtful {
  id: string;
  label: string;
  isNumber: boolean;
  doubts: KeyDoubt[];
}

/** The questions that look wrong, those first against which most answers speak. */
export function doubtfulOf({ questions }: KeyFigures): Doubtful[] {
  const labels = labelsOf(questions);
  const all = questions.map((question, index) => {
    const { id, corrected, discrimination } = question;
    const isNumber = isNumberResult(question);
    const doubts = corrected ? [] : doubtsOf({ ...question, isNumber }, discrimination ?? undefined);
    return { id, label: labels[index] ?? id, isNumber, doubts };
  });
  return all.filter(({ doubts }) => doubts.length > 0).sort((one, other) => weightOf(other) - weightOf(one));
}

/** How many have chosen what the key has not: the plainest doubt counts. */
function weightOf({ doubts: [doubt] }: Doubtful): number {
  return doubt?.kind === "another" ? doubt.count - doubt.right : 0;
}

/** The sums from which a correlation is reckoned: of whether this question was right, and of the share of all others. */
interface Sums {
  count: number;
  right: number;
  rest: number;
  restSquared: number;
  both: number;
}

/**
 * How well each question tells strong students from weak ones, from −1 to 1: the correlation between being right in it and the
 * share of the other questions that were right. Undefined where all were right, or none, or all did equally well elsewhere.
 */
export function discriminationsOf(rows: ResultRow[], questions: number): (number | undefined)[] {
  const sums = Array.from({ length: questions }, (): Sums => ({ count: 0, right: 0, rest: 0, restSquared: 0, both: 0 }));
  for (const { answers } of rows) {
    if (answers.length < 2) continue;
    const rightOfAll = answers.reduce((sum, [, , isRight]) => sum + isRight, 0);
    for (const [question, , isRight] of answers) {
      const of = sums[question];
      if (of === undefined) continue;
      const rest = (rightOfAll - isRight) / (answers.length - 1);
      of.count += 1;
      of.right += isRight;
      of.rest += rest;
      of.restSquared += rest * rest;
      of.both += isRight * rest;
    }
  }
  return sums.map(correlationOf);
}

/** Differences of this size come from the way in which computers write fractions. */
const NO_SPREAD = 1e-9;

function correlationOf({ count, right, rest, restSquared, both }: Sums): number | undefined {
  if (count === 0) return undefined;
  const spreadOfRight = (right / count) * (1 - right / count);
  const spreadOfRest = restSquared / count - (rest / count) ** 2;
  if (spreadOfRight < NO_SPREAD || spreadOfRest < NO_SPREAD) return undefined;
  return (both / count - (right / count) * (rest / count)) / Math.sqrt(spreadOfRight * spreadOfRest);
}
