// What a report says of a result that was changed after the test, and of questions that were corrected.

import type { Choice } from "../../exam/protocol";
import { writtenMark } from "../../marks/written";
import type { Language } from "../../texts/choice.svelte";
import type { ReportTexts } from "../../texts/report/en";
import type { AnswerLine, StoredSession } from "../api";

/** That the result was changed, why, and what score and mark were before; undefined of the first one. */
export function changeOf({ reason, previous, result, mark }: StoredSession, words: ReportTexts, language: Language): string | undefined {
  if (previous === undefined) return undefined;
  const because = words.changedBecause[reason ?? "submitted"];
  const score = previous.score === result.score ? words.changedSame(because, result.score) : words.changed(because, previous.score);
  if (previous.mark === undefined) return score;
  const before = writtenMark(previous.mark.text, language);
  return `${score} ${previous.mark.text === mark?.text ? words.markSame(before) : words.markBefore(before)}`;
}

/** Whether the question is one to look at again. One that does not count is neither right nor wrong. */
export function isWrong({ isCorrect, correction }: AnswerLine): boolean {
  return isCorrect !== true && correction !== "drop";
}

/** Whether this option counts as right. */
export function isRightOption({ correct, alsoCorrect = [] }: AnswerLine, letter: Choice): boolean {
  return correct === letter || alsoCorrect.includes(letter);
}
