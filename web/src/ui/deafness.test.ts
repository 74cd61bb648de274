import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { deafen } from "./deafness";

let frame = () => {};
let button: EventTarget;
let pressed: number;
let isHearing: boolean;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("requestAnimationFrame", (call: () => void) => ((frame = call), 1));
  vi.stubGlobal("cancelAnimationFrame", () => (frame = () => {}));
  [button, pressed, isHearing] = [new EventTarget(), 0, false];
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Listens to the button behind the deafness: of a target's listeners, Node calls the first one first. */
function begin(): () => void {
  const end = deafen(button, () => (isHearing = true));
  button.addEventListener("click", () => (pressed += 1));
  return end;
}

/** A click whose finger came down at this time, of which the page hears now. */
function click(timeStamp: number): void {
  button.dispatchEvent(Object.defineProperty(new Event("click", { cancelable: true }), "timeStamp", { value: timeStamp }));
}

/** The button is shown by a frame at this time. */
function shown(at: number): void {
  vi.advanceTimersByTime(at - performance.now());
  frame();
}

test("the second tap of a double tap is ignored, and the next one is not", () => {
  const start = performance.now();
  begin();
  shown(start + 10);
  click(start + 300);
  expect([pressed, isHearing]).toEqual([0, false]);
  vi.advanceTimersByTime(600);
  expect(isHearing).toBe(true);
  click(start + 611);
  click(start + 612);
  expect(pressed).toBe(2);
});

test("a page that is busy ignores what was pressed too early, however late it hears of it", () => {
  const start = performance.now();
  begin();
  shown(start + 10);
  vi.advanceTimersByTime(2_000);
  click(start + 300);
  expect(pressed).toBe(0);
});

test("a page that is busy hears what was pressed in time, though its timers are late", () => {
  const start = performance.now();
  begin();
  shown(start + 10);
  click(start + 650);
  expect([pressed, isHearing]).toEqual([1, true]);
});

test("what was pressed before the button could be seen is ignored", () => {
  const start = performance.now();
  begin();
  vi.advanceTimersByTime(2_000);
  click(start + 1_000);
  shown(start + 2_000);
  click(start + 2_300);
  expect(pressed).toBe(0);
  click(start + 2_600);
  expect(pressed).toBe(1);
});

test("what is gone before is deaf no longer, and calls nobody", () => {
  const start = performance.now();
  const end = begin();
  shown(start + 10);
  end();
  vi.advanceTimersByTime(2_000);
  click(start + 100);
  expect([pressed, isHearing]).toEqual([1, false]);
});
