// What others have done to a question and its review since somebody looked at it, so that nothing is overwritten unseen.

import type { Bank, FieldChange, Review, Seen } from "./bank";
import { seenIn } from "./bank";
import { changesBetween } from "./draft";

export interface Meanwhile {
  /** The question and its review as they are now; undefined if the grade has the question no more. */
  present: Seen | undefined;
  changes: FieldChange[];
  /** Whether the review is another one. */
  isReviewed: boolean;
}

/** Undefined if nothing has changed. */
export function meanwhile(seen: Seen, bank: Bank): Meanwhile | undefined {
  const present = seenIn(bank, seen.question.id);
  if (present === undefined) return { present, changes: [], isReviewed: false };
  const changes = changesBetween(seen.question, present.question);
  const isReviewed = !isSameReview(seen.review, present.review);
  return changes.length === 0 && !isReviewed ? undefined : { present, changes, isReviewed };
}

/** The same decision of the same person, whenever it was made. */
export function isSameReview(one: Review, other: Review): boolean {
  const parts = ({ status, reviewedBy = "", note = "" }: Review) => [status, reviewedBy, note].join("\n");
  return parts(one) === parts(other);
}
