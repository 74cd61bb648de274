// Options in an order of the student's own: known on each way to the test, and of no influence on what is sent and stored.

import { beforeEach, expect, test } from "vitest";
import { continueTest } from "./start";
import { Memory } from "./testing/memory";
import { examOfScene, Scene } from "./testing/scene";

let scene: Scene;

beforeEach(() => {
  scene = new Scene();
  scene.hall.orders = { q1: "CADB", q4: "DCBA" };
  scene.hall.form = "C";
});

test("the order is there from the start, and what is chosen and crossed out goes out as it is stored", async () => {
  const exam = await scene.started();
  expect(exam.view).toMatchObject({ form: "C", optionOrder: { q1: "CADB" } });
  exam.choose("q1", "C");
  exam.eliminate("q1", "B", true);
  await scene.live(exam, 2);
  expect(scene.hall.answers["q1"]).toMatchObject({ selected: "C", eliminated: ["B"] });
  expect(exam.view.answers["q1"]).toMatchObject({ selected: "C", eliminated: ["B"] });
});

test("a page that reloads without a network knows it, and so does another device", async () => {
  const exam = await scene.started();
  await scene.live(exam, 2);
  scene.hall.cut();
  exam.choose("q1", "D");
  await scene.live(exam, 2);
  exam.close();
  const again = await scene.reloaded();
  expect(again.view).toMatchObject({ form: "C", optionOrder: { q1: "CADB" }, answers: { q1: { selected: "D" } } });
  scene.hall.isReachable = true;
  await scene.live(again, 20);
  expect(scene.hall.selected["q1"]).toBe("D");
  const other = examOfScene(await continueTest("continued:grade-5", "s.t", { ...scene.platform(), attempts: new Memory().tab() }));
  await scene.live(other, 2);
  expect(other.view).toMatchObject({ form: "C", optionOrder: { q1: "CADB" }, answers: { q1: { selected: "D" } } });
});

test("the second stage brings its own beside those of the first", async () => {
  scene.hall.stages = 2;
  const exam = await scene.started();
  exam.end("next");
  await scene.live(exam, 3);
  expect(exam.view).toMatchObject({ stage: 2, form: "C", optionOrder: { q1: "CADB", q4: "DCBA" } });
  exam.close();
  scene.hall.cut();
  expect((await scene.reloaded()).view.optionOrder).toEqual({ q1: "CADB", q4: "DCBA" });
});

test("what was answered on another device is told by the letter that the student sees there", async () => {
  const exam = await scene.started();
  scene.hall.cut();
  exam.choose("q1", "A");
  exam.choose("q2", "A");
  await scene.live(exam, 2);
  scene.hall.set({ type: "answer", questionId: "q1", selected: "C", timeTaken: 1 }, 2);
  scene.hall.set({ type: "answer", questionId: "q2", selected: "C", timeTaken: 1 }, 3);
  scene.hall.isReachable = true;
  await scene.live(exam, 20);
  expect(exam.view.answers).toMatchObject({ q1: { selected: "C" }, q2: { selected: "C" } });
  expect(exam.view.notices.map(({ elsewhere }) => elsewhere)).toEqual([
    { question: 1, selected: "A" },
    { question: 2, selected: "C" },
  ]);
});

test("a test without any has none, on a record of an older page too", async () => {
  scene.hall.orders = {};
  scene.hall.form = undefined;
  const exam = await scene.started();
  expect(exam.view).toMatchObject({ form: "", optionOrder: {} });
  await scene.live(exam, 2);
  exam.close();
  delete scene.memory.kept.get("grade-5")?.record.optionOrder;
  scene.hall.cut();
  expect((await scene.reloaded()).view).toMatchObject({ form: "", optionOrder: {} });
});
