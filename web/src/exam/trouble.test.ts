// What the server is told is wrong at this computer: once for each change, over whatever transport there is.

import { beforeEach, expect, test } from "vitest";
import { Scene } from "./testing/scene";
import { isClockOff, TroubleReport } from "./trouble";

let scene: Scene;
/** The frames and fields with trouble, in the order in which the server got them. */
let told: string[][];

beforeEach(() => {
  scene = new Scene();
  told = [];
  const open = scene.hall.openSocket.bind(scene.hall);
  scene.hall.openSocket = (events) => {
    const socket = open(events);
    const send = (text: string) => {
      const frame = JSON.parse(text) as { type: string; trouble: string[] };
      if (frame.type === "trouble") told.push(frame.trouble);
      else socket.send(text);
    };
    return { ...socket, send };
  };
});

test("a browser that stores nothing is reported, and again to each new socket, until it stores", async () => {
  const exam = await scene.started();
  await scene.live(exam, 5);
  expect(told).toEqual([]);
  scene.memory.isBroken = true;
  exam.choose("q1", "A");
  await scene.live(exam, 5);
  expect(told).toEqual([["storage"]]);
  scene.hall.close(1006);
  await scene.live(exam, 30);
  expect(told).toEqual([["storage"], ["storage"]]);
  scene.memory.isBroken = false;
  await scene.live(exam, 30);
  expect(told).toEqual([["storage"], ["storage"], []]);
});

test("a server that cannot save, and a clock that is off in two messages, are reported together", async () => {
  const exam = await scene.started();
  const time = (serverTime: string) => scene.hall.tell({ type: "time", serverTime, remainingMs: 600_000, deadline: "" });
  const off = () => time(new Date(scene.time.calendar() - 121_000).toISOString());
  off();
  await scene.live(exam, 2);
  expect(told).toEqual([]);
  off();
  await scene.live(exam, 2);
  expect(told).toEqual([["clock"]]);
  time(new Date(scene.time.calendar() - 60_000).toISOString());
  await scene.live(exam, 2);
  expect(told).toEqual([["clock"], []]);
  expect([isClockOff(undefined), isClockOff(-121_000), isClockOff(120_000)]).toEqual([false, true, false]);
});

test("by HTTPS it is a field beside no commands, said again if it was lost", async () => {
  const bodies: unknown[] = [];
  let isLost = true;
  const request = (_method: string, path: string, _token?: string, body?: unknown) => {
    bodies.push({ path, body });
    return isLost ? Promise.reject(new Error("lost")) : Promise.resolve({ status: 200, body: {} });
  };
  const report = new TroubleReport({ request, openSocket: () => ({ send: () => {}, close: () => {} }) }, { sessionId: "s", token: "t" });
  const found = { storage: false, clock: true, paper: false, saving: true };
  const say = () => expect.unreachable();
  report.tell(found, "none", say);
  expect(bodies).toEqual([]);
  report.tell(found, "https", say);
  await Promise.resolve();
  await Promise.resolve();
  isLost = false;
  report.tell(found, "https", say);
  report.tell(found, "https", say);
  expect(bodies).toHaveLength(2);
  expect(bodies[1]).toEqual({ path: "/api/live/s/commands", body: { commands: [], trouble: ["clock", "saving"] } });
});
