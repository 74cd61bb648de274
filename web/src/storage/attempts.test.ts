import "fake-indexeddb/auto";
import { afterEach, expect, test, vi } from "vitest";
import type { AttemptRecord, Write } from "../exam/ports";
import { BrowserKeeper } from "./attempts";

afterEach(() => void vi.unstubAllGlobals());

const record = (test: string): AttemptRecord => ({ test, startKey: "k", start: { grade: 5 } });
const answer = (questionId: string, seq: number) => ({ type: "answer" as const, questionId, selected: "A" as const, timeTaken: 1, seq });

async function keeping(test: string, write: Write): Promise<BrowserKeeper> {
  const keeper = new BrowserKeeper();
  await keeper.claim(test);
  expect(await keeper.write(test, { record: record(test), ...write })).toBe(true);
  return keeper;
}

test("an attempt comes back with its commands and drawings, without those of others", async () => {
  await keeping("one", { put: [answer("q1", 1), answer("q2", 2)], drawings: { q1: { v: 1 }, q2: { v: 2 } } });
  await keeping("one more", { put: [answer("q1", 7)], drawings: { q1: { v: 7 } } });
  const kept = await new BrowserKeeper().claim("one");
  expect(kept).toEqual({ record: record("one"), commands: [answer("q1", 1), answer("q2", 2)], drawings: { q1: { v: 1 }, q2: { v: 2 } } });
});

test("what is saved or cleared is taken out, and a forgotten attempt leaves nothing", async () => {
  const keeper = await keeping("two", { put: [answer("q1", 1)], drawings: { q1: { v: 1 } } });
  await keeper.write("two", { remove: ["answer:q1"], drawings: { q1: null } });
  expect(await keeper.claim("two")).toEqual({ record: record("two"), commands: [], drawings: {} });
  await keeper.write("two", { put: [answer("q1", 2)], drawings: { q1: { v: 2 } } });
  await keeper.keepTexts("two", { title: "T", questions: {} });
  await keeper.forget("two");
  expect(await keeper.claim("two")).toBeUndefined();
  expect(await keeper.findTexts("two")).toBeUndefined();
  await keeper.write("two", { record: record("two") });
  expect(await keeper.claim("two")).toMatchObject({ commands: [], drawings: {} });
});

test("a tab that has lost an attempt writes nothing of it", async () => {
  const first = await keeping("three", {});
  await new BrowserKeeper().claim("three");
  expect(await first.write("three", { drawings: { q1: { v: 1 } }, put: [answer("q1", 1)] })).toBe(false);
  await first.forget("three");
  expect(await first.claim("three")).toEqual({ record: record("three"), commands: [], drawings: {} });
});

/** A `localStorage` with room for so many characters. */
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

const left = (test: string, highest: number, write: Write): Write => ({ record: { ...record(test), highest }, ...write });

test("what a page has left is found by the next claim, and stays until it is written", async () => {
  const memory = roomFor(10_000);
  const first = await keeping("four", { put: [answer("q1", 1)], drawings: { q1: { v: 1 } } });
  first.leave("four", left("four", 3, { put: [answer("q1", 2), answer("q2", 3)], drawings: { q1: null } }));
  const expected = { record: { ...record("four"), highest: 3 }, commands: [answer("q1", 2), answer("q2", 3)], drawings: {}, hasLeft: true };
  const second = new BrowserKeeper();
  expect(await second.claim("four")).toEqual(expected);
  expect(memory.size).toBe(1);
  const third = new BrowserKeeper();
  expect(await third.claim("four")).toEqual(expected);
  await third.write("four", { ...expected, put: expected.commands, isWhole: true });
  third.leave("four");
  expect(memory.size).toBe(0);
});

test("what a tab has left that had lost the attempt is forgotten, and spoils nothing", async () => {
  const memory = roomFor(10_000);
  const first = await keeping("five", { put: [answer("q1", 1)] });
  const second = new BrowserKeeper();
  await second.claim("five");
  second.leave("five", left("five", 2, { put: [answer("q1", 2)] }));
  first.leave("five", left("five", 9, { put: [answer("q1", 9)] }));
  expect((await new BrowserKeeper().claim("five"))?.commands).toEqual([answer("q1", 2)]);
  expect(memory.size).toBe(1);
  second.leave("five");
});

test("of what has no room the answers are left, and what is unreadable is forgotten", async () => {
  const memory = roomFor(400);
  const first = await keeping("six", {});
  first.leave("six", left("six", 2, { put: [answer("q1", 1), { type: "drawing", questionId: "q1", drawing: { v: 1, items: "x".repeat(400) }, seq: 2 }] }));
  expect((await new BrowserKeeper().claim("six"))?.commands).toEqual([answer("q1", 1)]);
  for (const name of memory.keys()) memory.set(name, "[null]");
  expect((await new BrowserKeeper().claim("six"))?.hasLeft).toBeUndefined();
  expect(memory.size).toBe(0);
});

test("a forgotten attempt has left nothing", async () => {
  const memory = roomFor(400);
  const first = await keeping("seven", {});
  first.leave("seven", left("seven", 2, { put: [answer("q1", 1)] }));
  await first.forget("seven");
  expect(memory.size).toBe(0);
});

test("what is there of the same session is spared by a page that has not read it", async () => {
  const session = { sessionId: "s", token: "t" };
  const first = await keeping("eight", { record: { ...record("eight"), ...session }, put: [answer("q1", 1)], drawings: { q1: { v: 1 } } });
  await first.write("eight", { record: { ...record("eight"), ...session }, put: [answer("q2", 2)], isWhole: true, isBlind: true });
  expect(await first.claim("eight")).toMatchObject({ commands: [answer("q1", 1), answer("q2", 2)], drawings: { q1: { v: 1 } } });
  await first.write("eight", { record: { ...record("eight"), sessionId: "other", token: "t" }, isWhole: true, isBlind: true });
  expect(await first.claim("eight")).toMatchObject({ commands: [], drawings: {} });
});
