import { beforeEach, expect, test } from "vitest";
import type { Platform } from "../exam/ports";
import { Memory } from "../exam/testing/memory";
import { MovedTime } from "../exam/testing/time";
import { enter, type Entering, type EnteringStore } from "./enter";
import { Doors } from "./testing/doors";

let doors: Doors;
let platform: Platform;
let kept: Entering | undefined;
const entering: EnteringStore = { find: () => kept, keep: (now) => (kept = now) };
let count = 0;

beforeEach(() => {
  const time = new MovedTime();
  // Each number is another, so that two keys are never the same by chance.
  time.random = () => (count += 7) / 36 - Math.floor((count * 1) / 36);
  doors = new Doors(time);
  platform = { network: doors, timing: time, attempts: new Memory().tab() };
  kept = undefined;
});

const go = (access = "9F3KT-T2M7X") => enter({ code: "K7PQ2" }, access, platform, entering);

test("a candidate enters with the code of the sitting and their own", async () => {
  expect(await go()).toMatchObject({ kind: "waiting", frame: { name: "Ada" } });
  expect(doors.entered[0]).toMatchObject({ type: "enter", code: "K7PQ2", access: "9F3KT-T2M7X" });
  expect(kept, "an answered entry leaves nothing behind").toBeUndefined();
});

test("who is signed in needs no code, and who comes late is told where it stands", async () => {
  doors.begin();
  expect(await go("")).toMatchObject({ kind: "begun", standing: { type: "resumed" } });
  expect(doors.entered[0]).not.toHaveProperty("access");
});

test("each refusal has its own outcome", async () => {
  const outcome = (status: number, code: string, more = {}) => {
    doors.refusal = { status, code, ...more };
    return go();
  };
  expect(await outcome(403, "entry_closed")).toEqual({ kind: "entryClosed" });
  expect(await outcome(404, "not_expected")).toEqual({ kind: "notExpected" });
  expect(await outcome(400, "bad_message")).toEqual({ kind: "notExpected" });
  expect(await outcome(409, "already_submitted")).toEqual({ kind: "handedIn" });
  expect(await outcome(429, "rate_limited")).toEqual({ kind: "tooMany", seconds: 7 });
  expect(await outcome(503, "storage_unavailable")).toEqual({ kind: "unreachable" });
  const doorsAt = "2026-01-05T09:10:00.000Z";
  expect(await outcome(403, "not_open", { doorsAt }), "by the server's clock").toEqual({ kind: "notOpen", doorsAt: Date.parse(doorsAt), doorsInMs: 660_000 });
});

test("an entry without an answer is repeated with its key, and another code gets another", async () => {
  doors.isReachable = false;
  expect(await go()).toEqual({ kind: "unreachable" });
  const key = kept?.key;
  expect(key).toMatch(/^[a-z0-9]{32}$/);
  doors.isReachable = true;
  doors.refusal = { status: 503, code: "storage_unavailable" };
  await go();
  await go("AAAA-AAAA");
  expect(doors.entered[0]?.key).toBe(key);
  expect(doors.entered[1]?.key).not.toBe(key);
});

test("a filter that answers in the server's place is no refusal", async () => {
  const request = doors.request.bind(doors);
  doors.request = async () => ({ status: 403, body: undefined });
  expect(await go()).toEqual({ kind: "unreachable" });
  doors.request = request;
});
