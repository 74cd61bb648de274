import "../../testing/page";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Correction } from "./correction";
import { Corrections } from "./corrections.svelte";
import { correction } from "./testing/corrections";

const SITTING = { kind: "sitting", sittingId: "s-1" } as const;
const under = (done: number, changes: Partial<Correction> = {}) => correction({ progress: { done, total: 30, finished: false }, ...changes });

let answered: Correction[];
let asked: string[];

beforeEach(() => {
  [answered, asked] = [[], []];
  vi.useFakeTimers();
  vi.stubGlobal("fetch", (path: string) => {
    asked.push(path);
    return Promise.resolve(new Response(JSON.stringify({ corrections: answered })));
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("progress is asked for until the last result is done, also of a correction that was begun before a reload", async () => {
  const finished: string[] = [];
  const corrections = new Corrections(({ id }) => finished.push(id));
  answered = [under(4)];
  await corrections.open(SITTING);
  expect(corrections.isUnderWay).toBe(true);
  const stop = corrections.follow();
  answered = [under(20)];
  await vi.advanceTimersByTimeAsync(1_000);
  expect(corrections.list[0]?.progress.done).toBe(20);
  answered = [correction()];
  await vi.advanceTimersByTimeAsync(1_000);
  expect([corrections.isUnderWay, finished]).toEqual([false, ["c-1"]]);
  const before = asked.length;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked.length).toBe(before);
  expect(asked[0]).toBe("/api/manager/corrections?sittingId=s-1");
  stop();
});

test("one that was finished before is no news, and a new one stands first", async () => {
  const finished: string[] = [];
  const corrections = new Corrections(({ id }) => finished.push(id));
  answered = [correction({ id: "old", at: "2026-11-22T12:00:00Z" })];
  await corrections.open(SITTING);
  expect(finished).toEqual([]);
  corrections.take(under(0, { id: "new" }));
  expect(corrections.list.map(({ id }) => id)).toEqual(["new", "old"]);
  // It is taken back: the same one, at work again.
  corrections.take(under(0, { id: "old", at: "2026-11-22T12:00:00Z", revertedAt: "2026-11-23T12:00:00Z" }));
  expect(corrections.list.map(({ id }) => id)).toEqual(["new", "old"]);
  expect(finished).toEqual([]);
});

test("whoever may make none asks for none, and other results begin anew", async () => {
  const corrections = new Corrections(() => {});
  await corrections.open(undefined);
  expect(asked).toEqual([]);
  answered = [correction()];
  await corrections.open(SITTING);
  expect(corrections.list).toHaveLength(1);
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network")));
  await corrections.open({ kind: "template", templateId: "t-1" });
  expect([corrections.list, corrections.problem?.kind]).toEqual([[], "unreachable"]);
});
