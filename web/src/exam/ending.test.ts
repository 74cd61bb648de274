// How a test ends: submitted once, at the deadline, across a pause, and never with a loss that the student does not learn of.

import { beforeEach, expect, test } from "vitest";
import type { Exam } from "./exam";
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

test("a submit that got lost on its way is not made once the student has gone on with another device", async () => {
  const exam = await scene.started();
  exam.choose("q1", "A");
  await scene.live(exam, 1);
  scene.hall.cut(false);
  exam.end("submit");
  await scene.live(exam, 1);
  expect(exam.view).toMatchObject({ ending: "submit", canGoBack: false });
  scene.hall.set({ type: "answer", questionId: "q2", selected: "C", timeTaken: 1 }, 9);
  scene.hall.isReachable = true;
  await scene.live(exam, 30);
  expect([exam.view.phase, exam.view.ending, exam.view.saving, scene.hall.submissions]).toEqual(["running", null, "saved", 0]);
  exam.end("submit");
  await scene.live(exam, 2);
  expect([exam.view.phase, scene.hall.submissions]).toEqual(["submitted", 1]);
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

for (const code of ["late", "already_submitted"])
  test(`what the server refuses as ${code} before it says that the test is over is told again after a reload`, async () => {
    const exam = await scene.started();
    await scene.live(exam, 2);
    scene.hall.cut();
    exam.choose("q1", "A");
    await scene.live(exam, 1);
    // The server has been down at the deadline: it takes the session over before it has ended it.
    for (let seq = 1; seq < 9; seq += 1) scene.hall.refusals.set(seq, code);
    scene.hall.isReachable = true;
    await scene.live(exam, 20);
    expect(exam.view).toMatchObject({ phase: "running", answers: { q1: { selected: "A" } } });
    scene.hall.state = "submitted";
    scene.hall.tell({ type: "submitted", sessionId: "s", reportUrl: "", reason: "deadline" });
    await scene.live(exam, 1);
    for (const { view } of [exam, await scene.reloaded(), await scene.reloaded()]) expect([view.lost, view.endedBy]).toEqual([1, "deadline"]);
  });

/** The test ends at its deadline with what this page has not sent. */
async function endOffline(exam: Exam): Promise<void> {
  [scene.hall.state, scene.hall.isReachable] = ["submitted", true];
  await scene.live(exam, 20);
  expect([exam.view.phase, exam.view.lost]).toEqual(["submitted", 1]);
  exam.close();
}

test("a loss is told again after a reload, though the browser's database had not stored it at the end", async () => {
  for (const trouble of ["fails", "is busy", "never answers again"] as const) {
    scene = new Scene();
    const exam = await scene.started();
    scene.hall.cut();
    let write = () => {};
    if (trouble === "fails") scene.memory.isBroken = true;
    else scene.memory.busy = new Promise((resolve) => (write = resolve));
    exam.choose("q1", "A");
    await endOffline(exam);
    scene.memory.isBroken = false;
    if (trouble === "is busy") write();
    scene.memory.busy = undefined;
    const again = await scene.reloaded();
    expect([again.view.phase, again.view.lost], trouble).toEqual(["ended", 1]);
    await again.forget();
    expect([scene.memory.kept.size, scene.memory.handovers.size], trouble).toEqual([0, 0]);
  }
});

test("a drawing is told again as lost that was being drawn in the last moment", async () => {
  const exam = await scene.started();
  scene.hall.cut();
  [scene.hall.state, scene.hall.isReachable] = ["submitted", true];
  scene.hall.openSocket = ((open) => (events) => {
    exam.draw("q1", { v: 1 });
    return open(events);
  })(scene.hall.openSocket.bind(scene.hall));
  await scene.live(exam, 20);
  for (const { view } of [exam, await scene.reloaded()]) expect(view.lost).toBe(1);
});

test("a stroke of the last moment is told as lost by the page that is loaded while the first one still asks the server", async () => {
  const exam = await scene.started();
  await scene.live(exam, 2);
  let isAsked = false;
  scene.between((method, _path, _body, pass) => (method === "GET" && !isAsked ? ((isAsked = true), new Promise(() => {})) : pass()));
  exam.draw("q1", { v: 1 });
  scene.hall.state = "submitted";
  scene.hall.tell({ type: "submitted", sessionId: "s", reportUrl: "", reason: "deadline" });
  await scene.time.pass(1_000);
  expect([exam.view.phase, isAsked]).toEqual(["running", true]);
  exam.leave();
  exam.close();
  expect((await scene.reloaded()).view.lost).toBe(1);
});

test("what came too late is sent after all when a proctor gives more time, and is no loss then", async () => {
  for (const news of ["a frame", "a new connection", "a reload"] as const) {
    scene = new Scene();
    const exam = await scene.started();
    for (let seq = 1; seq < 9; seq += 1) scene.hall.refusals.set(seq, "late");
    exam.choose("q1", "A");
    await scene.live(exam, 1);
    scene.hall.refusals.clear();
    expect(scene.hall.selected["q1"] ?? null).toBeNull();
    if (news === "a frame") scene.hall.tell({ type: "extended", deadline: "", remainingMs: 600_000, minutes: 10 });
    if (news === "a new connection") scene.hall.close(1006);
    const page = news === "a reload" ? await scene.reloaded() : exam;
    await scene.live(page, 5);
    expect([page.view.answers["q1"]?.selected, scene.hall.selected["q1"]], news).toEqual(["A", "A"]);
    scene.hall.state = "submitted";
    scene.hall.tell({ type: "submitted", sessionId: "s", reportUrl: "", reason: "deadline" });
    await scene.live(page, 1);
    expect([page.view.lost, scene.memory.kept.size], news).toEqual([0, 0]);
  }
});

test("what came too late is no loss when a later change of the same kind arrived", async () => {
  const exam = await scene.started();
  for (let seq = 1; seq < 9; seq += 1) scene.hall.refusals.set(seq, "late");
  exam.choose("q1", "A");
  await scene.live(exam, 1);
  scene.hall.refusals.clear();
  exam.choose("q1", "C");
  await scene.live(exam, 1);
  scene.hall.state = "submitted";
  scene.hall.tell({ type: "submitted", sessionId: "s", reportUrl: "", reason: "deadline" });
  await scene.live(exam, 1);
  expect([exam.view.lost, scene.hall.selected["q1"]]).toEqual([0, "C"]);
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
