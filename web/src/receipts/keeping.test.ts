import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ReceiptKeeper } from "./keeping";

const MINUTE_MS = 60_000;
const base = { phase: "running" as const, saving: "saved" as const, questionIds: ["a", "b", "c"], current: 0 };

let kept: string[];
let answer: { receipt?: string; isGone: boolean };
const ask = vi.fn(async () => answer);

beforeEach(() => {
  vi.useFakeTimers();
  ask.mockClear();
  [kept, answer] = [[], { receipt: "one", isGone: false }];
});
afterEach(() => void vi.useRealTimers());

const keeper = () => new ReceiptKeeper(ask, (receipt) => kept.push(receipt), () => Date.now());

test("a receipt is asked for when a question is left, and not before", async () => {
  const watching = keeper();
  watching.look(base);
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(ask).toHaveBeenCalledTimes(0);
  watching.look({ ...base, current: 1 });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(kept).toEqual(["one"]);
});

test("whoever has left the first question before the page could ask gets one too", async () => {
  keeper().look({ ...base, current: 2 });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(kept).toEqual(["one"]);
});

test("it is asked for once a minute at most, however often questions are left", async () => {
  const watching = keeper();
  for (let turn = 0; turn < 180; turn += 1) {
    watching.look({ ...base, current: turn % 3 });
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(ask.mock.calls.length).toBe(3);
});

test("it waits until everything is saved", async () => {
  const watching = keeper();
  watching.look(base);
  watching.look({ ...base, current: 1, saving: "offline" });
  await vi.advanceTimersByTimeAsync(5 * MINUTE_MS);
  expect(ask).toHaveBeenCalledTimes(0);
  watching.look({ ...base, current: 1 });
  await vi.advanceTimersByTimeAsync(1_000);
  watching.look({ ...base, current: 1, saving: "saving" });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(ask).toHaveBeenCalledTimes(0);
  watching.look({ ...base, current: 1 });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(ask).toHaveBeenCalledTimes(1);
});

test("what fails is asked for again after a minute, and never where there are no receipts", async () => {
  answer = { isGone: false };
  const watching = keeper();
  watching.look(base);
  watching.look({ ...base, current: 1 });
  await vi.advanceTimersByTimeAsync(5_000);
  answer = { receipt: "two", isGone: false };
  await vi.advanceTimersByTimeAsync(2 * MINUTE_MS);
  expect([ask.mock.calls.length, kept]).toEqual([2, ["two"]]);
  answer = { isGone: true };
  watching.look({ ...base, current: 2 });
  await vi.advanceTimersByTimeAsync(2 * MINUTE_MS);
  watching.look({ ...base, current: 0 });
  await vi.advanceTimersByTimeAsync(5 * MINUTE_MS);
  expect(ask.mock.calls.length).toBe(3);
});

test("after the end nothing is asked, and when the test goes on it is", async () => {
  const watching = keeper();
  watching.look(base);
  watching.look({ ...base, current: 1 });
  watching.look({ ...base, current: 1, phase: "submitted" });
  await vi.advanceTimersByTimeAsync(5 * MINUTE_MS);
  expect(ask).toHaveBeenCalledTimes(0);
  watching.look({ ...base, current: 2 });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(ask).toHaveBeenCalledTimes(1);
});
