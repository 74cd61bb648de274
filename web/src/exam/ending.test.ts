// How a test ends: submitted once, at the deadline, across a pause, and never with a loss that the student does not learn of.

import { beforeEach, expect, test } from "vitest";
import { Scene } from "./testing/scene";

let scene: Scene;

beforeEach(() => {
  scene = new Scene();
});

for (const [ending, isEnded] of [["submit", () => scene.hall.state === "submitted"], ["next", () => scene.hall.stage === 2]] as const)
  test(`${ending} that crosses a pause is sent again after it`, async () => {
    scene.hall.stages = 2;
    const exam = await scene.started();
    scene.hall.isPaused = true;
    exam.end(ending);
    await scene.live(exam, 1);
    expect(exam.view.isPaused).toBe(true);
    scene.hall.isPaused = false;
    scene.hall.tell({ type: "unpaused", deadline: "", remainingMs: 1_000_000 });
    await scene.live(exam, 2);
    expect(isEnded()).toBe(true);
  });

test("what did not arrive before the deadline is counted, and kept until the student has seen it", async () => {
  const exam = await scene.started();
  exam.choose("q2", "B");
  await scene.live(exam, 1);
  scene.hall.cut();
  exam.choose("q1", "A");
  exam.mark("q1", true);
  exam.draw("q3", { v: 1 });
  exam.go(1);
  exam.choose("q2", "B");
  await scene.live(exam, 5);
  scene.hall.state = "submitted";
  scene.hall.isReachable = true;
  await scene.live(exam, 20);
  expect([exam.view.phase, exam.view.lost]).toEqual(["submitted", 2]);
  expect(scene.memory.kept.size).toBe(1);
  const again = await scene.reloaded();
  expect([again.view.phase, again.view.lost]).toEqual(["ended", 2]);
  await again.forget();
  expect(scene.memory.kept.size).toBe(0);
});

test("what the server has saved without having said so is not counted as lost", async () => {
  const exam = await scene.started();
  scene.hall.isMute = true;
  exam.choose("q1", "A");
  scene.hall.set({ type: "answer", questionId: "q1", selected: "A", timeTaken: 0 }, 2);
  scene.hall.state = "submitted";
  scene.hall.tell({ type: "submitted", sessionId: "s", reportUrl: "", reason: "deadline" });
  await scene.live(exam, 1);
  expect([exam.view.phase, exam.view.lost]).toEqual(["submitted", 0]);
  expect(scene.memory.kept.size).toBe(0);
});

test("who has gone on with another device since has not handed in", async () => {
  const exam = await scene.started();
  scene.hall.cut();
  exam.choose("q1", "A");
  exam.end("submit");
  await scene.live(exam, 1);
  for (const [index, questionId] of ["q2", "q3"].entries()) scene.hall.set({ type: "answer", questionId, selected: "C", timeTaken: 1 }, 5 + index);
  scene.hall.isReachable = true;
  await scene.live(exam, 20);
  expect(exam.view).toMatchObject({ phase: "running", ending: null, saving: "saved" });
  expect(scene.hall.selected).toMatchObject({ q1: "A", q2: "C", q3: "C" });
});

test("a submit that may be on its way can't be taken back", async () => {
  const exam = await scene.started();
  scene.hall.isMute = true;
  exam.end("submit");
  await scene.time.pass(10);
  scene.hall.isMute = false;
  scene.hall.cut();
  await scene.live(exam, 1);
  expect(exam.view.canGoBack).toBe(false);
  exam.goBack();
  expect(exam.view.ending).toBe("submit");
  scene.hall.isReachable = true;
  await scene.live(exam, 20);
  expect(exam.view.phase).toBe("submitted");
});

test("what was being drawn when a pause came is kept, and sent after it", async () => {
  const exam = await scene.started();
  scene.hall.isPaused = true;
  scene.hall.tell({ type: "paused" });
  exam.draw("q1", { v: 1 });
  await scene.live(exam, 5);
  expect(scene.hall.drawings).toEqual({});
  scene.hall.isPaused = false;
  scene.hall.tell({ type: "unpaused", deadline: "", remainingMs: 1_000_000 });
  await scene.live(exam, 1);
  expect(scene.hall.drawings).toEqual({ q1: { v: 1 } });
});

test("the time that a page is away does not count, also when a pause ends meanwhile", async () => {
  const exam = await scene.started();
  exam.away(true);
  scene.hall.tell({ type: "paused" });
  scene.hall.tell({ type: "unpaused", deadline: "", remainingMs: 1_000_000 });
  await scene.live(exam, 60);
  exam.away(false);
  await scene.live(exam, 2);
  exam.choose("q1", "A");
  await scene.time.pass(100);
  expect(scene.hall.received.at(-1)?.timeTaken).toBeLessThan(5);
});

test("a page learns why the test is over from the server", async () => {
  for (const reason of ["student", "deadline", "proctor"] as const) {
    scene = new Scene();
    const exam = await scene.started();
    expect(exam.view.endedBy).toBeNull();
    scene.hall.tell({ type: "submitted", sessionId: "s", reportUrl: "", reason, result: null });
    await scene.live(exam, 1);
    expect([exam.view.phase, exam.view.endedBy]).toEqual(["submitted", reason]);
  }
});

test("a page that was away at the end learns the true reason, whatever it had asked for itself", async () => {
  for (const reason of ["student", "deadline", "proctor"] as const)
    for (const isSocketless of [false, true])
      for (const away of ["submits", "waits", "is up"] as const) {
        scene = new Scene();
        const exam = await scene.started();
        scene.hall.cut();
        scene.hall.areSocketsBroken = isSocketless;
        if (away === "submits") exam.end("submit");
        await scene.live(exam, away === "is up" ? 1_801 : 2);
        [scene.hall.state, scene.hall.reason, scene.hall.isReachable] = ["submitted", reason, true];
        await scene.live(exam, 20);
        expect([exam.view.phase, exam.view.endedBy], `${away}, then ${reason}`).toEqual(["submitted", reason]);
        const again = scene.memory.kept.size === 0 ? undefined : await scene.reloaded();
        expect(again?.view.endedBy ?? reason).toBe(reason);
      }
});

test("a loss is told with the reason of the end, at first and after a reload", async () => {
  const exam = await scene.started();
  scene.hall.cut();
  exam.choose("q1", "A");
  exam.end("submit");
  await scene.live(exam, 2);
  [scene.hall.state, scene.hall.reason, scene.hall.isReachable] = ["submitted", "proctor", true];
  await scene.live(exam, 20);
  const again = await scene.reloaded();
  for (const { view } of [exam, again]) expect([view.lost, view.endedBy]).toEqual([1, "proctor"]);
});

test("what the server has stored at the end is counted, and when it said so is its own time", async () => {
  const nine = "2026-01-05T09:00:00.000Z";
  scene.hall.serverTime = nine;
  scene.time.calendarError = 86_400_000;
  const exam = await scene.started();
  exam.choose("q1", "A");
  exam.choose("q2", "B");
  exam.choose("q2", null);
  exam.mark("q3", true);
  await scene.live(exam, 1);
  expect([exam.view.answered, exam.view.storedAt]).toEqual([null, null]);
  exam.end("submit");
  await scene.live(exam, 2);
  expect([exam.view.phase, exam.view.answered]).toEqual(["submitted", 1]);
  const passedMs = (exam.view.storedAt ?? 0) - Date.parse(nine);
  expect(passedMs).toBeGreaterThan(0);
  expect(passedMs).toBeLessThan(5_000);
});

test("who was away at the end is told what the server has, and no time that is not known", async () => {
  const exam = await scene.started();
  exam.choose("q1", "A");
  await scene.live(exam, 1);
  scene.hall.cut();
  exam.choose("q2", "B");
  await scene.live(exam, 2);
  [scene.hall.state, scene.hall.isReachable] = ["submitted", true];
  await scene.live(exam, 20);
  expect(exam.view).toMatchObject({ phase: "submitted", lost: 1, answered: 1, storedAt: null });
});
