import "fake-indexeddb/auto";
import { expect, test, vi } from "vitest";
import type { AttemptRecord, Write } from "../exam/ports";
import { BrowserKeeper } from "./attempts";

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

test("what a page has left is found by the next claim, once, unless another tab has claimed meanwhile", async () => {
  const memory = new Map<string, string>();
  vi.stubGlobal("localStorage", { getItem: (key: string) => memory.get(key) ?? null, setItem: (key: string, value: string) => void memory.set(key, value), removeItem: (key: string) => void memory.delete(key) });
  const first = await keeping("four", { put: [answer("q1", 1)], drawings: { q1: { v: 1 } } });
  first.leave("four", [{ put: [answer("q1", 2)], drawings: { q1: null } }, { put: [answer("q2", 3)], remove: ["answer:q3"] }]);
  const second = new BrowserKeeper();
  expect(await second.claim("four")).toEqual({ record: record("four"), commands: [answer("q1", 2), answer("q2", 3)], drawings: {} });
  expect(memory.size).toBe(0);
  second.leave("four", [{ put: [answer("q1", 4)] }]);
  second.leave("four", []);
  expect((await new BrowserKeeper().claim("four"))?.commands).toHaveLength(2);
  second.leave("four", [{ put: [answer("q1", 5)] }]);
  expect((await new BrowserKeeper().claim("four"))?.commands[0]).toEqual(answer("q1", 2));
  vi.unstubAllGlobals();
});
