import { expect, test } from "vitest";
import { ServerTime } from "./server_time";

const NINE = "2026-01-05T09:00:00.000Z";

test("the time is the server's, in the middle of the round trip", () => {
  const time = new ServerTime();
  expect(time.at(0)).toBeUndefined();
  time.heard(NINE, 1_000, 200);
  expect(time.at(1_000)).toBe(Date.parse(NINE) + 100);
  expect(time.at(4_000)).toBe(Date.parse(NINE) + 3_100);
});

test("a slow answer does not replace a quick one, until that is old or the device has slept", () => {
  const time = new ServerTime();
  time.heard(NINE, 0, 20);
  time.heard("2026-01-05T09:00:01.000Z", 2_000, 3_000);
  expect(time.at(0)).toBe(Date.parse(NINE) + 10);
  time.doubt();
  time.heard("2026-01-05T09:10:00.000Z", 3_000, 40);
  expect(time.at(3_000)).toBe(Date.parse(NINE) + 600_020);
  time.heard("2026-01-05T09:20:00.000Z", 400_000, 2_000);
  expect(time.at(400_000)).toBe(Date.parse(NINE) + 1_201_000);
  time.heard("2026-01-05T09:00:00.000Z", 400_002, 40, 6_000);
  expect(time.at(400_000), "unasked").toBe(Date.parse(NINE) + 1_201_000);
  time.heard("nonsense", 400_001, 1);
  expect(time.at(400_000)).toBe(Date.parse(NINE) + 1_201_000);
});
