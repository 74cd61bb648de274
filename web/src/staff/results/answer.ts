// What the server says about results, as it says it: of a sitting, of a template or of a grade.

import type { Choice } from "../../exam/protocol";
import type { StaffResult, StaffResults } from "../../api/schema";

/** Of an id that stands for a name. */
const NAMELESS_LETTERS = 8;

export type { SubjectKind as SourceKind, CandidateState as ResultState } from "../../api/schema";

/** Index into the questions, the chosen option, and 1 if it was right. */
export type AnswerCell = [question: number, chosen: Choice | null, isRight: 0 | 1];

export type { ResultQuestion, StaffResult as ResultRow, StaffResults as Results, ResultSources as Sources } from "../../api/schema";

/** What identifies the row, also one of a candidate without a test. */
export function keyOf(row: StaffResult): string {
  return row.sessionId ?? row.candidateId ?? `${row.student} ${row.account ?? ""}`;
}

/** A test for practice may have been begun without a name, and then has at least the beginning of its id. */
export function studentName({ student, account, sessionId }: StaffResult): string {
  return student !== "" ? student : (account ?? sessionId?.slice(0, NAMELESS_LETTERS) ?? "");
}

/** Whether somebody may still hand in what is not among these results. */
export function isUnderWay(results: StaffResults): boolean {
  return results.rows.some(({ state }) => state === "waiting" || state === "ready" || state === "active" || state === "paused");
}
