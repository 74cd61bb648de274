import { beforeEach, expect, test } from "vitest";
import { isInReach } from "./answers";
import { Scene } from "./testing/scene";

let scene: Scene;

beforeEach(() => {
  scene = new Scene();
});

test("an answer is on its way, then saved, and the first question counts as visited", async () => {
  const exam = await scene.started();
  expect(exam.view.saving).toBe("saved");
  scene.hall.isMute = true;
  exam.choose("q1", "B");
  expect(exam.view.saving).toBe("saving");
  scene.hall.isMute = false;
  scene.hall.close(1006);
  await scene.live(exam, 5);
  expect(exam.view.saving).toBe("saved");
  expect(scene.hall.selected).toEqual({ q1: "B" });
  expect(exam.view.answers["q1"]).toMatchObject({ selected: "B", visited: true });
});

test("ten minutes without a network lose nothing", async () => {
  const exam = await scene.started();
  scene.hall.cut();
  exam.choose("q1", "A");
  exam.go(1);
  exam.choose("q2", "C");
  exam.mark("q2", true);
  expect(exam.view.saving).toBe("offline");
  await scene.live(exam, 600);
  scene.hall.isReachable = true;
  await scene.live(exam, 20);
  expect(exam.view.saving).toBe("saved");
  expect(scene.hall.selected).toEqual({ q1: "A", q2: "C" });
});

test("a network that dies in silence is noticed", async () => {
  const exam = await scene.started();
  scene.hall.cut(false);
  exam.choose("q1", "D");
  await scene.live(exam, 15);
  expect(exam.view.saving).toBe("offline");
  scene.hall.isReachable = true;
  await scene.live(exam, 20);
  expect(scene.hall.selected["q1"]).toBe("D");
});

test("a crash while offline keeps what was done, and the place", async () => {
  const exam = await scene.started();
  exam.go(1);
  await scene.time.pass(100);
  scene.hall.cut();
  exam.choose("q2", "B");
  exam.draw("q2", { v: 1 });
  await scene.time.pass(5_000);
  exam.close();
  const again = await scene.reloaded();
  expect(again.view.answers["q2"]).toMatchObject({ selected: "B", drawing: { v: 1 } });
  expect(again.view.current).toBe(1);
  expect(again.view.saving).toBe("offline");
  scene.hall.isReachable = true;
  await scene.live(again, 20);
  expect(scene.hall.selected["q2"]).toBe("B");
  expect(scene.hall.drawings).toEqual({ q2: { v: 1 } });
});

test("where sockets are broken everything goes by HTTPS", async () => {
  scene.hall.areSocketsBroken = true;
  const exam = await scene.started();
  exam.choose("q1", "A");
  expect(exam.view.saving).toBe("saving");
  await scene.live(exam, 2);
  expect(exam.view.saving).toBe("saved");
  expect(scene.hall.selected["q1"]).toBe("A");
  exam.end("submit");
  await scene.live(exam, 2);
  expect(exam.view.phase).toBe("submitted");
});

test("a pause between the transports never shows an older answer again", async () => {
  scene.hall.areSocketsBroken = true;
  const exam = await scene.started();
  exam.choose("q1", "A");
  await scene.live(exam, 2);
  const old = scene.hall.standing("resumed");
  exam.choose("q1", "B");
  await scene.live(exam, 2);
  scene.hall.areSocketsBroken = false;
  const standing = scene.hall.standing.bind(scene.hall);
  scene.hall.standing = () => old;
  await scene.live(exam, 45);
  scene.hall.standing = standing;
  expect(exam.view.answers["q1"]?.selected).toBe("B");
});

test("a second tab takes over, and the first writes nothing more", async () => {
  const first = await scene.started();
  first.choose("q1", "A");
  await scene.time.pass(100);
  const second = await scene.reloaded();
  expect(first.view.phase).toBe("superseded");
  first.choose("q1", "D");
  await scene.time.pass(1_000);
  expect(second.view.phase).toBe("running");
  expect(second.view.answers["q1"]?.selected).toBe("A");
  expect(scene.hall.selected["q1"]).toBe("A");
});

test("a second tab takes over while there is no network, too", async () => {
  const first = await scene.started();
  scene.hall.cut();
  const second = await scene.reloaded();
  first.choose("q1", "D");
  await scene.time.pass(100);
  expect(first.view.phase).toBe("superseded");
  second.choose("q1", "B");
  scene.hall.isReachable = true;
  await scene.live(second, 20);
  expect(scene.hall.selected["q1"]).toBe("B");
});

test("what another device has written meanwhile stands, what it has not touched is kept", async () => {
  const exam = await scene.started();
  scene.hall.cut();
  exam.choose("q1", "A");
  exam.go(1);
  exam.choose("q2", "A");
  scene.hall.set({ type: "answer", questionId: "q1", selected: "C", timeTaken: 1 }, 50);
  scene.hall.isReachable = true;
  await scene.live(exam, 20);
  expect(scene.hall.selected).toEqual({ q1: "C", q2: "A" });
  expect(exam.view.answers["q1"]?.selected).toBe("C");
});

test("submit goes out after everything else, once, however often it is repeated", async () => {
  const exam = await scene.started();
  scene.hall.cut();
  exam.choose("q1", "A");
  exam.end("submit");
  await scene.live(exam, 5);
  expect(exam.view.ending).toBe("submit");
  exam.choose("q1", "B");
  scene.hall.isReachable = true;
  await scene.live(exam, 20);
  expect(exam.view.phase).toBe("submitted");
  expect(scene.hall.received.at(-1)?.type).toBe("submit");
  expect(scene.hall.submissions).toBe(1);
  expect(scene.hall.selected["q1"]).toBe("A");
  expect(scene.memory.kept.size).toBe(0);
});

test("a lost answer to submit is no second submission", async () => {
  const exam = await scene.started();
  scene.hall.isMute = true;
  exam.end("submit");
  await scene.time.pass(10);
  scene.hall.state = "submitted";
  scene.hall.isMute = false;
  scene.hall.close(1006);
  await scene.live(exam, 20);
  expect(exam.view.phase).toBe("submitted");
  expect(scene.hall.submissions).toBe(0);
});

test("an ending can be taken back while there is no network", async () => {
  const exam = await scene.started();
  scene.hall.cut();
  exam.end("submit");
  exam.goBack();
  exam.choose("q1", "B");
  scene.hall.isReachable = true;
  await scene.live(exam, 20);
  expect(exam.view.phase).toBe("running");
  expect(scene.hall.selected["q1"]).toBe("B");
});

test("stage 1 closes, and stage 2 begins at its first question", async () => {
  scene.hall.stages = 2;
  const exam = await scene.started();
  exam.go(1);
  exam.end("next");
  await scene.time.pass(100);
  expect(exam.view).toMatchObject({ stage: 2, current: 0, questionIds: ["q4", "q5"], ending: null });
  expect(exam.view.answers["q4"]?.visited).toBe(true);
});

test("what is refused as too much, or while the test is paused, is sent again", async () => {
  const exam = await scene.started();
  scene.hall.refusals.set(2, "rate_limited");
  exam.choose("q1", "A");
  expect(exam.view.saving).toBe("saving");
  await scene.time.pass(1_500);
  expect(scene.hall.selected["q1"]).toBe("A");
  scene.hall.isPaused = true;
  exam.choose("q1", "B");
  expect(exam.view.isPaused).toBe(true);
  exam.choose("q1", "C");
  scene.hall.isPaused = false;
  scene.hall.tell({ type: "unpaused", deadline: "", remainingMs: 1_000_000 });
  await scene.time.pass(100);
  expect(scene.hall.selected["q1"]).toBe("B");
  expect(exam.view.saving).toBe("saved");
});

test("the panel opens any question, seen or not, and none that is not there", async () => {
  const exam = await scene.started();
  exam.go(2);
  expect(exam.view.current).toBe(2);
  expect(["q1", "q2", "q3"].map((id) => exam.view.answers[id]?.visited === true)).toEqual([true, false, true]);
  for (const index of [3, -1, 0.5]) exam.go(index);
  expect(exam.view.current).toBe(2);
});

test("in order, what was visited is in reach, and the one after it", async () => {
  const exam = await scene.started();
  const reach = () => exam.view.questionIds.map((_, index) => isInReach(exam.view.answers, exam.view.questionIds, index));
  expect(reach()).toEqual([true, true, false]);
  exam.go(1);
  expect(reach()).toEqual([true, true, true]);
  exam.go(0);
  expect(reach()).toEqual([true, true, true]);
  expect([-1, 3].map((index) => isInReach(exam.view.answers, exam.view.questionIds, index))).toEqual([false, false]);
});

test("the time is the server's, whatever the device's clock says", async () => {
  const exam = await scene.started();
  const alerts: number[] = [];
  exam.alerted = (mark) => alerts.push(mark);
  exam.tick();
  scene.time.calendarError = 86_400_000;
  exam.tick();
  await scene.live(exam, 5);
  expect(Math.round(exam.remainingMs! / 1_000)).toBe(1_800 - 5);
  scene.hall.tell({ type: "time", serverTime: "", remainingMs: 601_000, deadline: "" });
  await scene.live(exam, 3);
  scene.hall.tell({ type: "alert", remainingMs: 600_000 });
  expect(alerts).toEqual([600_000]);
  scene.hall.remainingMs = 200_000;
  scene.hall.tell({ type: "time", serverTime: "", remainingMs: 200_000, deadline: "" });
  await scene.live(exam, 1);
  expect(alerts).toEqual([600_000, 300_000]);
});

test("after the deadline nothing is changed, and the server's end is waited for", async () => {
  const exam = await scene.started();
  scene.hall.tell({ type: "time", serverTime: "", remainingMs: 2_000, deadline: "" });
  await scene.live(exam, 3);
  expect(exam.view.isTimeUp).toBe(true);
  exam.choose("q1", "A");
  scene.hall.tell({ type: "submitted", sessionId: "s", reportUrl: "", reason: "deadline" });
  expect(exam.view.phase).toBe("submitted");
  expect(scene.hall.selected).toEqual({ q1: null });
});

test("a test that ended while nobody looked is shown as ended", async () => {
  const exam = await scene.started();
  exam.close();
  scene.hall.state = "submitted";
  const again = await scene.reloaded();
  expect(again.view.phase).toBe("ended");
});

test("a session that the server does not know is given up", async () => {
  const exam = await scene.started();
  scene.hall.close(4404);
  expect(exam.view.phase).toBe("refused");
});

test("drawings go out in small batches, the newest of each question", async () => {
  const exam = await scene.started();
  for (let stroke = 1; stroke <= 100; stroke += 1) {
    exam.draw("q1", { stroke });
    await scene.time.pass(20);
  }
  await scene.time.pass(2_000);
  const sent = scene.hall.received.filter((command) => command.type === "drawing");
  expect(sent.length).toBeLessThan(8);
  expect(scene.hall.drawings).toEqual({ q1: { stroke: 100 } });
});

test("what is drawn is kept in a moment, however long the version before is on its way", async () => {
  const exam = await scene.started();
  exam.draw("q1", { v: 1 });
  await scene.time.pass(600);
  scene.hall.isMute = true;
  exam.draw("q1", { v: 2 });
  await scene.time.pass(1_000);
  exam.draw("q1", { v: 3 });
  await scene.time.pass(300);
  const again = await scene.reloaded();
  expect(again.view.answers["q1"]?.drawing).toEqual({ v: 3 });
});

test("a version that arrives does not take away the newer one that is kept", async () => {
  const exam = await scene.started();
  scene.hall.isMute = true;
  exam.draw("q1", { v: 1 });
  await scene.time.pass(1_000);
  exam.draw("q1", { v: 2 });
  await scene.time.pass(300);
  scene.hall.isMute = false;
  exam.choose("q1", "A");
  await scene.time.pass(60);
  exam.close();
  scene.hall.cut();
  const again = await scene.reloaded();
  expect(again.view.answers["q1"]?.drawing).toEqual({ v: 2 });
});
