// Options that a student crosses out: kept and sent as marks are, on this device and on others.

import { beforeEach, expect, test } from "vitest";
import { withCross } from "./answers";
import { continueTest } from "./start";
import { Memory } from "./testing/memory";
import { examOfScene, Scene } from "./testing/scene";

let scene: Scene;

beforeEach(() => {
  scene = new Scene();
});

const sent = () => scene.hall.received.filter(({ type }) => type === "eliminate" || type === "answer").map(({ type, eliminated, selected }) => (type === "answer" ? selected : eliminated));

test("the letters stay in their order, each once", () => {
  expect(withCross(["C"], "A", true)).toEqual(["A", "C"]);
  expect(withCross(["A", "C"], "C", true)).toEqual(["A", "C"]);
  expect(withCross(["A", "C"], "A", false)).toEqual(["C"]);
});

test("the whole list is sent, and nothing that changes nothing", async () => {
  const exam = await scene.started();
  exam.eliminate("q1", "C", true);
  exam.eliminate("q1", "A", true);
  exam.eliminate("q1", "A", true);
  exam.eliminate("q1", "C", false);
  exam.eliminate("q1", "D", false);
  await scene.live(exam, 2);
  expect(sent()).toEqual([["C"], ["A", "C"], ["A"]]);
  expect(exam.view.answers["q1"]?.eliminated).toEqual(["A"]);
});

test("the chosen option can't be crossed out, and choosing one that is restores it first", async () => {
  const exam = await scene.started();
  exam.choose("q1", "B");
  exam.eliminate("q1", "B", true);
  exam.eliminate("q1", "D", true);
  exam.choose("q1", "D");
  await scene.live(exam, 2);
  expect(sent()).toEqual(["B", ["D"], [], "D"]);
  expect(exam.view.answers["q1"]).toMatchObject({ selected: "D", eliminated: [] });
});

test("what is crossed out without a network outlives the page, and arrives when it is back", async () => {
  const exam = await scene.started();
  scene.hall.cut();
  exam.eliminate("q1", "A", true);
  exam.eliminate("q1", "C", true);
  await scene.live(exam, 2);
  exam.close();
  const again = await scene.reloaded();
  expect(again.view.answers["q1"]?.eliminated).toEqual(["A", "C"]);
  scene.hall.isReachable = true;
  await scene.live(again, 20);
  expect(again.view.saving).toBe("saved");
  // Only the newest list goes out.
  expect(sent()).toEqual([["A", "C"]]);
});

test("another device has it", async () => {
  const exam = await scene.started();
  exam.eliminate("q1", "B", true);
  await scene.live(exam, 2);
  const other = examOfScene(await continueTest("continued:grade-5", "s.t", { ...scene.platform(), attempts: new Memory().tab() }));
  await scene.live(other, 2);
  expect(other.view.answers["q1"]?.eliminated).toEqual(["B"]);
});

test("a record of an older page has nothing crossed out", async () => {
  const exam = await scene.started();
  exam.choose("q1", "B");
  await scene.live(exam, 2);
  exam.close();
  const kept = scene.memory.kept.get("grade-5");
  for (const state of Object.values(kept?.record.answers ?? {})) delete (state as { eliminated?: unknown }).eliminated;
  scene.hall.cut();
  const again = await scene.reloaded();
  expect(again.view.answers["q1"]).toMatchObject({ selected: "B", eliminated: [] });
});
