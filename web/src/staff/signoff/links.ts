// The addresses of sign-off, and of the review of questions, which is a page of its own.

export const SIGN_OFF = "/staff/signoff";

/** One grade before its sign-off. */
export function gradeAt(grade: number): string {
  return `${SIGN_OFF}/${grade}`;
}

/** One question of a grade. */
export function questionAt(grade: number, question: string): string {
  return `/staff/questions?${new URLSearchParams({ grade: String(grade), question })}`;
}

/** The questions of a grade that are in this state of review. */
export function questionsIn(state: "pending" | "flagged", grade: number): string {
  return `/staff/questions?${new URLSearchParams({ state, grade: String(grade) })}`;
}
