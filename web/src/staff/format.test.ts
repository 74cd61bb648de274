import { expect, test } from "vitest";
import { decimal, duration, numberIn, oneOf, percent } from "./format";

test("durations are minutes and seconds, also above an hour", () => {
  expect([0, 41, 60, 1_400, 4_000.4].map(duration)).toEqual(["0:00", "0:41", "1:00", "23:20", "66:40"]);
});

test("shares are whole per cent, and means have one decimal in the reader's way of writing", () => {
  expect([0, 0.714, 1].map(percent)).toEqual(["0 %", "71 %", "100 %"]);
  expect([decimal(61.25, "en-GB"), decimal(61.25, "vi"), decimal(50, "vi")]).toEqual(["61.3", "61,3", "50"]);
});

test("what somebody wrote into the address is taken if it can be, and else is nothing", () => {
  expect(["50", "", " ", "many", "1e999"].map(numberIn)).toEqual([50, undefined, undefined, undefined, undefined]);
  expect([oneOf(["right", "score"], "score"), oneOf(["right", "score"], "x")]).toEqual(["score", "right"]);
});
