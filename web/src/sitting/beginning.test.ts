// Where an exam stands for a page that has waited for its beginning, from what it was told before and then.

import { expect, test } from "vitest";
import type { BeginFrame, WaitingFrame } from "../exam/protocol";
import { standingAtStart } from "./beginning";

const START = "2026-01-05T09:30:00.000Z";
const PLACE = { sessionId: "s", token: "t", seq: 1 };
const waiting: WaitingFrame = {
  type: "waiting", sessionId: "s", token: "t", sittingId: "id", sitting: "Finals", start: "clock", name: "Ada", room: "B12", seat: "14", grade: 5, mode: "standard",
  stages: 1, minutes: 40, givenMs: 2_400_000, startsAt: START, beginsAt: START, serverTime: "2026-01-05T09:00:00.000Z", sealed: [], ready: true,
};
const begin: BeginFrame = { type: "begin", startedAt: START, keys: { "1": "key" } };

test("the form comes from the waiting room, and the order of options from the beginning", () => {
  const standing = standingAtStart({ ...waiting, form: "B" }, { ...begin, optionOrder: { q2: "CADB" } }, PLACE, Date.parse(START) + 3_000, ["q2", "q1"]);
  expect(standing).toMatchObject({ form: "B", optionOrder: { q2: "CADB" }, questionIds: ["q2", "q1"], remainingMs: 2_397_000 });
});

test("where there is one form and no other order, nothing is said of either", () => {
  const standing = standingAtStart(waiting, begin, PLACE, undefined, ["q1"]);
  expect(Object.keys(standing)).not.toContain("form");
  expect(Object.keys(standing)).not.toContain("optionOrder");
  expect(standing.remainingMs).toBe(2_400_000);
});
