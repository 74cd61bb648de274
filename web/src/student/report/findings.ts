// What a result says in plain words: what was reached, what went well, and what to practise. Separate from the words, so that
// each claim has its rule here: nothing is claimed of a topic from one question or two, since luck explains those.

import type { StoredSession } from "../api";

type Result = StoredSession["result"];

export interface Share {
  name: string;
  correct: number;
  total: number;
}

export interface Reached {
  correct: number;
  total: number;
  /** Questions without an answer. */
  open: number;
}

export type Well =
  | ({ kind: "topic" } & Share)
  | { kind: "difficulty"; difficulty: number; correct: number; total: number }
  /** Too few questions of each topic: those with a right answer, the first of them by name. */
  | { kind: "solved"; correct: number; topics: string[] }
  /** No answer was right. */
  | { kind: "tried"; answered: number }
  | { kind: "untried" };

export type Practise =
  /** `isHint` if the topic has few questions. */
  | ({ kind: "topic"; isHint: boolean } & Share)
  | { kind: "wrong"; count: number }
  | { kind: "nothing" };

export interface ReportFindings {
  reached: Reached;
  well: Well;
  /** Undefined where nobody may see which answers were right. */
  practise: Practise | undefined;
}

/** The fewest questions from which anything is claimed. By guessing alone, three in a row are right once in 64 times. */
export const QUESTIONS_MIN = 3;
/** With fewer questions than this, what is to be practised is no more than a hint. */
export const SURE_MIN = 5;
/** The share that went well, and that which is worth practising. */
const GOOD = 0.6;
const WEAK = 0.75;
/** One slip is no weakness. */
const WRONG_MIN = 2;
const NAMED_MAX = 3;

export function findingsOf(result: Result): ReportFindings {
  const { correctAnswers: correct, totalQuestions: total, answers } = result;
  // A question that does not count is not among those of the test.
  const open = answers.filter(({ selected, correction }) => selected === "" && correction !== "drop").length;
  const topics = sharesOf(result);
  const strong = strongest(topics);
  const areHidden = answers.every(({ isCorrect }) => isCorrect === undefined);
  return {
    reached: { correct, total, open },
    well: strong === undefined ? otherwise(result, topics, total - open) : { kind: "topic", ...strong },
    practise: areHidden ? undefined : practiceOf(topics, strong?.name, total - correct),
  };
}

/** The topics by name: a result from elsewhere may name one twice. */
function sharesOf({ topicBreakdown }: Result): Share[] {
  const shares = new Map<string, Share>();
  for (const { topic: name, correct, total } of topicBreakdown) {
    const before = shares.get(name) ?? { name, correct: 0, total: 0 };
    shares.set(name, { name, correct: before.correct + correct, total: before.total + total });
  }
  return [...shares.values()];
}

const shareOf = ({ correct, total }: Share) => correct / total;

function strongest(topics: Share[]): Share | undefined {
  const good = topics.filter((topic) => topic.total >= QUESTIONS_MIN && shareOf(topic) >= GOOD);
  return good.sort((one, other) => shareOf(other) - shareOf(one) || other.total - one.total)[0];
}

function otherwise({ difficultyBreakdown, correctAnswers }: Result, topics: Share[], answered: number): Well {
  if (correctAnswers === 0) return answered === 0 ? { kind: "untried" } : { kind: "tried", answered };
  const good = difficultyBreakdown.filter(({ correct, total }) => total >= QUESTIONS_MIN && correct / total >= GOOD);
  // The hardest that went well says the most.
  const hardest = good.sort((one, other) => other.difficulty - one.difficulty)[0];
  if (hardest !== undefined) return { kind: "difficulty", difficulty: hardest.difficulty, correct: hardest.correct, total: hardest.total };
  const solved = topics.filter(({ correct }) => correct > 0).sort((one, other) => other.correct - one.correct);
  return { kind: "solved", correct: correctAnswers, topics: solved.slice(0, NAMED_MAX).map(({ name }) => name) };
}

function practiceOf(topics: Share[], strong: string | undefined, wrong: number): Practise {
  if (wrong === 0) return { kind: "nothing" };
  const isWeak = (topic: Share) => topic.total >= QUESTIONS_MIN && topic.total - topic.correct >= WRONG_MIN && shareOf(topic) <= WEAK;
  const weak = topics.filter((topic) => topic.name !== strong && isWeak(topic));
  const weakest = weak.sort((one, other) => shareOf(one) - shareOf(other) || other.total - one.total)[0];
  return weakest === undefined ? { kind: "wrong", count: wrong } : { kind: "topic", isHint: weakest.total < SURE_MIN, ...weakest };
}
