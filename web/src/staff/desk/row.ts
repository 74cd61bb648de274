// One row of a room, as the proctors' socket sends it (docs/live-protocol.md, "Watching as a proctor"), and what can be said of
// it by itself. Fields that a server of an earlier version leaves out are optional.

import { compareTexts } from "../order";

export type RowState = "expected" | "waiting" | "ready" | "active" | "paused" | "submitted" | "absent";
export type RowTrouble = "storage" | "clock" | "paper" | "saving";

export interface Row {
  /** Under which the differences of the row come. */
  n?: number;
  /** Null for a candidate who has not entered. */
  sessionId: string | null;
  student: string;
  account: string | null;
  grade: number;
  templateId: string | null;
  mode: "standard" | "adaptive";
  state: RowState;
  /** Whether their clock stands still, also that of who waits, or is expected in a hall whose time is stopped. */
  standing?: "running" | "paused";
  /** When another device has last taken the test over. */
  takenOverAt?: string | null;
  connected: boolean;
  stage: number;
  answered: number;
  marked: number;
  total: number;
  currentQuestionId: string | null;
  startedAt: string;
  deadline: string;
  away: boolean;
  awayCount: number;
  lastSeenAt: string | null;
  score: number | null;
  sittingId?: string;
  candidateId?: string;
  ready?: boolean;
  room?: string;
  seat?: string;
  factor?: number;
  note?: string;
  attendance?: "present" | "absent";
  attendanceBy?: string;
  admittedBy?: string;
  wrongCodes?: number;
  /** A character for each question so far (`heat.ts`). */
  progress?: string;
  /** The index of the question that the student is at. */
  at?: number | null;
  trouble?: RowTrouble[];
  /** How many commands could not be stored, since the last that was. */
  refused?: number;
}

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
