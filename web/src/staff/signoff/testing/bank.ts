// A grade with its reviews, edits and decisions for tests, in which only what a test is about has to be said.

import type { Approval, ReviewedBank, ReviewedFieldChange, GradeWork, ReviewedEdit, QuestionReview, ReviewStatus } from "../shapes";

/** A moment of the first of June, by its hour. */
export const hour = (of: number) => `2026-06-01T${String(of).padStart(2, "0")}:00:00.000Z`;

export function questionReview(status: ReviewStatus, at: number, by = "rita", note = ""): QuestionReview {
  return { status, reviewedBy: `${by}@x`, reviewedByName: by, reviewedAt: hour(at), note };
}

export function edit(questionId: string, at: number, changes: ReviewedFieldChange[] = [{ field: "Answer", before: "A", after: "B" }]): ReviewedEdit {
  return { id: `${questionId} ${at}`, questionId, grade: 5, editedBy: "rita@x", editedByName: "Rita", editedAt: hour(at), changes, comment: "" };
}

const QUESTION = {
  grade: 5,
  topic: "Fractions",
  subtopic: "Sums",
  difficulty: 1,
  type: "multiple-choice",
  options: ["1/6", "3/4", "2/6", "1/8"],
  answer: "B" as const,
  explanation: "",
  image: "",
  source: "",
};

/** Questions by id, with their reviews if they have any. */
export function bank(reviews: Record<string, QuestionReview | undefined>, edits: ReviewedEdit[] = []): ReviewedBank {
  const ids = Object.keys(reviews);
  return {
    questions: ids.map((id) => ({ ...QUESTION, id, question: `${id}?` })),
    reviews: Object.fromEntries(ids.map((id) => [id, reviews[id] ?? { status: "pending" as const }])),
    edits: [...edits].sort((a, b) => b.editedAt.localeCompare(a.editedAt)),
  };
}

export function decision(at: number, changes: Partial<Approval> = {}): Approval {
  return { grade: 5, managerEmail: "max@x", managerName: "Max", status: "approved", decidedAt: hour(at), approved: 2, pending: 0, flagged: 0, ...changes };
}

export function work(grade: number, approved: number, pending: number, flagged: number, changes: Partial<GradeWork> = {}): GradeWork {
  return { grade, total: approved + pending + flagged, approved, pending, flagged, reviewers: [], assignedReviewers: [], ...changes };
}
