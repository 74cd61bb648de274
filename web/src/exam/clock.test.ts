import { expect, test } from "vitest";
import { minutesAndSeconds, ServerClock, SleepWatch, wholeMinutes } from "./clock";

test("what is left goes down by the steady clock from what the server said", () => {
  const clock = new ServerClock();
  clock.set(60_000, 1_000);
  expect(clock.remaining(1_000)).toBe(60_000);
  expect(clock.remaining(31_000)).toBe(30_000);
  expect(clock.remaining(999_000)).toBe(0);
});

test("a slow answer gives no time away, and takes none that is known better", () => {
  const clock = new ServerClock();
  // The page asked before the device slept, and read the answer twenty minutes later.
  clock.answered(1_800_000, 1_200_000, 1_200_000);
  expect(clock.remaining(1_200_000)).toBe(600_000);
  clock.answered(620_000, 1_201_000, 200);
  expect(clock.remaining(1_201_000)).toBe(619_800);
  clock.answered(619_000, 1_211_000, 20_000);
  expect(clock.remaining(1_211_000)).toBe(609_800);
  clock.answered(500_000, 1_212_000, 10_000);
  expect(clock.remaining(1_212_000)).toBe(490_000);
});

test("what the server said unasked may have waited, and only lowers what is left", () => {
  const clock = new ServerClock();
  clock.atMost(60_000, 0);
  clock.atMost(59_000, 10_000);
  expect(clock.remaining(10_000)).toBe(50_000);
  clock.atMost(40_000, 10_000);
  expect(clock.remaining(10_000)).toBe(40_000);
});

test("a pause stops it, and its end lets it go on", () => {
  const clock = new ServerClock();
  clock.set(60_000, 0);
  clock.pause(10_000);
  expect(clock.remaining(40_000)).toBe(50_000);
  clock.unpause(40_000);
  expect(clock.remaining(45_000)).toBe(45_000);
});

test("a device that slept or was set is noticed, a throttled timer is not taken for one", () => {
  const watch = new SleepWatch();
  expect(watch.look(0, 1_000_000)).toBe(false);
  expect(watch.look(60_000, 1_060_000)).toBe(false);
  expect(watch.look(61_000, 1_661_000)).toBe(true);
  expect(watch.look(62_000, 1_662_000)).toBe(false);
});

test("time is written as people read it", () => {
  expect(minutesAndSeconds(180_000)).toBe("03:00");
  expect(minutesAndSeconds(61_001)).toBe("01:02");
  expect(minutesAndSeconds(0)).toBe("00:00");
  expect(wholeMinutes(540_001)).toBe(10);
});
