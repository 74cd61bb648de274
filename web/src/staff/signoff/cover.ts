// What a decision covers: the figures that its dialog says, and whether they are still true when it is sent.

import { changedCount, changesSince, sealOf } from "./seal";
import type { Approval, ReviewedBank, QuestionReview, ReviewStatus } from "./shapes";

export interface ReviewCounts {
  total: number;
  approved: number;
  pending: number;
  flagged: number;
}

export interface Cover extends ReviewCounts {
  /** Questions that are not what they were at the decision that stands. */
  changed: number;
  /** The latest of what was done to the questions, since equal figures can stand for other questions. */
  latest: string;
  /** The decision that stands. */
  decidedAt: string;
}

export function reviewCounts({ questions, reviews }: ReviewedBank): ReviewCounts {
  const all = questions.map(({ id }) => reviews[id]?.status ?? "pending");
  const count = (status: ReviewStatus) => all.filter((one) => one === status).length;
  return { total: all.length, approved: count("approved"), pending: count("pending"), flagged: count("flagged") };
}

export function coverOf(bank: ReviewedBank, decision: Approval | undefined): Cover {
  return { ...reviewCounts(bank), changed: changedCount(changesSince(decision, bank)), latest: latestOf(bank), decidedAt: decision?.decidedAt ?? "" };
}

function latestOf({ reviews, edits }: ReviewedBank): string {
  const reviewed = Object.values(reviews).reduce((latest, { reviewedAt = "" }) => (reviewedAt > latest ? reviewedAt : latest), "");
  return `${edits[0]?.id ?? ""} ${edits.length} ${reviewed}`;
}

/** Whether nothing that a decision covers has changed from one to the other. */
export function isSameBank(one: Cover, other: Cover): boolean {
  return one.total === other.total && hasSameStates(one, other) && one.latest === other.latest;
}

/** Whether the dialog that says the one would say the other. */
export function isSameCover(one: Cover, other: Cover): boolean {
  return isSameBank(one, other) && one.changed === other.changed && one.decidedAt === other.decidedAt;
}

/** Whether as many questions are in each state. */
export function hasSameStates(one: Omit<ReviewCounts, "total">, other: Omit<ReviewCounts, "total">): boolean {
  return one.approved === other.approved && one.pending === other.pending && one.flagged === other.flagged;
}

/** The caller's earlier decision if giving it again would say what it has said: a seal that is broken would be whole by that. */
export function toGiveAgain(own: Approval | undefined, bank: ReviewedBank): Approval | undefined {
  return own !== undefined && sealOf(own, changesSince(own, bank)) !== "broken" ? own : undefined;
}

/** The last time that a reviewer has decided on one of these questions. */
export function lastWork(reviews: Iterable<QuestionReview>): number | undefined {
  let last: number | undefined;
  for (const { reviewedAt } of reviews) {
    const ms = Date.parse(reviewedAt ?? "");
    if (!Number.isNaN(ms)) last = Math.max(last ?? ms, ms);
  }
  return last;
}
