// Several devices and tabs with one test, and crashes: whose change counts, and which page may continue.

import { beforeEach, expect, test } from "vitest";
import { continueTest } from "./start";
import { Memory } from "./testing/memory";
import { examOfScene, Scene } from "./testing/scene";

let scene: Scene;

beforeEach(() => {
  scene = new Scene();
});

test("numbers that were never sent do not hide another device", async () => {
  const exam = await scene.started();
  scene.hall.cut();
  for (const choice of ["A", "B", "C"] as const) exam.choose("q2", choice);
  exam.choose("q1", "A");
  scene.hall.set({ type: "answer", questionId: "q1", selected: "C", timeTaken: 1 }, 2);
  scene.hall.isReachable = true;
  await scene.live(exam, 20);
  expect(scene.hall.selected).toEqual({ q1: "C", q2: "C" });
  expect(exam.view.answers["q1"]?.selected).toBe("C");
});

test("a page never shows one answer as saved while the server has another", async () => {
  const exam = await scene.started();
  scene.hall.cut();
  exam.choose("q1", "A");
  scene.hall.set({ type: "answer", questionId: "q1", selected: "C", timeTaken: 1 }, 2);
  scene.hall.isReachable = true;
  await scene.live(exam, 20);
  expect([exam.view.saving, exam.view.answers["q1"]?.selected, scene.hall.selected["q1"]]).toEqual(["saved", "C", "C"]);
});

test("after a crash that lost the last write page and server have the same", async () => {
  const exam = await scene.started();
  const before = structuredClone(scene.memory.kept.get("grade-5"));
  exam.choose("q1", "B");
  await scene.time.pass(10);
  exam.close();
  if (before !== undefined) scene.memory.kept.set("grade-5", before);
  scene.hall.cut();
  const again = await scene.reloaded();
  again.choose("q1", "C");
  await scene.live(again, 2);
  scene.hall.isReachable = true;
  await scene.live(again, 20);
  expect(again.view.answers["q1"]?.selected).toBe(scene.hall.selected["q1"]);
});

test("what was left here before a link was opened does not come back", async () => {
  const exam = await scene.started();
  scene.hall.cut();
  for (const choice of ["A", "B", "D", "A"] as const) exam.choose("q1", choice);
  await scene.live(exam, 2);
  exam.close();
  scene.hall.isReachable = true;
  scene.hall.set({ type: "answer", questionId: "q1", selected: "C", timeTaken: 1 }, 2);
  const back = examOfScene(await continueTest("grade-5", "s.t", scene.platform()));
  await scene.live(back, 2);
  expect(back.view.answers["q1"]?.selected).toBe("C");
  back.close();
  const again = await scene.reloaded();
  await scene.live(again, 5);
  expect(scene.hall.selected["q1"]).toBe("C");
});

test("a drawing that another device has changed stands, one that only this device has changed is kept", async () => {
  const exam = await scene.started();
  exam.draw("q1", { v: 1 });
  exam.draw("q2", { v: 1 });
  await scene.live(exam, 3);
  scene.hall.cut();
  exam.draw("q1", { v: 2 });
  exam.draw("q2", { v: 2 });
  await scene.live(exam, 3);
  scene.hall.set({ type: "drawing", questionId: "q2", drawing: { v: 9 } }, 50);
  scene.hall.isReachable = true;
  await scene.live(exam, 20);
  expect(scene.hall.drawings).toEqual({ q1: { v: 2 }, q2: { v: 9 } });
});

test("a drawing begun before the server has answered is drawn upon the stored one", async () => {
  const exam = await scene.started();
  exam.draw("q1", { items: ["old"] });
  await scene.live(exam, 3);
  exam.close();
  scene.hall.cut();
  const again = await scene.reloaded();
  const shown = again.view.answers["q1"]?.drawing as { items: string[] };
  again.draw("q1", { items: [...shown.items, "new"] });
  await scene.live(again, 2);
  scene.hall.isReachable = true;
  await scene.live(again, 20);
  expect(scene.hall.drawings).toEqual({ q1: { items: ["old", "new"] } });
});

for (const isOwnerFirst of [true, false])
  test(`of two tabs that come back the owner goes on, connecting ${isOwnerFirst ? "first" : "last"}`, async () => {
    const first = await scene.started();
    scene.hall.cut();
    const second = await scene.reloaded();
    scene.hall.isReachable = true;
    for (const exam of isOwnerFirst ? [second, first] : [first, second]) {
      exam.retryNow();
      await scene.time.pass(50);
    }
    for (let turn = 0; turn < 10; turn += 1) {
      await scene.time.pass(1_000);
      first.tick();
      second.tick();
    }
    expect([first.view.phase, second.view.phase]).toEqual(["superseded", "running"]);
  });

test("a browser that fails to keep is tried again, and then keeps all", async () => {
  const exam = await scene.started();
  await scene.time.pass(100);
  const tab = scene.memory.owners.get("grade-5");
  scene.memory.isBroken = true;
  scene.hall.cut();
  exam.choose("q1", "B");
  await scene.time.pass(100);
  expect(exam.view.isKeptHere).toBe(false);
  scene.memory.isBroken = false;
  await scene.live(exam, 15);
  expect(exam.view.isKeptHere).toBe(true);
  expect(scene.memory.owners.get("grade-5")).toBe(tab);
  exam.close();
  const again = await scene.reloaded();
  expect(again.view.answers["q1"]?.selected).toBe("B");
});

test("what came too late here, and goes out when there is more time, leaves alone what another device has answered since", async () => {
  const exam = await scene.started();
  await scene.live(exam, 2);
  const { seq } = scene.hall.standing("resumed") as { seq: number };
  for (let number = 1; number < 9; number += 1) scene.hall.refusals.set(number, "late");
  for (const option of ["B", "C", "A"] as const) exam.choose("q1", option);
  exam.choose("q2", "A");
  await scene.live(exam, 1);
  scene.hall.refusals.clear();
  exam.close();
  scene.hall.set({ type: "answer", questionId: "q1", selected: "D", timeTaken: 1 }, seq + 1);
  const again = await scene.reloaded();
  await scene.live(again, 5);
  expect(scene.hall.selected).toMatchObject({ q1: "D", q2: "A" });
  expect(again.view.answers["q1"]?.selected).toBe("D");
});

test("a test that goes on elsewhere says whose it is and what, and still does after a reload", async () => {
  await scene.started();
  const { standing } = scene.hall;
  scene.hall.standing = (type) => ({ ...standing.call(scene.hall, type), name: "Ada", title: "Final exam" }) as ReturnType<typeof standing>;
  const memory = new Memory();
  const outcome = await continueTest("continued:grade-5", "s.t", { ...scene.platform(), attempts: memory.tab() });
  expect(outcome).toMatchObject({ kind: "exam", student: "Ada", title: "Final exam" });
  expect((await memory.tab().find("continued:grade-5")).map(({ start }) => start.annotations)).toEqual([{ name: "Ada" }]);
});
