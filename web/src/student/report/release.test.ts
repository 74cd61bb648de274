import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { LoadResult, StoredSession } from "../api";
import { ReleaseWait } from "./release";

type Answer = LoadResult<StoredSession> | { kind: "held" };
const RELEASED: Answer = { kind: "loaded", value: { sessionId: "0b0e" } as StoredSession };

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("document", Object.assign(new EventTarget(), { hidden: false }));
  const network = new EventTarget();
  for (const name of ["addEventListener", "removeEventListener", "dispatchEvent"] as const) vi.stubGlobal(name, network[name].bind(network));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A server that makes the page wait for `waitMs`, and then gives what `answer` returns. */
function waiting(waitMs: number, answer: () => Answer) {
  const ask = vi.fn(() => new Promise<Answer>((resolve) => setTimeout(() => resolve(answer()), waitMs)));
  const released = vi.fn();
  return { ask, released, wait: new ReleaseWait(ask, released) };
}

test("the page asks as long as the result is held, and is told once when it is out", async () => {
  let now: Answer = { kind: "held" };
  const { ask, released } = waiting(25_000, () => now);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(ask.mock.calls.length).toBeGreaterThanOrEqual(4);
  expect(ask.mock.calls.length).toBeLessThanOrEqual(5);
  now = RELEASED;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(released).toHaveBeenCalledExactlyOnceWith({ sessionId: "0b0e" });
  const asked = ask.mock.calls.length;
  await vi.advanceTimersByTimeAsync(600_000);
  expect(ask).toHaveBeenCalledTimes(asked);
});

test("a server that does not let the page wait is not asked without a pause", async () => {
  const { ask } = waiting(5, () => ({ kind: "held" }));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ask.mock.calls.length).toBeLessThanOrEqual(5);
});

test("a lost network, and a question that was lost while the device slept, are got over", async () => {
  let isLost = true;
  const ask = vi.fn(() => (isLost ? new Promise<Answer>(() => {}) : Promise.resolve(RELEASED)));
  const released = vi.fn();
  new ReleaseWait(ask, released);
  await vi.advanceTimersByTimeAsync(30_000);
  isLost = false;
  await vi.advanceTimersByTimeAsync(15_000);
  expect(released).toHaveBeenCalledTimes(1);
  const { released: told } = waiting(5, () => (ask.mock.calls.length > 0 ? ({ kind: "unreachable" } as Answer) : RELEASED));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(told).not.toHaveBeenCalled();
});

test("a page that was left asks no more", async () => {
  const { ask, released, wait } = waiting(25_000, () => RELEASED);
  wait.end();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(ask).toHaveBeenCalledTimes(1);
  expect(released).not.toHaveBeenCalled();
});
