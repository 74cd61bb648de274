import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CalculatorWait } from "./calculator.svelte";
import { Part } from "./part.svelte";
import type { Calculator } from "./prefetch.svelte";

const CALCULATOR = (() => {}) as unknown as Calculator;

/** What has the focus on the page, which has the button of the calculator and its display. */
let focused: { id: string };
const button = { id: "calculator-button", closest: () => null };
const display = { id: "display", focus: () => (focused = display) };
/** Whether the page has a connection, and whether the server is there. */
let isOnline: boolean;
let isUp: boolean;
let load: ReturnType<typeof vi.fn<() => Promise<Calculator>>>;
let part: Part<Calculator>;
let calculating: CalculatorWait;
/** Whoever does not see it open is told. */
const cameLate = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("HTMLElement", Object);
  vi.stubGlobal("document", Object.assign(new EventTarget(), { hidden: false, body: {}, querySelector: () => display }));
  Object.defineProperty(document, "activeElement", { get: () => focused });
  const network = new EventTarget();
  for (const name of ["addEventListener", "removeEventListener"] as const) vi.stubGlobal(name, network[name].bind(network));
  vi.stubGlobal("navigator", { onLine: true });
  vi.stubGlobal("fetch", async () => ({ ok: isUp }));
  [focused, isOnline, isUp] = [button, true, true];
  load = vi.fn(async () => CALCULATOR);
  part = new Part(load, () => isOnline);
  calculating = new CalculatorWait(part, cameLate);
});

afterEach(() => {
  cameLate.mockClear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** What the student has before them. */
const seen = () => [calculating.isOpen, calculating.isAwaited, calculating.message];

test("it opens at the first click, and closes at the next", async () => {
  await calculating.turn();
  expect([...seen(), focused]).toEqual([true, false, undefined, display]);
  focused = button;
  await calculating.turn();
  await calculating.turn();
  expect([...seen(), load.mock.calls.length]).toEqual([true, false, undefined, 1]);
});

test("a click before the page has its connection opens it as soon as there is one, without a word", async () => {
  isOnline = false;
  void calculating.turn();
  await vi.advanceTimersByTimeAsync(1_000);
  expect([...seen(), load.mock.calls.length]).toEqual([false, true, undefined, 0]);
  isOnline = true;
  part.retryNow();
  await vi.advanceTimersByTimeAsync(0);
  expect([...seen(), focused]).toEqual([true, false, undefined, display]);
});

test("who waits longer is told why, and gets it all the same, without the focus and with a word", async () => {
  for (const isElsewhere of [false, true]) {
    [focused, isOnline] = [button, false];
    part = new Part(load, () => isOnline);
    calculating = new CalculatorWait(part, cameLate);
    void calculating.turn();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(seen()).toEqual([false, true, "calculatorMissing"]);
    const heading = { id: "heading", closest: () => null };
    if (isElsewhere) focused = heading;
    isOnline = true;
    await vi.advanceTimersByTimeAsync(16_000);
    expect([...seen(), focused]).toEqual([true, false, undefined, isElsewhere ? heading : button]);
    expect(cameLate).toHaveBeenCalledTimes(1);
    cameLate.mockClear();
  }
});

test("a script that failed once is asked for again, also by a second click", async () => {
  load.mockRejectedValueOnce(new TypeError("no network"));
  isUp = false;
  void calculating.turn();
  await vi.advanceTimersByTimeAsync(10);
  expect([...seen(), load.mock.calls.length]).toEqual([false, true, undefined, 1]);
  await calculating.turn();
  await vi.advanceTimersByTimeAsync(10);
  expect([...seen(), load.mock.calls.length]).toEqual([true, false, undefined, 2]);
});

test("it does not open for who has dismissed the message, until it is asked for again", async () => {
  isOnline = false;
  void calculating.turn();
  await vi.advanceTimersByTimeAsync(4_000);
  calculating.dismiss();
  expect(seen()).toEqual([false, false, undefined]);
  isOnline = true;
  await vi.advanceTimersByTimeAsync(16_000);
  expect([...seen(), part.here]).toEqual([false, false, undefined, CALCULATOR]);
  await calculating.turn();
  expect(calculating.isOpen).toBe(true);
});

test("who has dismissed the message and asks again gets it once", async () => {
  isOnline = false;
  void calculating.turn();
  await vi.advanceTimersByTimeAsync(4_000);
  calculating.dismiss();
  void calculating.turn();
  await vi.advanceTimersByTimeAsync(4_000);
  expect(seen()).toEqual([false, true, "calculatorMissing"]);
  isOnline = true;
  await vi.advanceTimersByTimeAsync(16_000);
  expect(seen()).toEqual([true, false, undefined]);
});

test("a browser that never loads a script again that failed once is told to load the page", async () => {
  load.mockRejectedValue(new TypeError("failed before"));
  void calculating.turn();
  await vi.advanceTimersByTimeAsync(4_000);
  expect(seen()).toEqual([false, true, "calculatorRefused"]);
});
