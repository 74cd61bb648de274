// Starts whose answer is lost, refused, or someone else's: there is never a second test.

import { beforeEach, expect, test } from "vitest";
import { claimOf, continueTest, keptOf, lookUp, startTest } from "./start";
import type { HttpReply } from "./reply";
import { Memory } from "./testing/memory";
import { findUnderWay, Scene } from "./testing/scene";

let scene: Scene;

beforeEach(() => {
  scene = new Scene();
  let chance = 0;
  scene.time.random = () => (chance = (chance + 0.137) % 1);
});

/** Replaces the first answers to a start, which the server has begun all the same. Undefined stands for no answer. */
function lose(...answers: (HttpReply | undefined)[]): void {
  scene.between(async (method, _path, _body, pass) => {
    if (method !== "POST" || answers.length === 0) return pass();
    await pass();
    const answer = answers.shift();
    if (answer === undefined) throw new Error("lost");
    return answer;
  });
}

const start = (name?: string) => startTest("grade-5", { grade: 5, annotations: name === undefined ? {} : { name } }, scene.platform());

test("a start whose answer is lost, or put off, is repeated with its key", async () => {
  lose(undefined, { status: 429, body: { error: "Too many requests" }, retryAfter: 3 }, { status: 401, body: { error: "Unauthorized" } });
  expect(await start()).toEqual({ kind: "unreachable" });
  expect(await start()).toEqual({ kind: "tooMany", seconds: 3 });
  expect(await start()).toEqual({ kind: "signInNeeded" });
  expect((await start()).kind).toBe("exam");
  expect(new Set(scene.hall.keys).size).toBe(1);
});

test("a student who leaves the name out the second time gets the same test", async () => {
  lose(undefined);
  await start("Ada");
  expect((await start()).kind).toBe("exam");
  expect(new Set(scene.hall.keys).size).toBe(1);
});

test("a start that the server has refused is over, its key too", async () => {
  lose({ status: 400, body: { error: "The grade has fewer than 10 questions" } }, { status: 404, body: { error: "Not found" } }, { status: 403, body: { error: "The exam has not opened yet" } });
  expect(await start()).toEqual({ kind: "invalid", sentence: "The grade has fewer than 10 questions" });
  expect(await start()).toEqual({ kind: "unknown" });
  expect(await start()).toEqual({ kind: "notOpen" });
  expect((await start()).kind).toBe("exam");
  expect(new Set(scene.hall.keys).size).toBe(4);
});

test("whoever may not sit a template is told why, and the next start has a key of its own", async () => {
  const bars = ["Not for this account", "Not open yet", "Closed", "Code required", "Wrong code", "No attempts left"];
  lose(...bars.map((error) => ({ status: 403, body: { error } })));
  for (const bar of bars) expect(await start()).toEqual({ kind: "barred", bar });
  expect((await start()).kind).toBe("exam");
  expect(new Set(scene.hall.keys).size).toBe(bars.length + 1);
});

test("a code of too many is typed again, and never sent again by the page", async () => {
  lose({ status: 429, body: { error: "Too many requests" }, retryAfter: 3 });
  const typed = (accessCode: string) => startTest("grade-5", { grade: 5, accessCode }, scene.platform());
  expect(await typed("APFEL7")).toEqual({ kind: "barred", bar: "Too many codes" });
  expect((await typed("APFEL7")).kind).toBe("exam");
  expect(new Set(scene.hall.keys).size).toBe(1);
});

test("a code may be answered late, and is not kept once it has served", async () => {
  const waits: unknown[] = [];
  const request = scene.hall.request.bind(scene.hall);
  scene.hall.request = (method, path, token, body, waitMs?: number) => {
    if (path === "/api/live") waits.push(waitMs);
    return request(method, path, token, body);
  };
  scene.hall.cut();
  const start = { grade: 5, accessCode: "APFEL7", annotations: { name: "Ada" } };
  expect(await startTest("grade-5", start, scene.platform())).toEqual({ kind: "unreachable" });
  // Until it is known whether the test has begun, it is begun with all of it again.
  expect(scene.memory.kept.get("grade-5")?.record.start).toEqual(start);
  scene.hall.isReachable = true;
  expect((await startTest("grade-5", start, scene.platform())).kind).toBe("exam");
  await scene.time.pass(2_000);
  expect(scene.memory.kept.get("grade-5")?.record.start).toEqual({ grade: 5, annotations: { name: "Ada" } });
  expect(waits).toEqual([25_000, 25_000]);
});

test("the same words with another status are no refusal", async () => {
  lose({ status: 409, body: { error: "Closed" } });
  expect(await start()).toEqual({ kind: "unreachable" });
});

test("what a portal says to a start is no answer", async () => {
  for (const [status, body] of [[200, undefined], [200, "<html>"], [404, undefined], [403, { message: "blocked" }], [403, { error: "Cross-site request refused" }]] as const) {
    lose({ status, body });
    expect(await start()).toEqual({ kind: "unreachable" });
  }
  expect((await start()).kind).toBe("exam");
  expect(new Set(scene.hall.keys).size).toBe(1);
});

test("a link is unknown only by the server's own word", async () => {
  const said = async (status: number, body: unknown) => {
    scene.hall.request = async () => ({ status, body });
    return lookUp("s.t", scene.platform());
  };
  expect(await said(404, { error: "Session not found" })).toBe("unknown");
  expect(await said(403, { error: "Wrong token" })).toBe("unknown");
  expect(await said(403, undefined)).toBe("unreachable");
  expect(await said(200, "<html>")).toBe("unreachable");
});

test("a link that is opened again on a device keeps its line, and what it still has to send", async () => {
  const exam = await scene.started();
  scene.hall.cut();
  exam.choose("q1", "A");
  exam.end("submit");
  await scene.live(exam, 2);
  exam.close();
  scene.hall.isReachable = true;
  // The page of the link asks which test it is, and that of the test goes on with it.
  await lookUp(exam.continuation, scene.platform());
  const again = await continueTest("grade-5", exam.continuation, scene.platform());
  await scene.time.pass(2_000);
  expect([again.kind, scene.hall.newestLine, scene.hall.selected["q1"], scene.hall.submissions]).toEqual(["exam", 1, "A", 1]);
});

test("a device that a link is opened on gets one line", async () => {
  const exam = await scene.started();
  exam.close();
  const other = { ...scene.platform(), attempts: new Memory().tab() };
  await lookUp(exam.continuation, other);
  expect((await continueTest("grade-5", exam.continuation, other)).kind).toBe("exam");
  await scene.time.pass(2_000);
  expect(scene.hall.newestLine).toBe(2);
});

test("a link without a network ends no test in another tab", async () => {
  const exam = await scene.started();
  scene.hall.cut();
  expect(await continueTest("grade-5", exam.continuation, scene.platform())).toEqual({ kind: "unreachable" });
  exam.choose("q1", "A");
  await scene.live(exam, 2);
  scene.hall.isReachable = true;
  await scene.live(exam, 20);
  expect([exam.view.phase, scene.hall.selected["q1"]]).toEqual(["running", "A"]);
});

test("a browser that can't read is not taken for an empty one", async () => {
  const exam = await scene.started();
  exam.close();
  scene.memory.isBroken = true;
  await expect(findUnderWay("grade-5", scene.platform())).rejects.toThrow();
});

test("a test that is over is not said to have arrived while the browser can't be read", async () => {
  const exam = await scene.started();
  scene.hall.cut();
  exam.choose("q1", "A");
  await scene.live(exam, 2);
  exam.close();
  [scene.hall.state, scene.hall.isReachable, scene.memory.isBroken] = ["submitted", true, true];
  expect(await claimOf(scene.platform().attempts, "grade-5")).toBeUndefined();
  expect(await continueTest("grade-5", exam.continuation, scene.platform())).toEqual({ kind: "endUnread", sessionId: "s" });
  scene.memory.isBroken = false;
  const told = await continueTest("grade-5", exam.continuation, scene.platform());
  expect(told.kind === "exam" && [told.exam.view.phase, told.exam.view.lost]).toEqual(["ended", 1]);
});

test("what a device could not read is not written over, although the browser stores again what comes then", async () => {
  const exam = await scene.started();
  scene.hall.cut();
  exam.choose("q1", "A");
  await scene.live(exam, 2);
  exam.close();
  const { attempts } = scene.platform();
  scene.memory.isBroken = true;
  const claimed = await claimOf(attempts, "grade-5");
  scene.memory.isBroken = false;
  // The claim was done after all, only too late to be heard of.
  await attempts.claim("grade-5");
  const record = { test: "grade-5", startKey: "", start: {}, sessionId: "s", token: "t" };
  expect(await keptOf(claimed, record, attempts)).toMatchObject({ isBlind: true, commands: [] });
  const again = await keptOf(await claimOf(attempts, "grade-5"), record, attempts);
  expect([again.isBlind, again.commands.some((command) => command.type === "answer" && command.selected === "A")]).toEqual([undefined, true]);
  const other = await keptOf(await claimOf(attempts, "grade-5"), { ...record, sessionId: "other" }, attempts);
  expect([other.commands, scene.memory.kept.get("grade-5")?.record.sessionId]).toEqual([[], "other"]);
});

test("a test that is over, and of which nothing is kept, says why", async () => {
  const exam = await scene.started();
  exam.close();
  [scene.hall.state, scene.hall.reason] = ["submitted", "proctor"];
  expect(await continueTest("other", exam.continuation, scene.platform())).toEqual({ kind: "ended", sessionId: "s", endedBy: "proctor" });
});
