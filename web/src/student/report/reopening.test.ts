import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { HttpReply } from "../../exam/reply";
import { ReopeningWait } from "./reopening";

const ENDED: HttpReply = { status: 204, body: undefined };
const STANDING = { type: "resumed", sessionId: "0b0e", token: "t", state: "active" };
const GOES_ON: HttpReply = { status: 200, body: STANDING };

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
function waiting(waitMs: number, answer: () => HttpReply | undefined) {
  const request = vi.fn(
    (_method: string, _path: string, _token?: string) =>
      new Promise<HttpReply>((resolve, reject) =>
        setTimeout(() => {
          const now = answer();
          if (now === undefined) reject(new Error("no network"));
          else resolve(now);
        }, waitMs),
      ),
  );
  const goesOn = vi.fn();
  return { request, goesOn, wait: new ReopeningWait({ request }, "0b0e.t", goesOn) };
}

test("the page asks by the secret of the test, and is told once when it goes on", async () => {
  let now = ENDED;
  const { request, goesOn } = waiting(25_000, () => now);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(request.mock.calls[0]?.slice(0, 3)).toEqual(["GET", "/api/live/0b0e?wait=reopening", "t"]);
  expect(goesOn).not.toHaveBeenCalled();
  now = GOES_ON;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(goesOn).toHaveBeenCalledTimes(1);
  const asked = request.mock.calls.length;
  await vi.advanceTimersByTimeAsync(600_000);
  expect([request.mock.calls.length, goesOn.mock.calls.length]).toEqual([asked, 1]);
});

test("whoever waits for the beginning again goes on too, and an end is none", async () => {
  const waits = waiting(5, () => ({ status: 200, body: { type: "waiting", token: "t", sealed: [] } }));
  const ended = waiting(5, () => ({ status: 200, body: { ...STANDING, state: "submitted" } }));
  const others = waiting(5, () => ({ status: 200, body: { ...STANDING, sessionId: "7" } }));
  await vi.advanceTimersByTimeAsync(10);
  expect([waits, ended, others].map(({ goesOn }) => goesOn.mock.calls.length)).toEqual([1, 0, 0]);
});

test("a server that does not let the page wait is not asked without a pause, and after a while seldom", async () => {
  const { request } = waiting(5, () => ENDED);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(request.mock.calls.length).toBeLessThanOrEqual(5);
  const { request: later } = waiting(25_000, () => ENDED);
  await vi.advanceTimersByTimeAsync(11 * 60_000);
  const asked = later.mock.calls.length;
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  expect(later.mock.calls.length - asked).toBeLessThanOrEqual(8);
});

test("a lost network is got over, and a refusal ends the wait", async () => {
  let answer: HttpReply | undefined;
  const { request, goesOn } = waiting(5, () => answer);
  await vi.advanceTimersByTimeAsync(30_000);
  answer = GOES_ON;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(goesOn).toHaveBeenCalledTimes(1);
  expect(request.mock.calls.length).toBeGreaterThan(1);
  for (const refusal of [{ status: 403, body: { error: "Wrong token" } }, { status: 400, body: { error: "Invalid wait" } }]) {
    const refused = waiting(5, () => refusal);
    await vi.advanceTimersByTimeAsync(600_000);
    expect([refused.request.mock.calls.length, refused.goesOn.mock.calls.length]).toEqual([1, 0]);
  }
});

test("a page that was left asks no more", async () => {
  const { request, goesOn, wait } = waiting(25_000, () => GOES_ON);
  wait.end();
  await vi.advanceTimersByTimeAsync(600_000);
  expect([request.mock.calls.length, goesOn.mock.calls.length]).toEqual([1, 0]);
});
