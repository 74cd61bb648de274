import { expect, test, vi } from "vitest";
import { MovedTime } from "../../exam/testing/time";
import { LastOrders } from "./last_orders.svelte";

test("the last order to somebody has a way back for ten minutes, and the one before has none", async () => {
  const time = new MovedTime();
  const last = new LastOrders(time);
  const [given, paused] = [{ type: "extend" as const, minutes: 5, settled: vi.fn() }, { type: "pause" as const, settled: vi.fn() }];
  last.given(given, ["ada", "bo"]);
  await time.pass(60_000);
  last.given(paused, ["ada"]);
  expect([last.of("ada"), last.of("bo"), last.left(given, ["ada", "bo"])]).toEqual([paused, given, ["bo"]]);
  expect(given.settled, "something of it is left").not.toHaveBeenCalled();
  last.undone(["bo"]);
  expect([last.of("bo"), given.settled.mock.calls.length]).toEqual([undefined, 1]);
  await time.pass(599_000);
  expect(last.of("ada")).toBe(paused);
  await time.pass(1_001);
  expect([last.of("ada"), paused.settled.mock.calls.length]).toEqual([undefined, 1]);
});

test("an order to everyone is another target than each of them, and leaving the desk ends all", () => {
  const last = new LastOrders(new MovedTime());
  const order = { type: "unpause" as const, settled: vi.fn() };
  last.given(order, ["*"]);
  expect([last.of("*"), last.of("ada")]).toEqual([order, undefined]);
  last.end();
  expect([last.of("*"), order.settled.mock.calls.length]).toEqual([undefined, 1]);
});
