import "fake-indexeddb/auto";
import { afterEach, expect, test, vi } from "vitest";
import type { Handover } from "../exam/handover";
import type { AttemptRecord, AttemptWrite } from "../exam/ports";
import type { Command } from "../exam/protocol";
import { BrowserAttemptStore } from "./attempts";

afterEach(() => void vi.unstubAllGlobals());

const record = (test: string): AttemptRecord => ({ test, startKey: "k", start: { grade: 5 } });
const answer = (questionId: string, seq: number) => ({ type: "answer" as const, questionId, selected: "A" as const, timeTaken: 1, seq });

async function keeping(test: string, write: AttemptWrite): Promise<BrowserAttemptStore> {
  const store = new BrowserAttemptStore();
  await store.claim(test);
  expect(await store.write(test, { record: record(test), ...write })).toBe(true);
  return store;
}

test("an attempt comes back with its commands and drawings, without those of others", async () => {
  await keeping("one", { put: [answer("q1", 1), answer("q2", 2)], drawings: { q1: { v: 1 }, q2: { v: 2 } } });
  await keeping("one more", { put: [answer("q1", 7)], drawings: { q1: { v: 7 } } });
  const kept = await new BrowserAttemptStore().claim("one");
  expect(kept).toEqual({ record: record("one"), commands: [answer("q1", 1), answer("q2", 2)], drawings: { q1: { v: 1 }, q2: { v: 2 } } });
});

test("what is saved or cleared is taken out, and a forgotten attempt leaves nothing", async () => {
  const store = await keeping("two", { put: [answer("q1", 1)], drawings: { q1: { v: 1 } } });
  await store.write("two", { remove: ["answer:q1"], drawings: { q1: null } });
  expect(await store.claim("two")).toEqual({ record: record("two"), commands: [], drawings: {} });
  await store.write("two", { put: [answer("q1", 2)], drawings: { q1: { v: 2 } } });
  await store.keepTexts("two", { title: "T", questions: {} });
  await store.forget("two");
  expect(await store.claim("two")).toBeUndefined();
  expect(await store.findTexts("two")).toBeUndefined();
  await store.write("two", { record: record("two") });
  expect(await store.claim("two")).toMatchObject({ commands: [], drawings: {} });
});

test("a tab that has lost an attempt writes nothing of it", async () => {
  const first = await keeping("three", {});
  await new BrowserAttemptStore().claim("three");
  expect(await first.write("three", { drawings: { q1: { v: 1 } }, put: [answer("q1", 1)] })).toBe(false);
  await first.forget("three");
  expect(await first.claim("three")).toEqual({ record: record("three"), commands: [], drawings: {} });
});

/** Puts a `localStorage` in place that has room for this many characters in an entry. */
function roomFor(characters: number): Map<string, string> {
  const memory = new Map<string, string>();
  const setItem = (key: string, value: string) => {
    if (value.length > characters) throw new DOMException("full", "QuotaExceededError");
    memory.set(key, value);
  };
  vi.stubGlobal("localStorage", {
    get length() {
      return memory.size;
    },
    key: (index: number) => [...memory.keys()][index] ?? null,
    getItem: (key: string) => memory.get(key) ?? null,
    setItem,
    removeItem: (key: string) => void memory.delete(key),
  });
  return memory;
}

const session = { sessionId: "s", token: "t" };
const handover = (test: string, highest: number, commands: Command[], more: Partial<Handover> = {}): Handover => ({ record: { ...record(test), ...session, highest }, commands, kept: [], drawings: {}, ...more });
const drawing = (questionId: string, seq: number, items = "") => ({ type: "drawing" as const, questionId, drawing: { v: 1, items }, seq });

test("what a page has left is found by the next claim, and stays until it is written", async () => {
  const memory = roomFor(10_000);
  const first = await keeping("four", { put: [answer("q1", 1), drawing("q1", 2), drawing("q2", 3)], drawings: { q1: { v: 1 } } });
  first.handOver("four", handover("four", 4, [answer("q1", 4)], { kept: ["drawing:q2"], drawings: { q1: null } }));
  const expected = { record: { ...record("four"), ...session, highest: 4 }, commands: [drawing("q2", 3), answer("q1", 4)], drawings: {}, hasHandover: true };
  expect((await new BrowserAttemptStore().find("four"))[0]?.sessionId).toBe("s");
  const second = new BrowserAttemptStore();
  expect(await second.claim("four")).toEqual(expected);
  expect(memory.size).toBe(1);
  const third = new BrowserAttemptStore();
  expect(await third.claim("four")).toEqual(expected);
  await third.write("four", { ...expected, put: expected.commands, isWhole: true });
  third.handOver("four");
  expect(memory.size).toBe(0);
});

test("what a tab has left that had lost the attempt is forgotten, and spoils nothing", async () => {
  const memory = roomFor(10_000);
  const first = await keeping("five", { put: [answer("q1", 1)] });
  const second = new BrowserAttemptStore();
  await second.claim("five");
  second.handOver("five", handover("five", 2, [answer("q1", 2)]));
  first.handOver("five", handover("five", 9, [answer("q1", 9)]));
  expect((await new BrowserAttemptStore().claim("five"))?.commands).toEqual([answer("q1", 2)]);
  expect(memory.size).toBe(1);
});

test("what a claim had taken over that broke off is found by the next", async () => {
  roomFor(10_000);
  const first = await keeping("nine", { put: [answer("q1", 1)] });
  first.handOver("nine", handover("nine", 2, [answer("q1", 2)]));
  const put = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  await expect(new BrowserAttemptStore().claim("nine")).rejects.toThrow();
  put.mockRestore();
  expect((await new BrowserAttemptStore().claim("nine"))?.commands).toEqual([answer("q1", 2)]);
});

test("of what has no room the answers are left, and what is unreadable is forgotten", async () => {
  const memory = roomFor(600);
  const first = await keeping("six", { put: [drawing("q1", 1)] });
  first.handOver("six", handover("six", 2, [answer("q1", 2), drawing("q1", 3, "x".repeat(600))]));
  expect((await new BrowserAttemptStore().claim("six"))?.commands).toEqual([drawing("q1", 1), answer("q1", 2)]);
  for (const name of memory.keys()) memory.set(name, "[null]");
  expect((await new BrowserAttemptStore().claim("six"))?.hasHandover).toBeUndefined();
  expect(memory.size).toBe(0);
});

test("a forgotten attempt has left nothing, also where the database can't be read", async () => {
  const memory = roomFor(600);
  for (const isBroken of [false, true]) {
    const first = await keeping("seven", {});
    first.handOver("seven", handover("seven", 2, [answer("q1", 1)]));
    await new BrowserAttemptStore().claim("seven");
    const last = new BrowserAttemptStore();
    await last.claim("seven");
    if (isBroken) vi.spyOn(IDBDatabase.prototype, "transaction").mockImplementation(() => { throw new DOMException("lost", "UnknownError"); });
    await last.forget("seven");
    vi.restoreAllMocks();
    expect(memory.size).toBe(0);
  }
});

test("where the database refuses, what was left is all there is, and is found", async () => {
  roomFor(600);
  vi.stubGlobal("indexedDB", undefined);
  const first = new BrowserAttemptStore();
  first.handOver("eight", handover("eight", 2, [answer("q1", 1)]));
  const second = new BrowserAttemptStore();
  expect((await second.find("eight")).map(({ sessionId }) => sessionId)).toEqual(["s"]);
  expect(await second.claim("eight")).toMatchObject({ commands: [answer("q1", 1)], hasHandover: true });
});
