// What the server says about results, as it says it: of a sitting, of a template or of a grade.

import type { Selected } from "../../exam/protocol";
import type { StaffResult, StaffResults } from "../../api/schema";

/** Of an id that stands for a name. */
const NAMELESS_LETTERS = 8;

export type { SubjectKind as SourceKind, CandidateState as ResultState } from "../../api/schema";

/** Index into the questions, the chosen option or the number as it was typed, and 1 if it was right. */
export type AnswerCell = [question: number, chosen: Selected | null, isRight: 0 | 1];

export type { ResultQuestion, ResultSources as Sources } from "../../api/schema";
export type { ListedSessionVersion as ResultVersion, VersionReason } from "../../api/schema";

/** The document says of an answer only that it is a list. */
export type ResultRow = Omit<StaffResult, "answers"> & { answers: AnswerCell[] };
export type Results = Omit<StaffResults, "rows"> & { rows: ResultRow[] };

/** What identifies the row, also one of a candidate without a test. */
export function keyOf(row: ResultRow): string {
  return row.sessionId ?? row.candidateId ?? `${row.student} ${row.account ?? ""}`;
}

/** A test for practice may have been begun without a name, and then has at least the beginning of its id. */
export function studentName({ student, account, sessionId }: ResultRow): string {
  return student !== "" ? student : (account ?? sessionId?.slice(0, NAMELESS_LETTERS) ?? "");
}

/** Whether the question asked for a number, which was typed. */
export function isNumberResult({ type }: { type: string }): boolean {
  return type === "number";
}

/** Whether somebody may still hand in what is not among these results. */
export function isUnderWay(results: Results): boolean {
  return results.rows.some(({ state }) => state === "waiting" || state === "ready" || state === "active" || state === "paused");
}
