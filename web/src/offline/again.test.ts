import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Again } from "./again";

let page: EventTarget & { hidden: boolean };

beforeEach(() => {
  vi.useFakeTimers();
  page = Object.assign(new EventTarget(), { hidden: false });
  const network = new EventTarget();
  vi.stubGlobal("document", page);
  for (const name of ["addEventListener", "removeEventListener", "dispatchEvent"] as const) vi.stubGlobal(name, network[name].bind(network));
  vi.spyOn(Math, "random").mockReturnValue(1);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** An attempt that fails until `isUp` is set, and counts. */
function failing() {
  const attempt = Object.assign(
    vi.fn(async () => {
      if (!attempt.isUp) throw new Error("no network");
      return true;
    }),
    { isUp: false },
  );
  return attempt;
}

test("what fails is tried again after pauses that grow, until it succeeds", async () => {
  const attempt = failing();
  expect(await new Again(attempt).now()).toBe(false);
  await vi.advanceTimersByTimeAsync(499);
  expect(attempt).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(attempt).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(attempt.mock.calls.length).toBeLessThan(12);
  attempt.isUp = true;
  await vi.advanceTimersByTimeAsync(15_000);
  const tries = attempt.mock.calls.length;
  await vi.advanceTimersByTimeAsync(600_000);
  dispatchEvent(new Event("online"));
  expect(attempt).toHaveBeenCalledTimes(tries);
});

test("it is tried at once when the network is back, and when the page is looked at again", async () => {
  const attempt = failing();
  const again = new Again(attempt);
  again.later();
  dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(0);
  expect(attempt).toHaveBeenCalledTimes(1);
  page.hidden = true;
  page.dispatchEvent(new Event("visibilitychange"));
  await vi.advanceTimersByTimeAsync(0);
  expect(attempt).toHaveBeenCalledTimes(1);
  page.hidden = false;
  page.dispatchEvent(new Event("visibilitychange"));
  await vi.advanceTimersByTimeAsync(0);
  expect(attempt).toHaveBeenCalledTimes(2);
  again.end();
  await vi.advanceTimersByTimeAsync(600_000);
  dispatchEvent(new Event("online"));
  expect(attempt).toHaveBeenCalledTimes(2);
});

test("whatever wakes the page, the server is not asked before the time that it has given", async () => {
  const attempt = failing();
  const again = new Again(attempt, { leastSeconds: () => 7 });
  for (let failure = 0; failure < 6; failure += 1) again.later();
  await vi.advanceTimersByTimeAsync(3_000);
  dispatchEvent(new Event("online"));
  page.dispatchEvent(new Event("visibilitychange"));
  await vi.advanceTimersByTimeAsync(3_999);
  expect(attempt).toHaveBeenCalledTimes(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(attempt).toHaveBeenCalledTimes(1);
  again.end();
});

test("the server's own wish to wait is heard, and two never run at once", async () => {
  const attempt = failing();
  const again = new Again(attempt, { leastSeconds: () => 7 });
  again.later();
  await vi.advanceTimersByTimeAsync(6_999);
  expect(attempt).toHaveBeenCalledTimes(0);
  await Promise.all([again.now(), again.now()]);
  expect(attempt).toHaveBeenCalledTimes(1);
  again.end();
});
