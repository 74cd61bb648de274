import { afterEach, expect, test, vi } from "vitest";
import { isPast, loadOwn, nextDoorsIn, type OwnSitting } from "./own";

const OWN: OwnSitting = {
  id: "0b0e", name: "Final exam", code: "K7PQ2", state: "expected", may: "wait", startsAt: "2026-01-05T09:00:00.000Z", doorsAt: "2026-01-05T08:45:00.000Z",
  minutes: 75, room: null, seat: null, sessionId: null, released: false,
};
const NOW = Date.parse("2026-01-05T08:40:00.000Z");

afterEach(() => void vi.unstubAllGlobals());

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) => vi.stubGlobal("fetch", async () => new Response(JSON.stringify(body), { status, headers }));

test("the list comes with the server's time", async () => {
  answer(200, { sittings: [OWN] }, { Date: new Date(NOW).toUTCString() });
  expect(await loadOwn()).toEqual({ kind: "loaded", sittings: [OWN], serverMs: NOW });
});

test("who is not signed in is asked to, and anything else is a network that fails", async () => {
  answer(401, { error: "Unauthorized" });
  expect(await loadOwn()).toEqual({ kind: "signIn" });
  answer(200, { hello: "portal" });
  expect(await loadOwn()).toEqual({ kind: "unreachable" });
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network")));
  expect(await loadOwn()).toEqual({ kind: "unreachable" });
});

test("the page wakes for the doors that open next", () => {
  const later = { ...OWN, doorsAt: "2026-01-06T08:45:00.000Z" };
  expect(nextDoorsIn([later, OWN], NOW)).toBe(300_000);
  expect(nextDoorsIn([{ ...OWN, doorsAt: "2026-01-05T08:00:00.000Z" }], NOW), "overdue").toBe(0);
  expect(nextDoorsIn([{ ...OWN, may: "enter" }], NOW)).toBeUndefined();
});

test("what is over is past", () => {
  expect(isPast(OWN)).toBe(false);
  expect(isPast({ ...OWN, state: "absent", may: "enter" }), "a proctor may still let someone in").toBe(false);
  expect(isPast({ ...OWN, state: "absent", may: "nothing" })).toBe(true);
  expect(isPast({ ...OWN, state: "submitted", may: "nothing" })).toBe(true);
});
