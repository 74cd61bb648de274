// What the server says about the review of grades and the decisions on them, as far as the pages of sign-off read it.

import type { Approval, AssignedReviewer, Edit, Question, QuestionReview } from "../../api/schema";

export const STATS = "/api/manager/stats";
export const APPROVALS = "/api/manager/approvals";
export const QUESTIONS = "/api/review/questions";
export const EDITS = "/api/review/edit";

/** As many characters as the server takes. */
export const COMMENT_MAX = 10_000;

export type { ReviewStatus, ApprovalStatus, QuestionReview, Approval } from "../../api/schema";
export type { AssignedReviewer as NamedPerson, GradeProgress as GradeWork, ReviewerProgress as ReviewerWork } from "../../api/schema";
export type { Question as ReviewedQuestion, Change as ReviewedFieldChange, Edit as ReviewedEdit } from "../../api/schema";

/** The questions of a grade with what was done to them. */
export interface ReviewedBank {
  questions: Question[];
  /** By question. */
  reviews: Record<string, QuestionReview>;
  /** Newest first. */
  edits: Edit[];
}

export function nameOrEmail({ email, name }: AssignedReviewer): string {
  return name === "" ? email : name;
}

export function reviewerOf({ reviewedBy = "", reviewedByName = "" }: QuestionReview): string {
  return nameOrEmail({ email: reviewedBy, name: reviewedByName });
}

export function managerOf({ managerEmail, managerName }: Approval): string {
  return nameOrEmail({ email: managerEmail, name: managerName });
}
