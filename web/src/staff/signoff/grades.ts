// The order of grades on the page of sign-off, and who works on each.

import { compareTexts } from "../order";
import { lastWork } from "./cover";
import type { Seal } from "./seal";
import { nameOrEmail, type GradeWork, type NamedPerson, type QuestionReview, type ReviewerWork } from "./shapes";

/** How much a grade needs its manager: flags first, then what is pending, then seals that are broken or missing. */
function urgency({ total, flagged, pending }: GradeWork, seal: Seal): number {
  if (total === 0) return 5;
  if (flagged > 0) return 0;
  if (pending > 0) return 1;
  if (seal === "broken") return 2;
  return seal === "none" || seal === "revision" ? 3 : 4;
}

export function inOrder(grades: GradeWork[], sealOfGrade: (grade: number) => Seal): GradeWork[] {
  const place = (work: GradeWork) => urgency(work, sealOfGrade(work.grade));
  return [...grades].sort((a, b) => place(a) - place(b) || a.grade - b.grade);
}

export interface ReviewerRow extends NamedPerson {
  isAssigned: boolean;
  reviewed: number;
  approved: number;
  flagged: number;
  /** The last time they decided on a question; unknown until the reviews have been read. */
  lastMs: number | undefined;
}

/** Those who have reviewed, the most diligent first, and then those who are assigned and have done nothing yet. */
export function reviewersOf({ reviewers, assignedReviewers = [] }: GradeWork, reviews: QuestionReview[]): ReviewerRow[] {
  const assigned = new Set(assignedReviewers.map(({ email }) => email));
  const row = ({ email, name, reviewedCount, approvedCount, flaggedCount }: ReviewerWork): ReviewerRow => ({
    email,
    name: nameOrEmail({ email, name }),
    isAssigned: assigned.has(email),
    reviewed: reviewedCount,
    approved: approvedCount,
    flagged: flaggedCount,
    lastMs: lastWork(reviews.filter(({ reviewedBy }) => reviewedBy === email)),
  });
  const atWork = new Set(reviewers.map(({ email }) => email));
  const idle = assignedReviewers.filter(({ email }) => !atWork.has(email));
  const nothing = { reviewedCount: 0, approvedCount: 0, flaggedCount: 0 };
  const busy = reviewers.map(row).sort((a, b) => b.reviewed - a.reviewed || compareTexts(a.name, b.name));
  return [...busy, ...idle.map((person) => row({ ...person, ...nothing }))];
}
