// Whether a decision still covers the questions of its grade: what was added, edited, flagged or set back after it.

import { isFirst } from "../first_edit";
import type { Approval, ReviewedBank, ReviewedQuestion, ReviewedEdit, QuestionReview } from "./shapes";

/** What can have happened to a question: all but an approval break a seal. */
export const CHANGE_KINDS = ["added", "edited", "flagged", "reopened", "approved"] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

export interface ChangedQuestion {
  id: string;
  /** Undefined if it is no longer in the bank. */
  question: ReviewedQuestion | undefined;
  kinds: ChangeKind[];
  /** In the order in which they were made. */
  edits: ReviewedEdit[];
  /** A reviewer's decision that is newer than the manager's. */
  review: QuestionReview | undefined;
  /** When it was changed last. */
  atMs: number;
}

/** What has happened since a decision, or ever if there is none. */
export interface Since {
  /** The one that was changed last comes first. */
  questions: ChangedQuestion[];
  /** How many questions more there are than then, beside those that were written here. Nothing says which ones. */
  added: number;
  removed: number;
}

/** `unknown` until the questions have been read. */
export type Seal = "none" | "revision" | "whole" | "broken" | "unknown";

/** The decision that stands: the newest of those that the caller may see. */
export function standing(approvals: Approval[], grade: number): Approval | undefined {
  return approvals.filter((approval) => approval.grade === grade).sort((a, b) => Date.parse(b.decidedAt) - Date.parse(a.decidedAt))[0];
}

/** The decision that the caller's next one replaces. */
export function ownDecision(approvals: Approval[], grade: number, email: string): Approval | undefined {
  return approvals.find((approval) => approval.grade === grade && approval.managerEmail === email);
}

export function changesSince(decision: Approval | undefined, { questions, reviews, edits }: ReviewedBank): Since {
  const sinceMs = decision === undefined ? -Infinity : Date.parse(decision.decidedAt);
  const known = new Map(questions.map((question) => [question.id, question]));
  const changed = new Map<string, ChangedQuestion>();
  const at = (id: string, atMs: number): ChangedQuestion => {
    const found = changed.get(id) ?? { id, question: known.get(id), kinds: [], edits: [], review: undefined, atMs };
    changed.set(id, found);
    found.atMs = Math.max(found.atMs, atMs);
    return found;
  };
  for (const edit of edits) {
    const editedMs = Date.parse(edit.editedAt);
    if (editedMs > sinceMs) at(edit.questionId, editedMs).edits.unshift(edit);
  }
  // Without a decision there is nothing that a review could be later than.
  for (const [id, review] of decision === undefined ? [] : Object.entries(reviews)) {
    const reviewedMs = Date.parse(review.reviewedAt ?? "");
    if (reviewedMs > sinceMs) at(id, reviewedMs).review = review;
  }
  const found = [...changed.values()].map((one) => ({ ...one, kinds: kindsOf(one) })).sort((a, b) => b.atMs - a.atMs);
  const written = found.filter(({ question, kinds }) => question !== undefined && kinds.includes("added")).length;
  const grown = decision?.approved === undefined ? 0 : questions.length - decision.approved - (decision.pending ?? 0) - (decision.flagged ?? 0) - written;
  return { questions: found, added: Math.max(0, grown), removed: Math.max(0, -grown) };
}

function kindsOf({ edits, review }: ChangedQuestion): ChangeKind[] {
  const decided = review && ({ approved: "approved", flagged: "flagged", pending: "reopened" } as const)[review.status];
  const isAdded = edits.some(isFirst);
  return [...(isAdded ? (["added"] as const) : edits.length > 0 ? (["edited"] as const) : []), ...(decided === undefined ? [] : [decided])];
}

export function changeCount({ questions }: Since, kind: ChangeKind): number {
  return questions.filter(({ kinds }) => kinds.includes(kind)).length;
}

/** How many questions are no longer what they were. */
export function changedCount({ questions, added, removed }: Since): number {
  return questions.filter(({ kinds }) => kinds.some((kind) => kind !== "approved")).length + added + removed;
}

export function sealOf(decision: Approval | undefined, since: Since | undefined): Seal {
  if (decision === undefined) return "none";
  if (decision.status === "revision_requested") return "revision";
  if (since === undefined) return "unknown";
  return changedCount(since) > 0 ? "broken" : "whole";
}
