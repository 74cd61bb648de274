// A sitting and a candidate as the server answers them, for tests.

import type { Candidate, Explained, Room, Sitting } from "../shapes";

export function room(changes: Partial<Room> = {}): Room {
  return {
    id: "r1",
    name: "B12",
    code: "AAAAA",
    proctors: [],
    startsAt: null,
    endsAt: null,
    factor: null,
    extraMinutes: null,
    begunAt: null,
    candidates: 0,
    grantedMs: 0,
    ...changes,
  };
}

export function sitting(changes: Partial<Sitting> = {}): Sitting {
  return {
    id: "s1",
    name: "Finals",
    templateId: "t1",
    template: "Paper A",
    minutes: 60,
    startsAt: "2027-06-01T02:00:00.000Z",
    start: "clock",
    perRoom: false,
    doorsAt: "2027-06-01T01:30:00.000Z",
    entryUntil: null,
    endsAt: null,
    late: "cut",
    results: "held",
    code: "K7PQ2",
    openedAt: null,
    begunAt: null,
    releasedAt: null,
    endedAt: null,
    eventId: null,
    publish: false,
    webhookUrl: null,
    markScale: null,
    state: "draft",
    released: false,
    counts: { total: 0, expected: 0, waiting: 0, ready: 0, active: 0, paused: 0, submitted: 0, absent: 0 },
    rooms: [],
    version: 1,
    grantedMs: 0,
    createdBy: "head@school.example",
    createdAt: "2027-05-01T02:00:00.000Z",
    ...changes,
  };
}

export function candidate(changes: Partial<Candidate> = {}): Candidate {
  return {
    id: "c1",
    email: "ada@school.example",
    name: "Ada",
    room: null,
    seat: null,
    factor: 100,
    extraMinutes: 0,
    startsAt: null,
    endsAt: null,
    note: null,
    state: "expected",
    sessionId: null,
    hasAccessCode: false,
    grantedMs: 0,
    ...changes,
  };
}

export function explained(changes: Partial<Explained> = {}): Explained {
  const startsAt = { value: "2027-06-01T02:00:00.000Z", source: "sitting" as const };
  return {
    candidateId: "c1",
    start: startsAt,
    begin: startsAt,
    minutes: { value: 60, source: "template" },
    factor: { value: 100, source: "sitting" },
    extra: { value: 0, source: "sitting" },
    end: null,
    extendedMinutes: 0,
    pausedMilliseconds: 0,
    enteredAt: null,
    base: null,
    deadline: null,
    ...changes,
  };
}
