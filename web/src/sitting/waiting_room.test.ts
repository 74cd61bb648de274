// The waiting room and the beginning, with a small server and a clock that the tests move.

import { beforeEach, expect, test } from "vitest";
import type { Exam } from "../exam/exam";
import type { Platform } from "../exam/ports";
import { examOrEnd } from "../exam/start";
import { Memory } from "../exam/testing/memory";
import { MovedTime, settled } from "../exam/testing/time";
import { SittingNetwork } from "./network";
import { Paper } from "./paper";
import { Doors } from "./testing/doors";
import { WaitingRoom, type Beginning } from "./waiting_room";

let time: MovedTime;
let doors: Doors;
let memory: Memory;

beforeEach(() => {
  time = new MovedTime();
  doors = new Doors(time);
  memory = new Memory();
});

/** One page of a candidate, from the waiting room on. */
class Visit {
  platform: Platform = { network: doors, timing: time, attempts: memory.tab() };
  paper: Paper;
  room: WaitingRoom;
  exam: Exam | undefined;
  begun: Beginning | undefined;
  begunAt: number | undefined;
  ids: string[] = [];

  constructor(public around = doors.surroundings(), kept: { seq?: number; line?: number } = {}) {
    this.paper = new Paper(around, doors, time, { sittingId: "id", token: "t" });
    this.room = new WaitingRoom({ sessionId: "s", token: "t" }, "sitting:K7PQ2", this.platform, this.paper, around.store, { changed: () => {}, begun: (beginning) => void this.#begin(beginning) }, kept);
  }

  async #begin(beginning: Beginning): Promise<void> {
    this.begun = beginning;
    this.paper.take(beginning.keys);
    if (beginning.told?.sealed !== undefined) this.paper.follow(beginning.told.sealed, 0);
    this.ids = (await this.paper.questionsOf("1")).map(({ id }) => id);
    const questionIds = beginning.told?.questionIds ?? this.ids;
    const network = new SittingNetwork(doors, (keys) => this.paper.take(keys));
    const standing = () => beginning.standing(questionIds);
    network.handed = beginning.handOver?.(standing);
    const record = { test: "sitting:K7PQ2", startKey: "", start: {}, sessionId: "s", token: "t" };
    const outcome = examOrEnd({ record, commands: [], drawings: {} }, standing(), { ...this.platform, network }, beginning.roundTripMs);
    if (outcome.kind === "exam") [this.exam, this.begunAt] = [outcome.exam, time.now()];
  }

  /** Lets seconds pass, with the ticks of what is shown. */
  async live(seconds: number): Promise<void> {
    for (let half = 0; half < seconds * 2; half += 1) {
      await time.pass(500);
      if (this.exam === undefined) this.room.tick();
      else if (half % 2 === 1) this.exam.tick();
    }
  }
}

test("a candidate waits, has the paper checked, and says so once", async () => {
  const visit = new Visit();
  await visit.live(10);
  expect(visit.room).toMatchObject({ phase: "waiting", connection: "socket", isReady: true });
  expect(visit.room.waiting).toMatchObject({ name: "Ada", room: "B12", seat: "14" });
  expect(Math.round((visit.room.startsInMs ?? 0) / 1_000)).toBe(50);
  expect(visit.paper.state).toBe("here");
  expect(doors.ready).toEqual([{ type: "ready", seq: 1, sha256: doors.hashOf("1") }]);
  expect(doors.downloads).toHaveLength(1);
});

test("it begins on the socket on which they waited, with the time that is theirs, and answers are saved", async () => {
  const visit = new Visit();
  await visit.live(30);
  doors.begin();
  await settled();
  expect(visit.begunAt).toBe(time.now());
  await visit.live(2);
  const { exam } = visit;
  expect(exam?.view).toMatchObject({ phase: "running", questionIds: ["q1", "q2", "q3"], saving: "saved", durationMinutes: 40 });
  exam?.choose("q1", "B");
  await visit.live(2);
  expect(exam?.view.saving).toBe("saved");
  expect(doors.selected["q1"]).toBe("B");
  // `ready` had number 1.
  expect(doors.received[0]?.seq).toBeGreaterThan(1);
  expect([doors.sockets, doors.resumes, doors.opened.length]).toEqual([1, 1, 0]);
  expect(Math.round((exam?.remainingMs ?? 0) / 1_000)).toBe(2_400 - 4);
});

test("what comes between the beginning and the first question is not lost", async () => {
  const visit = new Visit();
  await visit.live(5);
  doors.begin();
  doors.drop(1006);
  await visit.live(5);
  expect(visit.exam?.view).toMatchObject({ phase: "running", saving: "saved" });
  expect(doors.sockets).toBe(2);
});

test("a beginning of which no word has come is asked for", async () => {
  const visit = new Visit();
  await visit.live(60);
  // The socket lives on, so that no reconnection tells it either.
  doors.hasBegun = true;
  await visit.live(3);
  expect(visit.exam).toBeUndefined();
  await visit.live(5);
  expect(visit.exam?.view).toMatchObject({ phase: "running", questionIds: ["q1", "q2", "q3"] });
});

test("a lost network over the beginning ends with the exam, and the time is the server's", async () => {
  const visit = new Visit();
  await visit.live(50);
  doors.cut();
  await visit.live(5);
  expect(visit.room.connection).toBe("none");
  doors.begin();
  await visit.live(20);
  expect(visit.exam).toBeUndefined();
  doors.isReachable = true;
  await visit.live(20);
  expect(visit.exam?.view).toMatchObject({ phase: "running", questionIds: ["q1", "q2", "q3"] });
  expect(visit.begun?.told?.type).toBe("resumed");
  expect(Math.abs((visit.exam?.remainingMs ?? 0) - (doors.startsAtMs + 2_400_000 - doors.nowMs))).toBeLessThan(1_500);
});

test("a socket that died unnoticed is found out, before the beginning and after it", async () => {
  const visit = new Visit();
  await visit.live(5);
  doors.cut(false);
  await visit.live(32);
  expect(visit.room.connection).toBe("none");
  doors.isReachable = true;
  await visit.live(30);
  expect(visit.room.connection).toBe("socket");
});

test("where sockets are blocked the candidate waits by HTTPS, is ready, and begins", async () => {
  doors.areSocketsBroken = true;
  const visit = new Visit();
  await visit.live(10);
  expect(visit.room).toMatchObject({ connection: "https", isReady: true });
  expect(doors.polls).toBe(1);
  doors.begin();
  await visit.live(3);
  expect(visit.exam?.view).toMatchObject({ phase: "running", questionIds: ["q1", "q2", "q3"] });
});

test("who waits by HTTPS is back soon after a lost network", async () => {
  doors.areSocketsBroken = true;
  const visit = new Visit();
  await visit.live(10);
  doors.cut();
  await visit.live(1);
  await visit.live(30);
  expect(visit.room.connection).toBe("none");
  doors.isReachable = true;
  await visit.live(20);
  expect(visit.room.connection).toBe("https");
});

test.each([true, false])("two devices that share a token have a line each, over sockets that are blocked: %s", async (areSocketsBroken) => {
  doors.areSocketsBroken = areSocketsBroken;
  const here = new Visit(undefined, { line: 1 });
  await here.live(5);
  // The page of a link has asked where the test stands before, and got a line.
  const other = new Visit(undefined, { line: doors.lineFor(0) });
  await other.live(5);
  if (!areSocketsBroken) {
    here.room.takeBack();
    await here.live(5);
  }
  expect([here.room.waiting?.line, other.room.waiting?.line]).toEqual(areSocketsBroken ? [1, 2] : [3, 2]);
  doors.begin();
  await Promise.all([here.live(3), areSocketsBroken ? other.live(3) : undefined]);
  const lines = [here, other].flatMap(({ begun }) => begun?.standing([]).line ?? []);
  expect(lines).toEqual(areSocketsBroken ? [3, 4] : [3]);
});

test("without cryptography the paper comes at the start, in the clear", async () => {
  const visit = new Visit(doors.surroundings(false));
  await visit.live(10);
  expect(visit.paper.state).toBe("atStart");
  expect([doors.downloads, doors.ready]).toEqual([[], []]);
  doors.begin();
  await visit.live(4);
  expect(visit.exam?.view).toMatchObject({ phase: "running", questionIds: ["q1", "q2", "q3"] });
  expect(doors.opened).toEqual(["1"]);
});

test("a paper that can't be fetched is tried again, and at the beginning in the clear", async () => {
  doors.areDownloadsBroken = true;
  const visit = new Visit();
  await visit.live(30);
  expect(visit.paper.state).toBe("failed");
  expect(doors.downloads.length).toBeGreaterThan(2);
  expect(visit.room.isReady).toBe(false);
  doors.begin();
  await visit.live(6);
  expect(visit.exam?.view.phase).toBe("running");
  expect(doors.opened).toEqual(["1"]);
});

test("a paper that is sealed again is fetched again, and told again", async () => {
  const visit = new Visit();
  await visit.live(10);
  doors.edition = 2;
  doors.ready = [];
  doors.tellWaiting();
  await visit.live(25);
  expect(doors.ready.map(({ sha256 }) => sha256)).toEqual([doors.hashOf("1")]);
  expect(doors.ready[0]?.seq).toBe(2);
  doors.begin();
  await visit.live(2);
  expect(visit.exam?.view.phase).toBe("running");
});

test("bytes with another hash are not the paper", async () => {
  const visit = new Visit();
  const sha256 = visit.around.cryptography!.sha256;
  visit.around.cryptography!.sha256 = async () => "something else";
  await visit.live(10);
  expect(visit.paper.state).toBe("failed");
  expect(visit.around.store.parts.size).toBe(0);
  visit.around.cryptography!.sha256 = sha256;
  await visit.live(20);
  expect(visit.paper.state).toBe("here");
});

test("a reload finds the paper on the device, needs no download, and begins at once", async () => {
  const first = new Visit();
  await first.live(10);
  first.room.end();
  const place = first.around.store.places.get("sitting:K7PQ2");
  expect(place?.seq).toBe(1);
  const second = new Visit(first.around, place ?? {});
  await second.live(5);
  expect(second.room.isReady).toBe(true);
  doors.begin();
  await second.live(1);
  expect(second.exam?.view.phase).toBe("running");
  expect(doors.downloads).toHaveLength(1);
});

test("a server that restarts finds its candidates again, spread over some seconds", async () => {
  const visit = new Visit();
  await visit.live(5);
  doors.drop(1012);
  await visit.live(1);
  expect(visit.room.connection).toBe("none");
  await visit.live(5);
  expect(visit.room.connection).toBe("socket");
});

test("a second device takes the place over, and it can be taken back", async () => {
  const visit = new Visit();
  await visit.live(5);
  const other = new Visit();
  await other.live(5);
  expect([visit.room.phase, other.room.phase]).toEqual(["superseded", "waiting"]);
  await visit.live(60);
  expect(other.room.phase, "a page that lost its place does not fight for it").toBe("waiting");
  visit.room.takeBack();
  await visit.live(5);
  expect([visit.room.phase, other.room.phase]).toEqual(["waiting", "superseded"]);
});

test("a place that is gone is left", async () => {
  const visit = new Visit();
  await visit.live(5);
  doors.drop(4404);
  await settled();
  expect(visit.room.phase).toBe("refused");
});

test("who comes after the beginning is in the exam at once", async () => {
  doors.begin();
  const visit = new Visit();
  await visit.live(2);
  expect(visit.exam?.view).toMatchObject({ phase: "running", saving: "saved" });
  expect(doors.sockets).toBe(1);
});

test.each([
  ["the end", { status: 409, body: { error: "The request conflicts with an earlier one", code: "already_submitted" } }, true],
  ["the end of the token", { status: 403, body: { error: "Wrong token", code: "bad_token" } }, true],
  ["another conflict", { status: 409, body: { error: "The request conflicts with an earlier one", code: "not_begun" } }, false],
  ["a filter on the way", { status: 409, body: "<html></html>" }, false],
])("a paper that opens in the clear is asked for until it comes or is withheld: %s", async (_, answer, isOver) => {
  const visit = new Visit(doors.surroundings(false));
  let withheld = 0;
  visit.paper.withheld = () => (withheld += 1);
  await visit.live(10);
  doors.openAnswer = answer;
  doors.begin();
  await visit.live(30);
  expect(withheld).toBe(isOver ? 1 : 0);
  expect(doors.opened.length === 1).toBe(isOver);
  doors.openAnswer = undefined;
  await visit.live(10);
  expect(visit.exam !== undefined).toBe(!isOver);
});

test("the second stage of an adaptive exam opens with the key that comes with it", async () => {
  [doors.isAdaptive, doors.stages] = [true, 2];
  const visit = new Visit();
  await visit.live(10);
  expect(doors.ready).toHaveLength(2);
  doors.begin();
  await visit.live(2);
  expect(visit.paper.open).toEqual(["1"]);
  doors.tell({ type: "stage", seq: 9, stage: 2, band: "80-90", questionIds: ["q4", "q5"], keys: { "80-90": "key-80-90" } });
  await visit.live(1);
  expect(visit.exam?.view.questionIds).toEqual(["q4", "q5"]);
  expect((await visit.paper.questionsOf("80-90")).map(({ id }) => id)).toEqual(["q4", "q5"]);
  expect(doors.downloads).toHaveLength(2);
});

test("the device's clock plays no part", async () => {
  time.calendarError = 7_200_000;
  const visit = new Visit();
  await visit.live(10);
  expect(Math.round((visit.room.startsInMs ?? 0) / 1_000)).toBe(50);
  const server = doors.nowMs;
  expect(visit.room.clockErrorMs).toBeCloseTo(time.calendar() - server, -3);
});

test("if the start is put off the countdown follows", async () => {
  const visit = new Visit();
  await visit.live(10);
  doors.startsAtMs += 600_000;
  doors.tellWaiting();
  await visit.live(1);
  expect(Math.round((visit.room.startsInMs ?? 0) / 1_000)).toBe(649);
});

test("in a room whose time is stopped the paper stays closed at the beginning, until it goes on", async () => {
  const visit = new Visit();
  await visit.live(5);
  doors.stopped = { since: "2026-01-05T08:59:10.000Z", text: "Fire alarm" };
  doors.tellWaiting();
  expect(visit.room.waiting?.paused?.text).toBe("Fire alarm");
  await visit.live(25);
  [doors.isPaused, doors.remainingMs] = [true, 2_400_000];
  doors.begin();
  await settled();
  expect(visit.exam?.view).toMatchObject({ isPaused: true, pauseText: "Fire alarm" });
  await visit.live(20);
  expect(Math.round((visit.exam?.remainingMs ?? 0) / 1_000), "the clock stands still").toBe(2_400);
  const serverTime = new Date(doors.nowMs).toISOString();
  doors.tell({ type: "unpaused", serverTime, remainingMs: 2_400_000, deadline: "2026-01-05T09:41:00.000Z", timeVersion: 2, pausedMs: 20_000, state: "active" });
  expect(visit.exam?.view).toMatchObject({ isPaused: false, pauseText: "" });
});

test("what is wrong at the computer is told while they wait, and the beginning clears it", async () => {
  const told: string[][] = [];
  const open = doors.openSocket.bind(doors);
  doors.openSocket = (events) => {
    const socket = open(events);
    const send = (text: string) => {
      const frame = JSON.parse(text) as { type: string; trouble: string[] };
      if (frame.type === "trouble") told.push(frame.trouble);
      else socket.send(text);
    };
    return { ...socket, send };
  };
  const visit = new Visit();
  await visit.live(5);
  expect(told).toEqual([["clock"]]);
  visit.room.canKeep = false;
  await visit.live(2);
  expect(told.slice(1)).toEqual([["storage", "clock"]]);
  time.calendarError -= visit.room.clockErrorMs ?? 0;
  await visit.live(10);
  expect(told.at(-1)).toEqual(["storage"]);
  doors.begin();
  await visit.live(5);
  expect(visit.begun).toBeDefined();
  expect(told.at(-1)).toEqual([]);
});
