import { expect, test } from "vitest";
import { pauseAfter, pauseAfterRestart } from "./backoff";

test("pauses grow, are spread, and have an end", () => {
  expect(pauseAfter(1, 0)).toBe(250);
  expect(pauseAfter(1, 1)).toBe(500);
  expect(pauseAfter(3, 1)).toBe(2_000);
  expect(pauseAfter(50, 1)).toBe(15_000);
  expect(pauseAfter(50, 0)).toBe(7_500);
  expect(pauseAfterRestart(0.5)).toBe(2_500);
});
