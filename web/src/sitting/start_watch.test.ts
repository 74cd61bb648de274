import { expect, test } from "vitest";
import { StartWatch } from "./start_watch";

test("the network is checked once before the start, and not at the last moment", () => {
  const watch = new StartWatch(0);
  expect([20_000, 14_000, 13_000, 5_000, 0].map((inMs) => watch.look(0, inMs))).toEqual([undefined, "check", undefined, undefined, undefined]);
  expect(new StartWatch(0).look(0, 5_000)).toBeUndefined();
});

test("a start that is overdue is asked for, and again only after a pause", () => {
  const watch = new StartWatch(0);
  const asked = [2_999, 3_000, 4_000, 15_499, 15_500].map((overdueMs) => watch.look(1_000 + overdueMs, -overdueMs));
  expect(asked).toEqual([undefined, "ask", undefined, undefined, "ask"]);
});

test("not all pages of a room ask in the same moment", () => {
  expect([0, 1].map((random) => new StartWatch(random).look(0, -5_000))).toEqual(["ask", undefined]);
});
