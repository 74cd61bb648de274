// News of time: each change is taken over and told at once, and late, doubled and reordered frames end in the same clock.

import { beforeEach, expect, test } from "vitest";
import type { Exam } from "./exam";
import type { Times } from "./protocol";
import { Scene } from "./testing/scene";
import { MovedTime } from "./testing/time";
import { Timekeeper } from "./timekeeper";

const BEGIN_MS = Date.parse("2026-01-05T09:00:00.000Z");
const MINUTE_MS = 60_000;

/** The clock of a server, by the rules of domain/src/time/times.rs. */
class ServerSide {
  version = 1;
  givenMs = 30 * MINUTE_MS;
  hardEndMs = Infinity;
  pausedMs = 0;
  pausedAt: number | undefined;

  constructor(private now: () => number) {}

  get serverMs(): number {
    return BEGIN_MS + this.now();
  }

  get deadlineMs(): number {
    return Math.min(BEGIN_MS + this.givenMs + this.pausedMs, this.hardEndMs);
  }

  get remainingMs(): number {
    return Math.max(0, this.deadlineMs - (this.pausedAt ?? this.serverMs));
  }

  change(change: Partial<Pick<ServerSide, "givenMs" | "hardEndMs">>): Times {
    Object.assign(this, change);
    this.version += 1;
    return this.times;
  }

  pause(): Times {
    if (this.pausedAt === undefined) this.version += 1;
    this.pausedAt ??= this.serverMs;
    return this.times;
  }

  goOn(): Times {
    if (this.pausedAt !== undefined) this.version += 1;
    this.pausedMs += this.serverMs - (this.pausedAt ?? this.serverMs);
    this.pausedAt = undefined;
    return this.times;
  }

  get times(): Times {
    const { version: timeVersion, remainingMs, pausedMs } = this;
    const state = this.pausedAt === undefined ? "active" : "paused";
    return { serverTime: new Date(this.serverMs).toISOString(), deadline: new Date(this.deadlineMs).toISOString(), remainingMs, timeVersion, pausedMs, state };
  }
}

/** Numbers from 0 to 1, the same for the same seed. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_664_525 + 1_013_904_223) >>> 0) / 2 ** 32;
}

test("any order of news, late or doubled, ends in the server's own clock", async () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const random = numbers(seed);
    const time = new MovedTime();
    const server = new ServerSide(() => time.now());
    const keeper = new Timekeeper(time);
    keeper.stands(30);
    keeper.heard(server.times.serverTime, 0);
    keeper.told(server.times, 0);
    const endBefore = server.deadlineMs - server.pausedMs;
    let toldMs = 0;
    for (let step = 0; step < 12; step += 1) {
      await time.pass(Math.round(random() * 40_000));
      const deeds = [
        () => server.change({ givenMs: server.givenMs + Math.round(random() * 10) * MINUTE_MS }),
        () => server.change({ givenMs: Math.max(MINUTE_MS, server.givenMs - Math.round(random() * 10) * MINUTE_MS) }),
        () => server.change({ hardEndMs: server.serverMs + Math.round(random() * 20) * MINUTE_MS }),
        () => server.change({ hardEndMs: Infinity }),
        () => server.pause(),
        () => server.goOn(),
        () => server.times,
      ];
      const news = deeds[Math.floor(random() * deeds.length)]!();
      for (let copy = 0; copy <= random() * 2; copy += 1) time.later(Math.round(random() * 60_000), () => void (toldMs += keeper.told(news)));
    }
    // Nothing is lost, however late it comes.
    await time.pass(60_001);
    const last = server.times;
    toldMs += keeper.told(last);
    expect([keeper.version, keeper.isPaused], `seed ${seed}`).toEqual([server.version, server.pausedAt !== undefined]);
    expect(Math.abs((keeper.remainingMs ?? NaN) - server.remainingMs), `seed ${seed}: remaining`).toBeLessThan(2);
    expect(toldMs, `seed ${seed}: what was told adds up`).toBe(server.deadlineMs - server.pausedMs - endBefore);
  }
});

let scene: Scene;
let server: ServerSide;
let exam: Exam;

/** The page stands with a server that counts the changes. */
async function begin(isSocketless = false): Promise<void> {
  scene = new Scene();
  server = new ServerSide(() => scene.time.now());
  const { standing } = scene.hall;
  scene.hall.standing = (type) => ({ ...standing.call(scene.hall, type), ...server.times, state: server.times.state }) as ReturnType<typeof standing>;
  Object.defineProperty(scene.hall, "remainingMs", { get: () => server.remainingMs });
  scene.hall.areSocketsBroken = isSocketless;
  exam = await scene.started();
  if (isSocketless) await scene.live(exam, 1);
}

const told = () => exam.view.notices.map(({ kind, seconds }) => [kind, seconds]);

beforeEach(() => begin());

test("each change is shown and told at once, whichever way the end has moved", async () => {
  scene.hall.tell({ type: "time", ...server.change({ givenMs: 40 * MINUTE_MS }), reason: "minutes" });
  expect([told(), exam.remainingMs]).toEqual([[["more", 600]], server.remainingMs]);
  scene.hall.tell({ type: "time", ...server.change({ hardEndMs: BEGIN_MS + 35 * MINUTE_MS }), reason: "end" });
  expect([told().at(-1), exam.remainingMs]).toEqual([["less", 300], server.remainingMs]);
  scene.hall.tell({ type: "extended", ...server.change({ givenMs: 50 * MINUTE_MS }), minutes: 10 });
  expect([told().length, exam.remainingMs], "what the own end takes back is not told as given").toEqual([2, server.remainingMs]);
  scene.hall.tell({ type: "time", ...server.times });
  expect(told().length, "the same again is no news").toBe(2);
});

test("a pause is no change of the student's time, and what is late of it changes nothing", async () => {
  const before = server.times;
  await scene.live(exam, 2);
  const paused = server.pause();
  scene.hall.tell({ type: "paused", ...paused });
  await scene.live(exam, 9);
  expect([exam.view.isPaused, exam.remainingMs]).toEqual([true, server.remainingMs]);
  scene.hall.tell({ type: "unpaused", ...server.goOn() });
  await scene.live(exam, 1);
  for (const late of [paused, before]) scene.hall.tell({ type: late.state === "paused" ? "paused" : "time", ...late });
  expect([exam.view.isPaused, exam.remainingMs, told()]).toEqual([false, server.remainingMs, []]);
});

test("a proctor's word for a pause stays as long as the pause, and no longer", async () => {
  const words = () => [exam.view.isPaused, exam.view.pauseText];
  const before = { ...server.pause(), text: "Technical problem" };
  scene.hall.tell({ type: "paused", ...before });
  expect(words()).toEqual([true, "Technical problem"]);
  scene.hall.tell({ type: "time", ...server.times });
  expect(words(), "the time alone says nothing of it").toEqual([true, "Technical problem"]);
  server.version += 1;
  scene.hall.tell({ type: "paused", ...server.times, text: "Fire alarm" });
  scene.hall.tell({ type: "paused", ...before });
  expect(words(), "another word, and an old one that comes late").toEqual([true, "Fire alarm"]);
  scene.hall.tell({ type: "unpaused", ...server.goOn() });
  expect(words()).toEqual([false, ""]);
  scene.hall.tell({ type: "paused", ...server.pause() });
  expect(words(), "the next pause has none").toEqual([true, ""]);
  const { standing } = scene.hall;
  scene.hall.standing = (type) => ({ ...standing.call(scene.hall, type), pauseText: "Chuông báo cháy" }) as ReturnType<typeof standing>;
  scene.hall.cut();
  scene.hall.isReachable = true;
  await scene.live(exam, 30);
  expect(words(), "who comes back is told it").toEqual([true, "Chuông báo cháy"]);
});

test("minutes that a proctor takes back are told as less time, also by a server that does not count the changes", async () => {
  scene.hall.tell({ type: "extended", ...server.change({ givenMs: 25 * MINUTE_MS }), minutes: -5 });
  expect([told(), exam.remainingMs]).toEqual([[["less", 300]], server.remainingMs]);
  scene.hall.tell({ type: "extended", deadline: server.times.deadline, remainingMs: 600_000, minutes: -3 });
  expect([told().at(-1), exam.remainingMs]).toEqual([["less", 180], 600_000]);
});

test("the page leaves Time is up when there is time again, and sends what came too late", async () => {
  await scene.live(exam, 1_798);
  for (let seq = 1; seq < 9; seq += 1) scene.hall.refusals.set(seq, "late");
  exam.choose("q1", "C");
  await scene.live(exam, 3);
  expect([exam.view.isTimeUp, scene.hall.selected["q1"] ?? null]).toEqual([true, null]);
  scene.hall.refusals.clear();
  scene.hall.tell({ type: "time", ...server.change({ givenMs: 35 * MINUTE_MS }), reason: "minutes" });
  expect([exam.view.isTimeUp, told()]).toEqual([false, [["more", 300]]]);
  exam.choose("q2", "A");
  await scene.live(exam, 2);
  expect(scene.hall.selected).toMatchObject({ q1: "C", q2: "A" });
});

test("without a socket the page waits at the server for the next change", async () => {
  const waiting: ((version: number) => void)[] = [];
  await begin(true);
  scene.between(async (method, path, _body, pass) => {
    const known = Number(new URL(path, "http://exam.test").searchParams.get("timeVersion") ?? NaN);
    if (method === "GET" && known === server.version) await new Promise<void>((resolve) => waiting.push(() => resolve()));
    return pass();
  });
  await scene.live(exam, 12);
  expect(waiting.length, "it waits").toBe(1);
  server.change({ givenMs: 45 * MINUTE_MS });
  waiting[0]?.(server.version);
  await scene.time.pass(200);
  expect([told(), exam.remainingMs]).toEqual([[["more", 900]], server.remainingMs]);
  await scene.live(exam, 1);
  expect(waiting.length, "and for the one after it").toBe(2);
});

test("a server that does not wait is asked every ten seconds", async () => {
  await begin(true);
  let asked = 0;
  scene.between((method, path, _body, pass) => {
    if (method !== "GET") return pass();
    asked += 1;
    return path.includes("wait=") ? Promise.resolve({ status: 400, body: { error: "Invalid wait" } }) : pass();
  });
  await scene.live(exam, 60);
  expect(exam.view.saving).toBe("saved");
  expect(asked).toBeLessThan(10);
});
