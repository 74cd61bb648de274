// What the server says about the review of grades and the decisions on them, as far as the pages of sign-off read it.

export const STATS = "/api/manager/stats";
export const APPROVALS = "/api/manager/approvals";
export const QUESTIONS = "/api/review/questions";
export const EDITS = "/api/review/edit";

/** As many characters as the server takes. */
export const COMMENT_MAX = 10_000;

export type ReviewStatus = "approved" | "flagged" | "pending";
export type ApprovalStatus = "approved" | "revision_requested";

export interface NamedPerson {
  email: string;
  name: string;
}

export interface ReviewerWork extends NamedPerson {
  reviewedCount: number;
  approvedCount: number;
  flaggedCount: number;
}

export interface GradeWork {
  grade: number;
  total: number;
  approved: number;
  flagged: number;
  pending: number;
  /** Those whose decisions count now. */
  reviewers: ReviewerWork[];
  assignedReviewers?: NamedPerson[];
}

/** A manager's latest decision on a grade. */
export interface Approval {
  grade: number;
  managerEmail: string;
  managerName: string;
  status: ApprovalStatus;
  comment?: string;
  decidedAt: string;
  /** The state of the grade's questions when it was decided; absent in old decisions. */
  approved?: number;
  pending?: number;
  flagged?: number;
}

export interface ReviewedQuestion {
  id: string;
  topic: string;
  question: string;
}

/** The latest decision of a reviewer on a question. One that was never reviewed is pending, without the rest. */
export interface QuestionReview {
  status: ReviewStatus;
  reviewedBy?: string;
  reviewedByName?: string;
  reviewedAt?: string;
  note?: string;
}

export interface ReviewedFieldChange {
  /** `Question`, `Option A` to `Option D`, `Answer`, `Explanation`, `Image` or `Image description`. */
  field: string;
  before: string;
  after: string;
}

export interface ReviewedEdit {
  id: string;
  questionId: string;
  editedBy: string;
  editedByName: string;
  editedAt: string;
  changes: ReviewedFieldChange[];
  comment: string;
}

/** The questions of a grade with what was done to them. */
export interface ReviewedBank {
  questions: ReviewedQuestion[];
  /** By question. */
  reviews: Record<string, QuestionReview>;
  /** Newest first. */
  edits: ReviewedEdit[];
}

export function nameOrEmail({ email, name }: NamedPerson): string {
  return name === "" ? email : name;
}

export function reviewerOf({ reviewedBy = "", reviewedByName = "" }: QuestionReview): string {
  return nameOrEmail({ email: reviewedBy, name: reviewedByName });
}

export function managerOf({ managerEmail, managerName }: Approval): string {
  return nameOrEmail({ email: managerEmail, name: managerName });
}
