import { expect, test, vi } from "vitest";
import { MovedTime } from "../../exam/testing/time";
import { Reversals } from "./reversals.svelte";

test("what undoes an order is deaf for 800 ms, counted anew from the answer", async () => {
  const time = new MovedTime();
  const reversals = new Reversals(time);
  reversals.ordered("pause", ["ada", "bo"]);
  expect([reversals.isDeaf("unpause", ["ada"]), reversals.isDeaf("unpause", ["cy", "bo"])]).toEqual([true, true]);
  expect([reversals.isDeaf("pause", ["ada"]), reversals.isDeaf("unpause", ["cy"]), reversals.isDeaf("extend", ["ada"])]).toEqual([false, false, false]);
  await time.pass(700);
  reversals.ordered("pause", ["ada"]);
  await time.pass(700);
  expect([reversals.isDeaf("unpause", ["ada"]), reversals.isDeaf("unpause", ["bo"])]).toEqual([true, false]);
  await time.pass(100);
  expect(reversals.isDeaf("unpause", ["ada"])).toBe(false);
});

test("what takes the last order back is deaf too", () => {
  const reversals = new Reversals(new MovedTime());
  for (const kind of ["extend", "pause", "unpause"] as const) reversals.ordered(kind, [kind]);
  expect(["extend", "pause", "unpause"].map((key) => reversals.isDeaf("undo", [key]))).toEqual([true, true, true]);
  expect(reversals.isDeaf("undo", ["ada"])).toBe(false);
});

test("marks undo each other, and time that was given leaves them alone", () => {
  const reversals = new Reversals(new MovedTime());
  reversals.ordered("absent", ["ada"]);
  reversals.ordered("extend", ["ada"]);
  expect([reversals.isDeaf("present", ["ada"]), reversals.isDeaf("absent", ["ada"]), reversals.isDeaf("pause", ["ada"])]).toEqual([true, false, false]);
});

test("an order to a whole school sets one timer", async () => {
  const time = new MovedTime();
  const later = vi.spyOn(time, "later");
  const reversals = new Reversals(time);
  const all = Array.from({ length: 5_000 }, (_, index) => `s${index}`);
  reversals.ordered("pause", all);
  await time.pass(500);
  reversals.ordered("pause", all);
  expect(later).toHaveBeenCalledTimes(2);
  await time.pass(500);
  expect([reversals.isDeaf("unpause", ["s0"]), reversals.isDeaf("unpause", ["s4999"])]).toEqual([true, true]);
  await time.pass(300);
  expect(reversals.isDeaf("unpause", all)).toBe(false);
});
