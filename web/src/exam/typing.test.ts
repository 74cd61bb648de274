// Numbers that are typed: sent a moment after the last key, and never lost by turning away.

import { beforeEach, expect, test } from "vitest";
import { Scene } from "./testing/scene";
import { typedAnswer } from "./typing";

let scene: Scene;

beforeEach(() => {
  scene = new Scene();
});

const sent = () => scene.hall.received.filter(({ type }) => type === "answer").map(({ selected }) => selected);

test("what is typed is sent once, a moment after the last key", async () => {
  const exam = await scene.started();
  for (const text of ["1", "1/", "1/2"]) {
    exam.type("q1", text);
    await scene.time.pass(299);
  }
  expect([sent(), exam.view.saving]).toEqual([[], "saving"]);
  await scene.time.pass(1);
  expect([sent(), exam.view.answers["q1"]?.selected]).toEqual([["1/2"], "1/2"]);
  await scene.time.pass(100);
  expect(exam.view.saving).toBe("saved");
});

test("whoever is done with the box, turns the page or hands in has sent what was typed", async () => {
  const exam = await scene.started();
  exam.type("q1", "3", true);
  await scene.time.pass(0);
  expect(sent()).toEqual(["3"]);
  exam.type("q1", "35");
  exam.go(1);
  await scene.time.pass(0);
  expect(sent()).toEqual(["3", "35"]);
  exam.type("q2", "-0,5");
  exam.end("submit");
  await scene.live(exam, 2);
  expect([exam.view.phase, exam.view.lost, exam.view.answered]).toEqual(["submitted", 0, 2]);
  expect(scene.hall.selected).toEqual({ q1: "35", q2: "-0,5" });
});

test("an answer that is typed again as it was is not sent again", async () => {
  const exam = await scene.started();
  for (const text of ["5", "5 ", "56", "5"]) exam.type("q1", text);
  await scene.time.pass(300);
  exam.type("q1", " 5", true);
  await scene.time.pass(300);
  expect(sent()).toEqual(["5"]);
});

test("an empty box is no answer, and clearing goes over what was about to be sent", async () => {
  const exam = await scene.started();
  exam.type("q1", "5", true);
  exam.type("q1", "  ", true);
  exam.type("q1", "7");
  exam.choose("q1", null);
  await scene.live(exam, 2);
  expect(sent()).toEqual(["5", null, null]);
  expect(scene.hall.selected["q1"]).toBeNull();
});

test("what was typed without a network outlives the page, which has just been left", async () => {
  const exam = await scene.started();
  scene.hall.cut();
  exam.type("q1", "2 1/2");
  exam.leave();
  exam.close();
  const again = await scene.reloaded();
  expect([again.view.answers["q1"]?.selected, again.view.saving]).toEqual(["2 1/2", "offline"]);
  scene.hall.isReachable = true;
  await scene.live(again, 20);
  expect(scene.hall.selected["q1"]).toBe("2 1/2");
});

test("what was typed just before a pause goes out after it", async () => {
  const exam = await scene.started();
  exam.type("q1", "5");
  scene.hall.tell({ type: "paused" });
  await scene.time.pass(300);
  expect([sent(), exam.view.answers["q1"]?.selected]).toEqual([[], "5"]);
  exam.type("q1", "6");
  scene.hall.tell({ type: "unpaused", deadline: "", remainingMs: 1_000_000 });
  await scene.live(exam, 2);
  expect(sent()).toEqual(["5"]);
});

test("what an input method holds waits until the student is done with it or turns away", async () => {
  const exam = await scene.started();
  exam.type("q1", "1");
  exam.type("q1", "12", false, true);
  await scene.live(exam, 3);
  expect([sent(), exam.view.saving]).toEqual([[], "saving"]);
  exam.away(true);
  await scene.time.pass(0);
  expect(sent()).toEqual(["12"]);
  exam.type("q1", "12,", false, true);
  exam.type("q1", "12,5", true, true);
  await scene.time.pass(0);
  expect(sent()).toEqual(["12", "12,5"]);
  exam.type("q1", "12,50", false, true);
  exam.go(1);
  await scene.time.pass(0);
  expect(sent()).toEqual(["12", "12,5", "12,50"]);
  exam.type("q2", "3", false, true);
  exam.type("q3", "4", false, true);
  await scene.time.pass(0);
  expect(sent().slice(3), "another question sends what waits").toEqual(["3"]);
  exam.leave();
  await scene.time.pass(0);
  expect(sent().slice(3)).toEqual(["3", "4"]);
});

test("what an input method holds goes out after a pause, and when the time is up", async () => {
  const exam = await scene.started();
  exam.type("q1", "5", false, true);
  scene.hall.tell({ type: "paused" });
  await scene.live(exam, 1);
  expect([sent(), exam.view.answers["q1"]?.selected]).toEqual([[], "5"]);
  scene.hall.tell({ type: "unpaused", deadline: "", remainingMs: 1_000_000 });
  await scene.time.pass(0);
  expect(sent()).toEqual(["5"]);
  exam.type("q1", "56", false, true);
  scene.hall.tell({ type: "time", serverTime: "", remainingMs: 2_000, deadline: "" });
  await scene.live(exam, 3);
  expect([exam.view.isTimeUp, sent()]).toEqual([true, ["5", "56"]]);
});

test("what an input method held when the test ended without this page is told as lost", async () => {
  const exam = await scene.started();
  exam.type("q1", "5", false, true);
  scene.hall.cut();
  scene.hall.state = "submitted";
  scene.hall.isReachable = true;
  await scene.live(exam, 20);
  expect([exam.view.phase, exam.view.lost]).toEqual(["submitted", 1]);
});

test("an option that is chosen elsewhere does not go over what was typed", async () => {
  const exam = await scene.started();
  exam.type("q1", "7");
  exam.choose("q2", "A");
  await scene.live(exam, 2);
  expect(scene.hall.selected).toMatchObject({ q1: "7", q2: "A" });
});

test("what was typed just before somebody has ended the test is told as lost, or sent as late", async () => {
  const exam = await scene.started();
  exam.type("q1", "5");
  scene.hall.state = "submitted";
  scene.hall.tell({ type: "submitted", sessionId: "s", reportUrl: "", reason: "proctor" });
  await scene.live(exam, 2);
  expect([exam.view.phase, exam.view.lost]).toEqual(["submitted", 1]);
});

test("a newer answer of another device stands, is shown and told", async () => {
  const exam = await scene.started();
  await scene.live(exam, 2);
  const { seq } = scene.hall.standing("resumed");
  scene.hall.set({ type: "answer", questionId: "q1", selected: "3/4", timeTaken: 1 }, seq + 1);
  exam.type("q1", "12");
  await scene.live(exam, 3);
  expect([scene.hall.selected["q1"], exam.view.answers["q1"]?.selected, exam.view.saving]).toEqual(["3/4", "3/4", "saved"]);
  expect(exam.view.notices.map(({ elsewhere }) => elsewhere)).toEqual([{ question: 1, selected: "3/4" }]);
  exam.type("q1", "0.75");
  await scene.live(exam, 3);
  expect(scene.hall.selected["q1"]).toBe("0.75");
});

test("nothing is sent that the server would refuse", () => {
  expect(typedAnswer(" 2 1/2\t")).toBe("2 1/2");
  expect(typedAnswer("1\u00002\u0085")).toBe("1 2");
  expect(typedAnswer("12\ud83d")).toBe("12");
  expect(typedAnswer("😀".repeat(40))).toBe("😀".repeat(32));
  expect([typedAnswer(""), typedAnswer(" \n"), typedAnswer("\u0000")]).toEqual([null, null, null]);
});
