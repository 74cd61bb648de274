// What goes wrong around a start, an end and a sleep: slow databases, answers that never come, tabs left open.

import { beforeEach, expect, test } from "vitest";
import { startTest } from "./start";
import { Scene, examOfScene } from "./testing/scene";

let scene: Scene;
beforeEach(() => {
  scene = new Scene();
});

/** Gives every start a key of its own, as a browser does. */
function differentKeys(): void {
  let last = 0;
  scene.time.random = () => (last = (last * 7 + 0.13) % 1);
}

test("a database that answers only after the start does not stop the test", async () => {
  scene.memory.isBroken = true;
  const exam = examOfScene(await startTest("grade-5", { grade: 5 }, scene.platform()));
  await scene.live(exam, 2);
  scene.hall.cut();
  exam.choose("q1", "A");
  scene.memory.isBroken = false;
  await scene.live(exam, 15);
  expect(exam.view.phase).toBe("running");
  scene.hall.isReachable = true;
  await scene.live(exam, 30);
  expect(scene.hall.selected["q1"]).toBe("A");
});

test("what the browser has thrown away is kept anew", async () => {
  const exam = await scene.started();
  scene.memory.kept.clear();
  scene.memory.owners.clear();
  scene.hall.cut();
  exam.choose("q1", "A");
  await scene.live(exam, 15);
  expect(exam.view.phase).toBe("running");
});

test("a start without an answer is repeated with its key, also where nothing is kept", async () => {
  scene.memory.isBroken = true;
  differentKeys();
  const keys: string[] = [];
  scene.between(async (_method, path, body, pass) => {
    if (path !== "/api/live") return pass();
    keys.push((body as { key: string }).key);
    const answer = await pass();
    if (keys.length === 1) throw new Error("no answer");
    return answer;
  });
  const here = scene.platform();
  expect((await startTest("grade-5", { grade: 5 }, here)).kind).toBe("unreachable");
  await startTest("grade-5", { grade: 5 }, here);
  expect(keys[1]).toBe(keys[0]);
});

test("what came too late by HTTPS is told", async () => {
  const { hall } = scene;
  hall.openSocket = (events) => {
    queueMicrotask(() => events.closed(1006));
    return { send() {}, close() {} };
  };
  const exam = await scene.started();
  await scene.live(exam, 3);
  expect(exam.view.saving).toBe("saved");
  scene.between(async (method, _path, body, pass) => {
    if (method !== "POST") return pass();
    hall.state = "submitted";
    const { commands } = body as { commands: { seq: number }[] };
    const replies = commands.map(({ seq }) => ({ type: "error", code: "already_submitted", error: "The test has been submitted", seq }));
    return { status: 200, body: { saved: 0, replies, remainingMs: 0, deadline: "", state: "submitted" } };
  });
  exam.choose("q1", "A");
  await scene.live(exam, 30);
  expect([exam.view.phase, exam.view.lost]).toEqual(["submitted", 1]);
  const again = await scene.reloaded();
  expect([again.view.phase, again.view.lost]).toEqual(["ended", 1]);
});

test("an intro that lay open beside a running test does not begin a second one over it", async () => {
  differentKeys();
  const exam = await scene.started();
  const key = scene.memory.kept.get("grade-5")?.record.startKey;
  scene.hall.cut();
  exam.choose("q1", "A");
  await scene.live(exam, 1);
  scene.hall.isReachable = true;
  expect((await startTest("grade-5", { grade: 5 }, scene.platform())).kind).toBe("underWay");
  const kept = scene.memory.kept.get("grade-5");
  expect(kept?.record.startKey).toBe(key);
  expect(kept?.commands.some((command) => command.type === "answer" && command.selected === "A")).toBe(true);
});

test("a socket that has come while HTTPS was asked is not torn down again", async () => {
  const exam = await scene.started();
  const { hall } = scene;
  const open = hall.openSocket.bind(hall);
  let [opened, isOpen] = [0, false];
  hall.openSocket = (events) => {
    opened += 1;
    if (!isOpen) {
      queueMicrotask(() => events.closed(1006));
      return { send() {}, close() {} };
    }
    let [real, isClosed] = [undefined as ReturnType<typeof open> | undefined, false];
    // HTTPS is to answer first.
    scene.time.later(3_000, () => {
      if (!isClosed) real = open(events);
    });
    return {
      send: (text) => real?.send(text),
      close: () => {
        isClosed = true;
        real?.close();
      },
    };
  };
  let release = () => {};
  scene.between(async (method, _path, _body, pass) => {
    if (method === "GET") await new Promise<void>((resolve) => (release = resolve));
    return pass();
  });
  hall.close(1006);
  await scene.live(exam, 2);
  isOpen = true;
  exam.retryNow();
  await scene.live(exam, 1);
  release();
  await scene.live(exam, 6);
  const before = opened;
  expect(exam.view.saving).toBe("saved");
  await scene.live(exam, 60);
  expect(opened).toBe(before);
});

test("after a sleep without a network no time is shown until the server has said it", async () => {
  const exam = await scene.started();
  await scene.live(exam, 3);
  scene.hall.cut();
  // The device slept for ten minutes, and its steady clock stood still.
  scene.time.calendarError += 600_000;
  await scene.live(exam, 5);
  expect(exam.remainingMs).toBeUndefined();
  scene.hall.isReachable = true;
  await scene.live(exam, 30);
  expect(exam.remainingMs).toBeGreaterThan(0);
});
