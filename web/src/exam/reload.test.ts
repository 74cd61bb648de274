// Pages that reload without a network, and pages that continue what another device has begun.

import { beforeEach, expect, test } from "vitest";
import { startTest, continueTest } from "./start";
import { examOfScene, Scene } from "./testing/scene";

let scene: Scene;

beforeEach(() => {
  scene = new Scene();
});

test("what was saved is shown without a network, drawings too, and work goes on", async () => {
  const exam = examOfScene(await startTest("grade-5", { grade: 5 }, scene.platform()));
  exam.choose("q1", "B");
  exam.mark("q1", true);
  exam.draw("q1", { v: 1 });
  await scene.live(exam, 5);
  expect(exam.view.saving).toBe("saved");
  exam.close();
  scene.hall.cut();

  const again = await scene.reloaded();
  await scene.live(again, 20);
  expect(again.view.answers["q1"]).toMatchObject({ selected: "B", marked: true, drawing: { v: 1 } });
  expect(again.view.saving).toBe("offline");
  // Only the server knows how much time is left, and it has not been reached since.
  expect(again.remainingMs).toBeUndefined();
  expect(again.view.isTimeUp).toBe(false);
  again.draw("q1", { v: 2 });
  again.go(1);
  again.choose("q2", "D");
  await scene.live(again, 5);
  again.close();

  const third = await scene.reloaded();
  expect(third.view.answers["q1"]?.drawing).toEqual({ v: 2 });
  expect(third.view.current).toBe(1);
  scene.hall.isReachable = true;
  await scene.live(third, 20);
  expect(third.view.saving).toBe("saved");
  expect(scene.hall.selected).toEqual({ q1: "B", q2: "D" });
  expect(scene.hall.drawings).toEqual({ q1: { v: 2 } });
  expect(third.remainingMs).toBeGreaterThan(0);
});

test("the device keeps the server's drawings: what was cleared, and what another device has drawn", async () => {
  const exam = examOfScene(await startTest("grade-5", { grade: 5 }, scene.platform()));
  exam.draw("q1", { v: 1 });
  await scene.live(exam, 5);
  exam.draw("q1", null);
  await scene.live(exam, 5);
  scene.hall.set({ type: "drawing", questionId: "q2", drawing: { v: 3 } }, 90);
  scene.hall.close(1006);
  await scene.live(exam, 5);
  exam.close();
  scene.hall.cut();
  const again = await scene.reloaded();
  expect(again.view.answers["q1"]?.drawing).toBeNull();
  expect(again.view.answers["q2"]?.drawing).toEqual({ v: 3 });
});

/** The browser's database stops answering. */
function stall(): void {
  scene.memory.busy = new Promise(() => {});
}

test("what was still being written when the page was left is found by the next", async () => {
  const exam = await scene.started();
  scene.hall.cut();
  stall();
  exam.choose("q1", "A");
  exam.choose("q1", "C");
  exam.draw("q1", { v: 1 });
  exam.leave();
  scene.memory.busy = undefined;
  const again = await scene.reloaded();
  expect(again.view.answers["q1"]).toMatchObject({ selected: "C", drawing: { v: 1 } });
  expect([scene.memory.handovers.size, scene.memory.kept.get("grade-5")?.commands.length]).toEqual([0, 2]);
  scene.hall.isReachable = true;
  await scene.live(again, 20);
  expect(scene.hall.selected["q1"]).toBe("C");
});

test("what could not be written is left too, with all that came before", async () => {
  const exam = await scene.started();
  scene.hall.cut();
  scene.memory.isBroken = true;
  exam.choose("q1", "B");
  await scene.live(exam, 1);
  exam.leave();
  scene.memory.isBroken = false;
  const again = await scene.reloaded();
  expect(again.view.answers["q1"]?.selected).toBe("B");
  scene.hall.isReachable = true;
  await scene.live(again, 20);
  expect(scene.hall.selected["q1"]).toBe("B");
});

test("what a page has left plays no part once all is written, or when another tab has gone on", async () => {
  const exam = await scene.started();
  scene.hall.cut();
  let written = () => {};
  scene.memory.busy = new Promise((resolve) => (written = resolve));
  exam.choose("q1", "A");
  exam.leave();
  written();
  await scene.live(exam, 1);
  expect(scene.memory.handovers.size).toBe(0);
  exam.choose("q1", "B");
  await scene.live(exam, 1);
  const other = await scene.reloaded();
  expect(other.view.answers["q1"]?.selected).toBe("B");
  stall();
  exam.choose("q1", "A");
  other.choose("q1", "C");
  // Both close at once, and the first does not know yet that it has lost the test.
  other.leave();
  exam.leave();
  scene.memory.busy = undefined;
  expect((await scene.reloaded()).view.answers["q1"]?.selected).toBe("C");
});

test("what is older than what the database has is not taken over", async () => {
  const exam = await scene.started();
  scene.hall.cut();
  stall();
  exam.choose("q1", "A");
  exam.leave();
  const [[tab, entry] = []] = scene.memory.handovers;
  scene.memory.busy = undefined;
  exam.choose("q1", "B");
  await scene.live(exam, 1);
  if (tab !== undefined && entry !== undefined) scene.memory.handovers.set(tab, entry);
  expect((await scene.reloaded()).view.answers["q1"]?.selected).toBe("B");
});

test("a test whose beginning was not written down any more is not begun a second time", async () => {
  const here = scene.platform();
  const pass = scene.hall.request.bind(scene.hall);
  scene.hall.request = async (...asked) => {
    const answer = await pass(...asked);
    stall();
    return answer;
  };
  const exam = examOfScene(await startTest("grade-5", { grade: 5 }, here));
  exam.choose("q1", "B");
  exam.leave();
  scene.hall.request = pass;
  scene.memory.busy = undefined;
  expect((await startTest("grade-5", { grade: 5 }, scene.platform())).kind).toBe("underWay");
  const again = await scene.reloaded();
  await scene.live(again, 2);
  expect(scene.hall.keys).toHaveLength(1);
  expect(scene.hall.selected["q1"]).toBe("B");
});

test("a page that could not read what is kept of its session writes over none of it", async () => {
  const exam = await scene.started();
  scene.hall.cut();
  exam.choose("q1", "B");
  await scene.live(exam, 1);
  exam.close();
  scene.hall.isReachable = true;
  scene.memory.isBroken = true;
  const blind = examOfScene(await continueTest("grade-5", "s.t", scene.platform()));
  scene.memory.isBroken = false;
  blind.choose("q2", "C");
  await scene.live(blind, 15);
  expect(blind.view).toMatchObject({ phase: "running", isKeptHere: false, saving: "saved" });
  blind.leave();
  blind.close();
  const again = await scene.reloaded();
  await scene.live(again, 2);
  expect(scene.hall.selected).toMatchObject({ q1: "B", q2: "C" });
});

test("what another device has overtaken does not come back", async () => {
  const exam = await scene.started();
  scene.hall.cut();
  exam.choose("q1", "A");
  await scene.live(exam, 1);
  scene.hall.set({ type: "answer", questionId: "q1", selected: "C", timeTaken: 1 }, 90);
  scene.hall.isReachable = true;
  const tell = scene.hall.tell.bind(scene.hall);
  scene.hall.tell = (frame) => {
    stall();
    tell(frame);
  };
  await scene.live(exam, 20);
  expect(exam.view.answers["q1"]?.selected).toBe("C");
  exam.leave();
  scene.hall.tell = tell;
  scene.memory.busy = undefined;
  scene.hall.set({ type: "visit", questionId: "q2" }, 95);
  const again = await scene.reloaded();
  await scene.live(again, 5);
  expect([again.view.answers["q1"]?.selected, scene.hall.selected["q1"]]).toEqual(["C", "C"]);
});

test("a test that is handed in leaves nothing behind, whatever the database does", async () => {
  const exam = await scene.started();
  scene.memory.isBroken = true;
  exam.choose("q1", "A");
  await scene.live(exam, 1);
  exam.leave();
  expect(scene.memory.handovers.size).toBe(1);
  exam.end("submit");
  await scene.live(exam, 5);
  exam.leave();
  expect([exam.view.phase, scene.memory.handovers.size]).toEqual(["submitted", 0]);
});

test("a tab that has lost its test leaves nothing", async () => {
  const exam = await scene.started();
  const other = await scene.reloaded();
  stall();
  exam.choose("q1", "A");
  scene.memory.busy = undefined;
  await scene.live(other, 1);
  exam.choose("q1", "B");
  await scene.live(exam, 1);
  exam.leave();
  expect([exam.view.phase, scene.memory.handovers.size]).toEqual(["superseded", 0]);
});

test("what could never be written is found by its link, and goes on", async () => {
  scene.memory.isBroken = true;
  const exam = examOfScene(await startTest("grade-5", { grade: 5 }, scene.platform()));
  scene.hall.cut();
  exam.choose("q1", "D");
  await scene.live(exam, 1);
  exam.leave();
  scene.memory.isBroken = false;
  const [found] = await scene.memory.tab().find("grade-5");
  expect(found?.sessionId).toBe("s");
  scene.hall.isReachable = true;
  const again = await scene.reloaded();
  await scene.live(again, 20);
  expect([scene.hall.selected["q1"], scene.hall.keys.length, scene.memory.handovers.size]).toEqual(["D", 1, 0]);
});

test("where the database fails, what is left says what may have gone out before it does", async () => {
  // Lines tell devices apart without it.
  scene.hall.knowsLines = false;
  const exam = await scene.started();
  scene.hall.cut();
  scene.memory.isBroken = true;
  exam.mark("q1", true);
  exam.choose("q1", "B");
  await scene.live(exam, 1);
  exam.leave();
  scene.hall.isMute = true;
  scene.hall.isReachable = true;
  await scene.live(exam, 5);
  const [entry] = scene.memory.handovers.values();
  expect(entry?.handover.record.sent).toBe(entry?.handover.record.highest);
});

test("what was done without a network goes out only when it is kept that it may have been", async () => {
  // Lines tell devices apart without it.
  scene.hall.knowsLines = false;
  const exam = await scene.started();
  scene.hall.cut();
  exam.go(1);
  exam.choose("q2", "B");
  await scene.live(exam, 5);
  scene.hall.isReachable = true;
  // The browser's database is busy from the answer to `resume` on.
  let write = () => {};
  const [tell, sent] = [scene.hall.tell.bind(scene.hall), scene.hall.received.length];
  scene.hall.tell = (frame) => {
    scene.hall.tell = tell;
    scene.memory.busy = new Promise((resolve) => (write = resolve));
    tell(frame);
  };
  await scene.live(exam, 5);
  expect(scene.memory.busy).toBeDefined();
  expect(scene.hall.received.length).toBe(sent);
  write();
  await scene.live(exam, 5);
  expect(scene.hall.selected["q2"]).toBe("B");
});

test("a test is handed in that was offline, was loaded anew, and was ended there", async () => {
  const exam = examOfScene(await startTest("grade-5", { grade: 5 }, scene.platform()));
  await scene.live(exam, 2);
  scene.hall.cut();
  exam.choose("q1", "A");
  exam.close();
  const again = await scene.reloaded();
  again.choose("q1", "C");
  again.end("submit");
  again.close();
  const third = await scene.reloaded();
  expect(third.view.ending).toBe("submit");
  scene.hall.isReachable = true;
  await scene.live(third, 20);
  expect(third.view.phase).toBe("submitted");
  expect(scene.hall.submissions).toBe(1);
  expect(scene.hall.selected["q1"]).toBe("C");
});

test("a link that is opened twice on a device keeps what is unsaved there", async () => {
  const exam = examOfScene(await continueTest("continued:grade-5", "s.t", scene.platform()));
  await scene.live(exam, 2);
  scene.hall.cut();
  exam.choose("q1", "D");
  exam.close();
  scene.hall.isReachable = true;
  const again = examOfScene(await continueTest("continued:grade-5", "s.t", scene.platform()));
  await scene.live(again, 5);
  expect(scene.hall.selected["q1"]).toBe("D");
});

test("the link of another student brings nothing of the test that was here before", async () => {
  const before = { sessionId: "other", token: "t", test: "continued:grade-5", startKey: "k", start: {} };
  scene.memory.kept.set("continued:grade-5", { record: before, commands: [{ type: "answer", questionId: "q1", selected: "A", timeTaken: 1, seq: 9 }], drawings: { q1: { v: 1 } } });
  const exam = examOfScene(await continueTest("continued:grade-5", "s.t", scene.platform()));
  await scene.live(exam, 2);
  exam.close();
  const again = await scene.reloaded("continued:grade-5");
  await scene.live(again, 5);
  expect(again.view.answers["q1"]).toMatchObject({ selected: null, drawing: null });
  expect(scene.hall.selected["q1"] ?? null).toBeNull();
});

test("a reload keeps the time that the student has looked at the question", async () => {
  const exam = await scene.started();
  await scene.live(exam, 40);
  exam.choose("q1", "A");
  await scene.live(exam, 50);
  exam.leave();
  exam.close();
  const again = await scene.reloaded();
  await scene.live(again, 9);
  again.choose("q1", "B");
  await scene.live(again, 1);
  expect(scene.hall.received.at(-1)).toMatchObject({ type: "answer", questionId: "q1", selected: "B", timeTaken: 101 });
});

test("a reload keeps the time without a network too, though the browser's database is busy, and reports it on the way on", async () => {
  const exam = await scene.started();
  await scene.live(exam, 30);
  scene.hall.cut();
  stall();
  exam.leave();
  exam.close();
  scene.memory.busy = undefined;
  const again = await scene.reloaded();
  await scene.live(again, 9);
  again.go(1);
  scene.hall.isReachable = true;
  await scene.live(again, 20);
  expect(scene.hall.received.find(({ type, questionId }) => type === "answer" && questionId === "q1")).toMatchObject({ selected: null, timeTaken: 41 });
});

test("a page that is hidden and seen again still reports all of the time", async () => {
  const exam = await scene.started();
  await scene.live(exam, 30);
  exam.leave();
  await scene.live(exam, 1);
  exam.go(1);
  await scene.live(exam, 1);
  expect(scene.hall.received.find(({ type, questionId }) => type === "answer" && questionId === "q1")).toMatchObject({ timeTaken: 32 });
});
