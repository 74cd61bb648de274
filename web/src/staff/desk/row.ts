// One row of a room, as the proctors' socket sends it (docs/live-protocol.md, "Watching as a proctor"), and what can be said of
// it by itself. Fields that a server of an earlier version leaves out are optional.

import type { NumberedRow } from "../../api/schema";
import { compareTexts } from "../order";

export type { SessionState as RowState, Trouble as RowTrouble } from "../../api/schema";

/** What a server of an earlier version leaves out. */
type Late = "takenOverAt" | "at";
export type Row = Omit<NumberedRow, Late> & Partial<Pick<NumberedRow, Late>>;

/** In the room of a sitting everyone on the roster has a row, so rows are told apart by candidate there. */
export type KeyOf = (row: Row) => string;
export const byCandidate: KeyOf = (row) => row.candidateId ?? row.sessionId ?? "";
export const bySession: KeyOf = (row) => row.sessionId ?? "";

/** They have entered and have not handed in: orders about time reach them. */
export function isHere(row: Row): boolean {
  return row.sessionId !== null && row.state !== "submitted" && row.state !== "absent";
}

export function isWaiting(row: Row): boolean {
  return row.state === "waiting" || row.state === "ready";
}

export function isAtWork(row: Row): boolean {
  return row.state === "active" || row.state === "paused";
}

/** Whether their clock stands still, or will when they come. */
export function isStopped({ standing, state }: Row): boolean {
  return standing === "paused" && state !== "submitted" && state !== "absent";
}

/** What stands for a row in a sentence, if it has no name. */
export function rowName(row: Row): string {
  return row.student || row.account || row.seat || (row.sessionId ?? "").slice(0, 8);
}

/** By room, seat and name; seats by their number, and those without one last. */
export function bySeat(one: Row, other: Row): number {
  return (
    compareTexts(one.room ?? "", other.room ?? "") ||
    Number(one.seat === undefined) - Number(other.seat === undefined) ||
    compareTexts(one.seat ?? "", other.seat ?? "") ||
    compareTexts(rowName(one), rowName(other))
  );
}

export function byRowName(one: Row, other: Row): number {
  return compareTexts(rowName(one), rowName(other));
}
