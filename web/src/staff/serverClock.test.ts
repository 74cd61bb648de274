import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { heardAt, note, now, onJump, watchClocks } from "./serverClock";

const START = Date.parse("2026-06-01T08:00:00Z");
const MINUTE = 60_000;
const iso = (ms: number) => new Date(ms).toISOString();
const page = Object.assign(new EventTarget(), { hidden: false });
let stop: () => void;

/** The clock of `performance` stands still here, as on a device that sleeps: only `Date` goes on. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"], now: START });
  vi.stubGlobal("document", page);
  stop = watchClocks();
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const isAbout = (ms: number) => expect(Math.abs(now() - ms)).toBeLessThan(2_000);

test("after the device has slept, the next time that is heard counts, however inexact", () => {
  const slept = vi.fn();
  const leave = onJump(slept);
  note(iso(START), 10, 10);
  vi.setSystemTime(START + 10 * MINUTE);
  vi.advanceTimersByTime(1_000);
  expect(slept).toHaveBeenCalledTimes(1);
  expect(heardAt()).toBeUndefined();
  note(iso(START + 10 * MINUTE), 100, 1_100);
  isAbout(START + 10 * MINUTE);
  expect(heardAt()).toBeDefined();
  leave();
  vi.setSystemTime(START);
  vi.advanceTimersByTime(1_000);
  expect(slept).toHaveBeenCalledTimes(1);
});

test("a page that is looked at again asks anew, and finds at once that the device has slept", () => {
  const slept = vi.fn();
  const leave = onJump(slept);
  note(iso(START), 10, 10);
  page.dispatchEvent(new Event("visibilitychange"));
  expect(slept).not.toHaveBeenCalled();
  note(iso(START + 3 * MINUTE), 100, 1_100);
  isAbout(START + 3 * MINUTE);
  vi.setSystemTime(START + MINUTE);
  page.dispatchEvent(new Event("visibilitychange"));
  expect(slept).toHaveBeenCalledTimes(1);
  leave();
});
