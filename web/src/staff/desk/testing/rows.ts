// Rows for tests: a student at work unless the test says otherwise.

import type { Row } from "../row";

export function deskRow(changes: Partial<Row> = {}): Row {
  return {
    sessionId: "s1",
    student: "Ada",
    account: null,
    grade: 5,
    templateId: null,
    mode: "standard",
    state: "active",
    connected: true,
    stage: 1,
    answered: 0,
    marked: 0,
    total: 10,
    currentQuestionId: null,
    startedAt: "2026-01-05T09:00:00.000Z",
    deadline: "2026-01-05T10:00:00.000Z",
    away: false,
    awayCount: 0,
    lastSeenAt: "2026-01-05T09:00:00.000Z",
    score: null,
    ...changes,
  };
}

/** A candidate of a sitting. */
export function candidateRow(id: string, changes: Partial<Row> = {}): Row {
  return deskRow({ sessionId: `s-${id}`, candidateId: id, student: id, sittingId: "7c1d", room: "B12", seat: id, ready: false, ...changes });
}
