// Sockets and requests that break, lie or come late: nothing is lost, and nothing waits for ever.

import { beforeEach, expect, test } from "vitest";
import { Scene } from "./testing/scene";

let scene: Scene;

beforeEach(() => {
  scene = new Scene();
});

/** Sockets resume, and at the first command they break, or swallow it and everything after it. */
function spoilSockets(isBroken: boolean): void {
  const { hall } = scene;
  const open = hall.openSocket.bind(hall);
  hall.openSocket = (events) => {
    const socket = open(events);
    const send = (text: string) => {
      if (text.includes("resume")) return socket.send(text);
      if (isBroken) {
        socket.close();
        events.closed(1006);
      }
    };
    return { ...socket, send };
  };
}

for (const isBroken of [true, false])
  test(`sockets that resume and then ${isBroken ? "break" : "swallow all"} lead to HTTPS`, async () => {
    spoilSockets(isBroken);
    const exam = await scene.started();
    exam.choose("q1", "A");
    await scene.live(exam, 60);
    expect(scene.hall.selected["q1"]).toBe("A");
    expect(exam.view.saving).toBe("saved");
    exam.choose("q1", "B");
    await scene.live(exam, 60);
    expect(scene.hall.selected["q1"]).toBe("B");
  });

test("a socket that ends each time it has resumed is tried less and less often", async () => {
  const exam = await scene.started();
  let opened = 0;
  const open = scene.hall.openSocket.bind(scene.hall);
  scene.hall.openSocket = (events) => {
    opened += 1;
    return open({ ...events, message: (text) => (events.message(text), events.closed(1011)) });
  };
  scene.hall.close(1011);
  await scene.live(exam, 60);
  expect(opened).toBeLessThan(12);
});

test("the page of a portal in place of an answer is no answer", async () => {
  const exam = await scene.started();
  const { request } = scene.hall;
  scene.hall.areSocketsBroken = true;
  scene.hall.request = async () => ({ status: 200, body: undefined });
  scene.hall.close(1006);
  exam.choose("q1", "A");
  await scene.live(exam, 30);
  expect(exam.view.saving).toBe("offline");
  scene.hall.request = request;
  scene.hall.remainingMs = 120_000;
  await scene.live(exam, 60);
  expect(scene.hall.selected["q1"]).toBe("A");
  expect(exam.remainingMs).toBeLessThanOrEqual(120_000);
});

test("a portal that answers commands with its page has not saved them", async () => {
  scene.hall.areSocketsBroken = true;
  const exam = await scene.started();
  let isPortal = true;
  let posts = 0;
  scene.between(async (method, _path, _body, pass) => {
    posts += Number(method === "POST");
    return method === "POST" && isPortal ? { status: 200, body: "<html>" } : pass();
  });
  exam.choose("q1", "A");
  await scene.live(exam, 60);
  expect(exam.view.saving).not.toBe("saved");
  expect(posts).toBeLessThan(20);
  isPortal = false;
  await scene.live(exam, 30);
  expect(scene.hall.selected["q1"]).toBe("A");
});

test("a filter's refusal ends nothing, the server's own keeps what is here until a new test is begun", async () => {
  const exam = await scene.started();
  scene.hall.cut();
  exam.choose("q1", "A");
  await scene.live(exam, 3);
  scene.hall.isReachable = true;
  scene.hall.areSocketsBroken = true;
  for (const body of [undefined, { error: "Blocked by policy" }]) {
    for (const status of [401, 403, 404]) {
      scene.hall.request = async () => ({ status, body });
      await scene.live(exam, 20);
      expect(exam.view.phase).toBe("running");
    }
  }
  scene.hall.request = async () => ({ status: 404, body: { error: "Session not found" } });
  await scene.live(exam, 20);
  expect(exam.view.phase).toBe("refused");
  expect(scene.memory.kept.get("grade-5")?.commands).toHaveLength(1);
  await exam.forget();
  expect(scene.memory.kept.size).toBe(0);
});

test("an answer that was overtaken never brings stage 1 back", async () => {
  scene.hall.areSocketsBroken = true;
  scene.hall.stages = 2;
  const exam = await scene.started();
  await scene.live(exam, 1);
  const old = structuredClone(scene.hall.standing("resumed"));
  exam.end("next");
  await scene.live(exam, 2);
  exam.go(1);
  let isOld = true;
  scene.between(async (method, _path, _body, pass) => {
    if (method !== "GET" || !isOld) return pass();
    isOld = false;
    return { status: 200, body: old };
  });
  const stages = new Set<number>();
  exam.changed = () => stages.add(exam.view.stage);
  await scene.live(exam, 25);
  expect([...stages, exam.view.current]).toEqual([2, 1]);
});

test("a standing that was read before commands were done is passed over", async () => {
  scene.hall.areSocketsBroken = true;
  const exam = await scene.started();
  let isSlow = true;
  scene.between(async (method, _path, _body, pass) => {
    const answer = await pass();
    if (method === "GET" && isSlow) await new Promise<void>((done) => scene.time.later(4_000, done));
    return answer;
  });
  scene.hall.isPaused = true;
  await scene.live(exam, 10);
  scene.hall.isPaused = false;
  isSlow = false;
  exam.choose("q1", "A");
  await scene.live(exam, 4);
  expect(exam.view.isPaused).toBe(false);
  expect(scene.hall.selected["q1"]).toBe("A");
});

test("a pause reported by a transport that is no longer in use is ignored", async () => {
  scene.hall.areSocketsBroken = true;
  const exam = await scene.started();
  await scene.live(exam, 1);
  let answerPost: (() => void) | undefined;
  scene.between(async (method, _path, _body, pass) => {
    if (method !== "POST") return pass();
    scene.hall.isPaused = true;
    const answer = await pass();
    scene.hall.isPaused = false;
    await new Promise<void>((done) => (answerPost = done));
    return answer;
  });
  exam.choose("q1", "A");
  await scene.live(exam, 1);
  scene.hall.areSocketsBroken = false;
  await scene.live(exam, 40);
  answerPost?.();
  await scene.live(exam, 5);
  expect(exam.view.isPaused).toBe(false);
  expect(exam.view.saving).toBe("saved");
  expect(scene.hall.selected["q1"]).toBe("A");
});

test("on a slow uplink answers come before drawings, and drawings one by one", async () => {
  const exam = await scene.started();
  scene.hall.cut();
  for (const id of ["q1", "q2", "q3"]) {
    exam.draw(id, { p: "x".repeat(190_000) });
    await scene.time.pass(5_000);
  }
  exam.choose("q1", "A");
  await scene.live(exam, 2);
  scene.hall.isReachable = true;
  scene.hall.areSocketsBroken = true;
  const sizes: number[] = [];
  scene.between(async (method, _path, body, pass) => {
    if (method === "POST") sizes.push(JSON.stringify(body).length);
    return pass();
  });
  await scene.live(exam, 60);
  expect(sizes[0]).toBeLessThan(1_000);
  expect(Math.max(...sizes)).toBeLessThan(200_000);
  expect(Object.keys(scene.hall.drawings)).toHaveLength(3);
});

test("a socket carries answers before the drawings that were made before them", async () => {
  const exam = await scene.started();
  scene.hall.cut();
  exam.draw("q1", { v: 1 });
  await scene.time.pass(1_000);
  exam.choose("q1", "A");
  scene.hall.isReachable = true;
  await scene.live(exam, 20);
  const types = scene.hall.received.map(({ type }) => type);
  expect(types.indexOf("answer")).toBeLessThan(types.indexOf("drawing"));
  expect(exam.view.saving).toBe("saved");
});

test("a socket that is busy with a large drawing is given the time for it", async () => {
  const exam = await scene.started();
  scene.hall.isMute = true;
  exam.draw("q1", { p: "x".repeat(190_000) });
  let opened = 0;
  const open = scene.hall.openSocket.bind(scene.hall);
  scene.hall.openSocket = (events) => ((opened += 1), open(events));
  await scene.live(exam, 25);
  expect(opened).toBe(0);
  await scene.live(exam, 30);
  expect(opened).toBe(1);
});

test("a test that is read in a minute is asked for every five", async () => {
  scene.hall.areSocketsBroken = true;
  let asked = 0;
  const exam = await scene.started();
  scene.between(async (method, _path, _body, pass) => {
    asked += Number(method === "GET");
    await new Promise<void>((done) => scene.time.later(60_000, done));
    return pass();
  });
  await scene.live(exam, 700);
  expect(asked).toBeLessThan(5);
});

test("a slow answer by HTTPS gives no time away", async () => {
  scene.hall.areSocketsBroken = true;
  const exam = await scene.started();
  scene.between(async (_method, _path, _body, pass) => {
    const answer = await pass();
    const standing = { ...(answer.body as object), remainingMs: 600_000 - scene.time.now() };
    await new Promise<void>((done) => scene.time.later(14_000, done));
    return { status: 200, body: standing };
  });
  await scene.live(exam, 60);
  expect(Math.abs((exam.remainingMs ?? 0) - (600_000 - scene.time.now()))).toBeLessThan(1_000);
});

test("what can't be stored yet is waited for, and settled when it is", async () => {
  const exam = await scene.started();
  scene.hall.isMute = true;
  exam.choose("q1", "A");
  scene.hall.tell({ type: "error", code: "storage_unavailable", error: "", seq: 2 });
  expect(exam.view.saving).toBe("waiting");
  scene.hall.isMute = false;
  scene.hall.tell({ type: "saved", seq: 2 });
  expect(exam.view.saving).toBe("saved");
  expect(scene.hall.received.filter(({ type }) => type === "answer")).toHaveLength(0);
});

test("a server that restarts is given up to five seconds, also when it closes without a word", async () => {
  const exam = await scene.started();
  scene.hall.close(1012);
  await scene.live(exam, 2);
  expect(exam.view.saving).toBe("offline");
  await scene.live(exam, 2);
  expect(exam.view.saving).toBe("saved");
});
