import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LOOK_FIRST_MS, LookFirst } from "./look_first.svelte";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("results wait for the look, and not longer than it is bearable", () => {
  const look = new LookFirst();
  look.begin();
  expect([look.isOver, look.isLate]).toEqual([false, false]);
  vi.advanceTimersByTime(LOOK_FIRST_MS - 1);
  expect(look.isOver).toBe(false);
  vi.advanceTimersByTime(1);
  expect([look.isOver, look.isLate]).toEqual([true, true]);
  look.done();
  expect([look.isOver, look.isLate]).toEqual([true, false]);
});

test("each dialog looks anew", () => {
  const look = new LookFirst();
  look.begin();
  look.done();
  expect(look.isOver).toBe(true);
  look.begin();
  expect(look.isOver).toBe(false);
  vi.advanceTimersByTime(LOOK_FIRST_MS / 2);
  look.begin();
  vi.advanceTimersByTime(LOOK_FIRST_MS / 2);
  expect(look.isOver, "the time of an earlier dialog does not count").toBe(false);
});
