import { expect, test } from "vitest";
import { Swipe, type Touch } from "./swipe";

const touch = (clientX: number, clientY = 0, pointerId = 1, pointerType = "touch"): Touch => ({ pointerId, pointerType, clientX, clientY });

function swiped(...touches: Touch[]): boolean {
  const swipe = new Swipe();
  const [last, ...before] = touches.reverse();
  for (const one of before.reverse()) swipe.down(one);
  return last !== undefined && swipe.up(last);
}

test("a long way to the left is a swipe, a short one and any other way are not", () => {
  expect(swiped(touch(200), touch(140))).toBe(true);
  expect(swiped(touch(200), touch(152))).toBe(false);
  expect(swiped(touch(200), touch(260))).toBe(false);
  expect(swiped(touch(200), touch(140, 25))).toBe(true);
  expect(swiped(touch(200), touch(140, 40))).toBe(false);
});

test("neither a mouse swipes, nor two fingers, nor one with which the browser scrolls", () => {
  expect(swiped(touch(200, 0, 1, "mouse"), touch(100, 0, 1, "mouse"))).toBe(false);
  expect(swiped(touch(200), touch(300, 0, 2), touch(100))).toBe(false);
  const swipe = new Swipe();
  swipe.down(touch(200));
  swipe.cancel(touch(200));
  expect(swipe.up(touch(100))).toBe(false);
  swipe.down(touch(200));
  expect(swipe.up(touch(100)), "the next one").toBe(true);
});
