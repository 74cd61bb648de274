// What waits for the user: reviews, sign-offs, results that nobody has released, and messages that other systems did not take.

import type { AgendaEntry } from "../agenda";

export interface GradeProgress {
  grade: number;
  total: number;
  approved: number;
  flagged: number;
  pending: number;
}

export interface GradeApproval {
  grade: number;
  managerEmail: string;
  status: "approved" | "revision_requested";
  decidedAt: string;
  /** The state of the grade's questions when it was decided; absent in old decisions. */
  approved?: number;
  pending?: number;
  flagged?: number;
}

/** A number of questions of each grade that has any. */
export type ByGrade = { grade: number; count: number }[];

export interface ReviewWork {
  /** Questions that nobody has decided on. */
  pending: ByGrade;
  /** Questions that a reviewer has flagged. */
  flagged: ByGrade;
  /** Grades that are reviewed, and that the user has not decided on. */
  unsigned: number[];
  /** Grades whose questions have changed since the user has signed them off. */
  changed: number[];
}

/** Results of sittings that are over, newest first; more would hide everything else. */
const UNRELEASED_MAX = 5;

/** What the progress of the review leaves to do. An admin looks at everybody's decisions, since one is enough. */
export function reviewWork(progress: GradeProgress[], approvals: GradeApproval[], email: string, isAdmin: boolean): ReviewWork {
  const ours = approvals.filter(({ managerEmail }) => isAdmin || managerEmail === email);
  const last = (grade: number) => ours.filter((approval) => approval.grade === grade).sort((a, b) => b.decidedAt.localeCompare(a.decidedAt))[0];
  return {
    pending: counted(progress, "pending"),
    flagged: counted(progress, "flagged"),
    unsigned: reviewedGrades(progress).filter(({ grade }) => last(grade)?.status !== "approved").map(({ grade }) => grade),
    changed: progress.filter((of) => hasChanged(of, last(of.grade))).map(({ grade }) => grade),
  };
}

/** The grades whose questions have all been approved. */
export function reviewedGrades(progress: GradeProgress[]): GradeProgress[] {
  return progress.filter(({ total, pending, flagged }) => total > 0 && pending === 0 && flagged === 0);
}

function counted(progress: GradeProgress[], what: "pending" | "flagged"): ByGrade {
  return progress.filter((of) => of[what] > 0).map((of) => ({ grade: of.grade, count: of[what] }));
}

function hasChanged(of: GradeProgress, decision: GradeApproval | undefined): boolean {
  if (decision?.status !== "approved" || decision.approved === undefined) return false;
  return decision.approved !== of.approved || decision.pending !== of.pending || decision.flagged !== of.flagged;
}

export function sum(counts: ByGrade): number {
  return counts.reduce((total, { count }) => total + count, 0);
}

/** Sittings that are over, and whose results somebody who manages them has still to release. */
export function unreleased(agenda: AgendaEntry[]): AgendaEntry[] {
  return agenda
    .filter(({ state, managed }) => state === "ended" && managed?.results === "held" && !managed.released && managed.counts.submitted > 0)
    .slice(0, UNRELEASED_MAX);
}
