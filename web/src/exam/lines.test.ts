// Two devices of one student, each of which may be offline without knowing it: 1,000 random orders of what they do, of cuts,
// reloads and delays, against the rule. The newest line that has set a question wins, and both pages end with it.

import { expect, test } from "vitest";
import { Exam } from "./exam";
import type { Choice, Command } from "./protocol";
import { continueTest } from "./start";
import { Memory } from "./testing/memory";
import { examOfScene, findUnderWay, Scene } from "./testing/scene";

const RUNS = 1_000;
const DEED_COUNT = 20;
const DEEDS = ["choose", "choose", "choose", "choose", "cut", "mend", "mend", "come", "live", "closeSocket", "block", "unblock"] as const;
const QUESTIONS = ["q1", "q2"];

/** Numbers from 0 to 1, the same for the same seed. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_664_525 + 1_013_904_223) >>> 0) / 2 ** 32;
}

/** One device: its browser, its page, and whether the network reaches it. */
class Device {
  memory = new Memory();
  exam!: Exam;
  isCut = false;
  areSocketsBlocked = false;
  /** What the server has received from it. */
  received: Command[] = [];
  /** By question, its last choice, and how much had been received before. */
  choices = new Map<string, { selected: Choice; before: number }>();

  constructor(readonly scene: Scene) {}

  /** Notes what arrives while this is done. */
  #carry<T>(work: () => T): T {
    const { received } = this.scene.hall;
    const before = received.length;
    const done = work();
    this.received.push(...(received.slice(before) as unknown as Command[]));
    return done;
  }

  get platform() {
    const { hall, time } = this.scene;
    const device = this;
    const network = {
      openSocket: (events: Parameters<typeof hall.openSocket>[0]) => {
        if (!device.isCut && !device.areSocketsBlocked) {
          const socket = hall.openSocket(events);
          return { ...socket, send: (text: string) => device.#carry(() => socket.send(text)) };
        }
        queueMicrotask(() => events.closed(1006));
        return { send: () => {}, close: () => {} };
      },
      request: async (...args: Parameters<typeof hall.request>) => {
        if (device.isCut) throw new Error("no network");
        return device.#carry(() => hall.request(...args));
      },
    };
    return { network, timing: time, attempts: this.memory.tab() };
  }

  async begin(): Promise<void> {
    this.exam = examOfScene(await continueTest("grade-5", "s.t", this.platform));
  }

  choose(questionId: string, selected: Choice): void {
    if (this.exam.view.phase === "running") this.choices.set(questionId, { selected, before: this.received.length });
    this.exam.choose(questionId, selected);
  }

  /** The questions of which the server has never received what was chosen here last. */
  get missed(): string[] {
    const isSame = (command: Command, questionId: string, selected: Choice) => command.type === "answer" && command.questionId === questionId && command.selected === selected;
    return [...this.choices].filter(([id, { selected, before }]) => !this.received.slice(before).some((command) => isSame(command, id, selected))).map(([id]) => id);
  }

  async reload(): Promise<void> {
    this.exam.leave();
    this.exam.close();
    const here = this.platform;
    const kept = await findUnderWay("grade-5", here);
    if (kept === undefined) throw new Error("nothing is kept");
    this.exam = new Exam(kept, here);
  }
}

/** What the rule makes of all that has arrived: of each question the command of the newest line, and in it the highest number. */
function ruled(received: Command[]): Record<string, Choice | null> {
  const newest = new Map<string, Command>();
  for (const command of received) {
    if (command.type !== "answer") continue;
    const before = newest.get(command.questionId);
    const [line, beforeLine] = [command.line ?? 0, before?.line ?? 0];
    if (before === undefined || line > beforeLine || (line === beforeLine && command.seq > before.seq)) newest.set(command.questionId, command);
  }
  return Object.fromEntries([...newest].map(([questionId, command]) => [questionId, (command as { selected: Choice | null }).selected]));
}

test("of two devices the one that came later wins, in 1,000 orders of events", { timeout: 120_000 }, async () => {
  let [refused, together] = [0, 0];
  for (let seed = 1; seed <= RUNS; seed += 1) {
    const random = numbers(seed);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    const scene = new Scene();
    const devices = [new Device(scene), new Device(scene)];
    await devices[0]!.begin();
    await scene.time.pass(1_000);
    let told = `seed ${seed}:`;
    const live = async (seconds: number) => {
      for (let second = 0; second < seconds; second += 1) {
        await scene.time.pass(1_000);
        for (const device of devices) device.exam?.tick();
      }
    };
    for (let count = 0; count < DEED_COUNT; count += 1) {
      const [index, what] = [Math.floor(random() * 2), pick(DEEDS)];
      const device = devices[index]!;
      told += ` ${index}:${what}`;
      if (device.exam === undefined) {
        await device.begin();
      } else if (what === "choose") {
        // Of two devices either may have numbered further.
        for (let times = Math.floor(random() * 8); times >= 0; times -= 1) device.choose(pick(QUESTIONS), pick(["A", "B", "C", "D"]));
      } else if (what === "cut" || what === "block") {
        device[what === "cut" ? "isCut" : "areSocketsBlocked"] = true;
        scene.hall.close(1006);
      } else if (what === "mend") device.isCut = false;
      else if (what === "come") await device.reload();
      else if (what === "unblock") device.areSocketsBlocked = false;
      else if (what === "closeSocket") scene.hall.close(1006);
      await live(1 + Math.floor(random() * 4));
    }
    // With a network again, a page comes to show what the server has without being loaded again. One with a socket is not
    // told what another one does by HTTPS meanwhile, until it changes that itself.
    for (const device of devices) device.isCut = false;
    await live(45);
    const running = devices.filter((device) => device.exam?.view.phase === "running");
    for (const { exam } of running.filter((device) => device.areSocketsBlocked || running.length === 1)) {
      for (const [id, selected] of Object.entries(scene.hall.selected)) expect(exam.view.answers[id]?.selected ?? null, `${told} – at work, ${id}`).toBe(selected);
    }
    together += Number(running.length === 2 && running.every((device) => device.areSocketsBlocked));
    // In the end the student looks at one after the other: each sends what it keeps.
    for (const device of devices) {
      if (device.exam === undefined) continue;
      await device.reload();
      await live(15);
    }
    for (const device of devices) expect(device.missed, told).toEqual([]);
    const received = scene.hall.received as unknown as Command[];
    const expected = ruled(received);
    refused += scene.hall.superseded;
    expect(Object.fromEntries(Object.keys(expected).map((id) => [id, scene.hall.selected[id] ?? null])), told).toEqual(expected);
    // The device that is at work shows what the server has.
    const last = devices.findLast((device) => device.exam !== undefined)!;
    for (const id of Object.keys(expected)) expect(last.exam.view.answers[id]?.selected ?? null, told).toBe(expected[id]);
    expect(last.exam.view.saving, told).toBe("saved");
    for (const device of devices) device.exam?.close();
  }
  // Older answers have been refused in many of them.
  expect(refused).toBeGreaterThan(RUNS / 20);
  // In some, both pages go on by HTTPS.
  expect(together).toBeGreaterThan(RUNS / 20);
});

test("an older answer of a device that was offline is refused, and its page says what was answered elsewhere", async () => {
  const scene = new Scene();
  const exam = await scene.started();
  scene.hall.cut();
  exam.choose("q1", "A");
  exam.choose("q2", "B");
  exam.draw("q3", { v: 1 });
  await scene.live(exam, 2);
  scene.hall.set({ type: "answer", questionId: "q1", selected: "D", timeTaken: 1 }, 2);
  scene.hall.set({ type: "drawing", questionId: "q3", drawing: { v: 9 } }, 3);
  scene.hall.isReachable = true;
  await scene.live(exam, 20);
  expect(scene.hall.selected).toMatchObject({ q1: "D", q2: "B" });
  expect(exam.view.answers).toMatchObject({ q1: { selected: "D" }, q2: { selected: "B" }, q3: { drawing: { v: 9 } } });
  expect(exam.view.saving).toBe("saved");
  expect(exam.view.notices.map(({ kind, elsewhere }) => [kind, elsewhere])).toEqual([
    ["elsewhere", { question: 1, selected: "D" }],
    ["elsewhere", { question: 3 }],
  ]);
  // Who has read that and answers again is later than the other device.
  exam.choose("q1", "C");
  await scene.live(exam, 3);
  expect([scene.hall.selected["q1"], exam.view.answers["q1"]?.selected, exam.view.notices.length]).toEqual(["C", "C", 2]);
});

test("a device that goes on while another one answers by HTTPS is told, asks anew, and may answer again", async () => {
  const scene = new Scene();
  const exam = await scene.started();
  await scene.live(exam, 2);
  const seq = scene.hall.standing("resumed").seq;
  scene.hall.set({ type: "answer", questionId: "q1", selected: "D", timeTaken: 1 }, seq + 1);
  exam.choose("q1", "A");
  await scene.live(exam, 3);
  expect([scene.hall.selected["q1"], exam.view.answers["q1"]?.selected, exam.view.saving]).toEqual(["D", "D", "saved"]);
  exam.choose("q1", "B");
  await scene.live(exam, 3);
  expect([scene.hall.selected["q1"], exam.view.answers["q1"]?.selected, exam.view.phase]).toEqual(["B", "B", "running"]);
});

test("a page that could not ask where the test stands asks again, and its student may answer again", async () => {
  const scene = new Scene();
  const exam = await scene.started();
  await scene.live(exam, 2);
  let failures = 2;
  scene.between(async (_method, _path, _body, pass) => {
    if (failures === 0) return pass();
    failures -= 1;
    throw new Error("lost");
  });
  scene.hall.set({ type: "answer", questionId: "q1", selected: "D", timeTaken: 1 }, 9);
  exam.choose("q1", "A");
  await scene.live(exam, 25);
  expect([failures, exam.view.answers["q1"]?.selected]).toEqual([0, "D"]);
  exam.choose("q1", "B");
  await scene.live(exam, 2);
  expect([scene.hall.selected["q1"], exam.view.answers["q1"]?.selected]).toEqual(["B", "B"]);
});

for (const isLate of [true, false])
  test(`a page shows what another device has set over its older line with a lower number, saved ${isLate ? "after" : "before"} its new one`, async () => {
    const scene = new Scene();
    scene.hall.areSocketsBroken = true;
    const exam = await scene.started();
    await scene.live(exam, 5);
    if (isLate) scene.hall.isReachable = false;
    // The other device comes, and is told of a lower number.
    scene.hall.set({ type: "answer", questionId: "q2", selected: "C", timeTaken: 1 }, 2);
    for (const choice of ["A", "B", "C", "A"] as const) exam.choose("q1", choice);
    await scene.live(exam, 3);
    scene.hall.isReachable = true;
    await scene.live(exam, 30);
    expect([scene.hall.selected["q1"], scene.hall.newestLine]).toEqual(["A", 3]);
    scene.hall.take([{ type: "answer", questionId: "q1", selected: "D", timeTaken: 1, seq: 3, line: 2 }]);
    await scene.live(exam, 30);
    expect([scene.hall.selected["q1"], scene.hall.newestLine, exam.view.answers["q1"]?.selected]).toEqual(["D", 3, "D"]);
  });

test("a reload keeps the line of what was made before it, and of the device", async () => {
  const scene = new Scene();
  const exam = await scene.started();
  scene.hall.cut();
  exam.choose("q1", "A");
  await scene.live(exam, 1);
  exam.leave();
  exam.close();
  const again = await scene.reloaded();
  scene.hall.isReachable = true;
  again.choose("q2", "B");
  await scene.live(again, 20);
  expect([scene.hall.newestLine, scene.hall.selected]).toEqual([1, { q1: "A", q2: "B" }]);
  const lines = (scene.hall.received as unknown as Command[]).map(({ line }) => line);
  expect(new Set(lines)).toEqual(new Set([1]));
});

test("a server that gives no lines is told none, and keeps to the numbers", async () => {
  const scene = new Scene();
  scene.hall.knowsLines = false;
  const exam = await scene.started();
  scene.hall.cut();
  exam.choose("q1", "A");
  exam.choose("q2", "B");
  await scene.live(exam, 1);
  scene.hall.set({ type: "answer", questionId: "q1", selected: "D", timeTaken: 1 }, 30);
  scene.hall.isReachable = true;
  await scene.live(exam, 20);
  expect(scene.hall.selected).toMatchObject({ q1: "D", q2: "B" });
  expect([exam.view.answers["q1"]?.selected, exam.view.saving]).toEqual(["D", "saved"]);
  expect((scene.hall.received as unknown as Command[]).every(({ line }) => line === undefined)).toBe(true);
});
