// The order in which a student sees the options of a question, where it is another one than in the bank. Letters that
// are stored and sent are those of the bank; letters on the page go by position. Nothing else turns one into the other.

import { CHOICES, type Choice, type Selected } from "./protocol";
import type { Question } from "./question";

/**
 * The question with the order of its options, such as `CADB`. A text that has more or fewer options, because it was
 * changed since the order was drawn, is shown as it is.
 */
export function asSeen(question: Question | undefined, order: string | undefined): Question | undefined {
  return question === undefined || order?.length !== question.options.length ? question : { ...question, order };
}

/** The letters by which its options are stored, in the order in which they are shown. */
export function seenChoices({ options, order }: Pick<Question, "options" | "order">): Choice[] {
  return [...(order ?? CHOICES)].slice(0, options.length) as Choice[];
}

/** The letter under which the student sees an option. What has no place in the order stays: no answer, or a number. */
export function seenLetter(selected: Selected, order: string | undefined): string {
  return (selected && order && CHOICES[order.indexOf(selected)]) || selected;
}
