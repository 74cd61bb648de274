// Work that the server got too late: it is sent all the same, and the student learns what has become of it.

import { expect, test } from "vitest";
import type { Exam } from "./exam";
import type { Command } from "./protocol";
import { continueTest, startTest } from "./start";
import { examOfScene, Scene } from "./testing/scene";

const isWork = ({ type }: Command) => type === "answer" || type === "drawing";

/** An exam whose student was offline at the end. `keeps` says what the server keeps of what comes then. */
async function overtaken(scene: Scene, keeps: (commands: Command[]) => Promise<Command[]>, isWhole = true): Promise<Exam> {
  const platform = { ...scene.platform(), sendLate: async (_session: unknown, commands: Command[]) => ({ kept: await keeps(commands), isWhole }) };
  const exam = examOfScene(await startTest("grade-5", { grade: 5 }, platform));
  await scene.time.pass(1_000);
  scene.hall.serverTime = "2026-01-05T09:00:00.000Z";
  exam.choose("q2", "B");
  await scene.live(exam, 1);
  scene.hall.cut();
  await scene.live(exam, 1);
  exam.choose("q1", "A");
  exam.draw("q3", { v: 1 });
  await scene.live(exam, 5);
  scene.hall.state = "submitted";
  scene.hall.isReachable = true;
  await scene.live(exam, 20);
  return exam;
}

test("what came too late is sent, and is not called lost", async () => {
  const scene = new Scene();
  const sent: Command[][] = [];
  const exam = await overtaken(scene, async (commands) => {
    sent.push(commands);
    return commands;
  });
  expect(sent).toHaveLength(1);
  expect(sent[0]?.filter(isWork).map(({ questionId }) => questionId).sort()).toEqual(["q1", "q3"]);
  expect([exam.view.phase, exam.view.lost, exam.view.late]).toEqual(["submitted", 0, 2]);
  expect(scene.memory.kept.size).toBe(0);
});

test("what is late after a proctor's end stays on the device until that is read: a test that is reopened takes it in", async () => {
  const scene = new Scene();
  scene.hall.reason = "proctor";
  const exam = await overtaken(scene, async (commands) => commands);
  expect([exam.view.endedBy, exam.view.lost, exam.view.late, scene.memory.kept.size]).toEqual(["proctor", 0, 2, 1]);
  scene.hall.state = "active";
  const again = examOfScene(await continueTest("grade-5", exam.continuation, scene.platform()));
  await scene.live(again, 5);
  expect(again.view.phase).toBe("running");
  expect(scene.hall.received.some((message) => message.type === "answer" && message.questionId === "q1" && message.selected === "A")).toBe(true);
});

test("what the server does not keep is lost, and stays on the device", async () => {
  const scene = new Scene();
  const exam = await overtaken(scene, async (commands) => commands.filter(({ type }) => type !== "drawing"));
  expect([exam.view.lost, exam.view.late]).toEqual([1, 1]);
  expect(scene.memory.kept.size).toBe(1);
  // Until the student has read it: nothing will come of it any more.
  await exam.endRead();
  expect(scene.memory.kept.size).toBe(0);
});

test("what only this device has stays there until it is saved as a file, or is to be deleted", async () => {
  const scene = new Scene();
  scene.hall.lateKey = "MIIB";
  const keeps = async (commands: Command[]) => commands.filter(({ type }) => type !== "drawing");
  const exam = await overtaken(scene, keeps);
  expect([exam.view.lost, exam.view.late, exam.isHolding]).toEqual([1, 1, true]);
  expect(exam.unsent?.commands.map(({ type, questionId }) => [type, questionId]), "without what the server keeps").toEqual([["drawing", "q3"]]);
  await exam.endRead();
  expect(scene.memory.kept.size, "whatever the student has read").toBe(1);
  const platform = { ...scene.platform(), sendLate: async (_session: unknown, commands: Command[]) => ({ kept: await keeps(commands), isWhole: true }) };
  const again = examOfScene(await continueTest("grade-5", exam.continuation, platform));
  await scene.live(again, 5);
  expect([again.view.phase, again.view.lost, again.isHolding]).toEqual(["ended", 1, true]);
  expect(again.unsent?.commands.map(({ questionId }) => questionId)).toContain("q3");
  again.isSettled = true;
  expect(again.isHolding).toBe(false);
  await again.endRead();
  expect(scene.memory.kept.size).toBe(0);
});

test("a file in the student's hands does not keep the page from sending what has had no answer", async () => {
  const scene = new Scene();
  scene.hall.lateKey = "MIIB";
  const exam = await overtaken(scene, () => Promise.reject(new Error("no network")));
  expect([exam.view.lost, exam.isHolding]).toEqual([2, true]);
  exam.isSettled = true;
  await exam.endRead();
  expect(scene.memory.kept.size).toBe(1);
});

test("what the server has not answered for stays until it has, whatever the student has read", async () => {
  const scene = new Scene();
  const cut = await overtaken(scene, async (commands) => commands.filter(({ type }) => type !== "drawing"), false);
  await cut.endRead();
  expect(scene.memory.kept.size).toBe(1);
  const later: Command[][] = [];
  const platform = { ...scene.platform(), sendLate: async (_session: unknown, commands: Command[]) => (later.push(commands), { kept: commands, isWhole: true }) };
  const again = examOfScene(await continueTest("grade-5", cut.continuation, platform));
  await scene.live(again, 5);
  expect(later.flat().filter(isWork).map(({ questionId }) => questionId)).toContain("q3");
  expect([again.view.lost, scene.memory.kept.size]).toEqual([0, 0]);
});

test("without a network at that moment nothing is called kept", async () => {
  const scene = new Scene();
  const exam = await overtaken(scene, () => Promise.reject(new Error("no network")));
  expect([exam.view.lost, exam.view.late]).toEqual([2, 0]);
  await exam.endRead();
  expect(scene.memory.kept.size).toBe(1);
});

test("only what is done without a connection says when it was done", async () => {
  const scene = new Scene();
  const exam = await scene.started();
  exam.choose("q1", "A");
  await scene.live(exam, 1);
  expect(scene.hall.received.filter((message) => "at" in message)).toEqual([]);
});

test("a file has what the server has not got, once it has said what to encrypt it for", async () => {
  const scene = new Scene();
  const exam = await scene.started();
  expect(exam.unsent).toBeUndefined();
});
