import { expect, test } from "vitest";
import { Alerts, FIVE_MINUTES_MS, TEN_MINUTES_MS } from "./alerts";

const minutes = (count: number) => count * 60_000;

test("each mark is given once, ten minutes only in tests longer than thirty", () => {
  const long = new Alerts(40);
  expect([11, 10, 9.9, 5.1, 5, 4.9].map((left) => long.look(minutes(left)))).toEqual([
    undefined,
    TEN_MINUTES_MS,
    undefined,
    undefined,
    FIVE_MINUTES_MS,
    undefined,
  ]);
  const short = new Alerts(30);
  expect([11, 9, 5].map((left) => short.look(minutes(left)))).toEqual([undefined, undefined, FIVE_MINUTES_MS]);
});

test("a page that begins below a mark is not alerted", () => {
  const alerts = new Alerts(40);
  expect(alerts.look(minutes(7))).toBeUndefined();
  expect(alerts.look(minutes(4))).toBe(FIVE_MINUTES_MS);
});

test("a throttled page that passes two marks at once is told the lower", () => {
  const alerts = new Alerts(40);
  alerts.look(minutes(12));
  expect(alerts.look(minutes(4.5))).toBe(FIVE_MINUTES_MS);
});

test("the server's alert and the page's own are one", () => {
  const alerts = new Alerts(40);
  alerts.look(minutes(10.001));
  expect(alerts.received(TEN_MINUTES_MS)).toBe(true);
  expect(alerts.received(TEN_MINUTES_MS)).toBe(false);
  expect(alerts.look(minutes(9.999))).toBeUndefined();
});

test("an extension arms a mark again, a little jitter does not", () => {
  const alerts = new Alerts(40);
  alerts.look(minutes(6));
  expect(alerts.look(minutes(5))).toBe(FIVE_MINUTES_MS);
  expect(alerts.look(minutes(5) + 900)).toBeUndefined();
  expect(alerts.look(minutes(5) - 100)).toBeUndefined();
  alerts.look(minutes(15));
  expect(alerts.look(minutes(5))).toBe(FIVE_MINUTES_MS);
});
