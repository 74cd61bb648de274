import { expect, test } from "vitest";
import { layoutOf, placeAt, ROW, scrolledTo, seenSpan } from "./heat_layout";

const labels = (count: number, prefix = "") => Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);

test("columns share the room there is, and are never too narrow for a letter or wider than they need", () => {
  expect([layoutOf(10, labels(5), 1_000).column, layoutOf(10, labels(20), 1_000).column, layoutOf(10, labels(40), 1_000).column]).toEqual([64, 38, 28]);
  expect(layoutOf(5_000, labels(40), 1_000)).toMatchObject({ width: 240 + 40 * 28, height: 48 + 5_000 * ROW });
});

test("long names of questions get a taller head, and a phone narrower names", () => {
  expect(layoutOf(1, labels(9, "g5-00"), 1_000)).toMatchObject({ isTall: true, head: 96 });
  expect(layoutOf(1, labels(9), 400)).toMatchObject({ isTall: false, names: 148 });
});

test("only what can be seen is drawn", () => {
  expect(seenSpan(0, 240, 24, 5_000)).toEqual([0, 10]);
  expect(seenSpan(12, 240, 24, 5_000)).toEqual([0, 11]);
  expect(seenSpan(4_995 * 24, 240, 24, 5_000)).toEqual([4_995, 5_000]);
  expect(seenSpan(0, 240, 24, 0)).toEqual([0, 0]);
});

test("a point is a cell, a name or a question, wherever the map is scrolled to", () => {
  const layout = layoutOf(100, labels(40), 1_000);
  const window = { left: 28 * 3, top: ROW * 10, width: 1_000, height: 500 };
  expect(placeAt(241, 49, layout, window)).toEqual({ row: 10, column: 3 });
  expect(placeAt(10, 49, layout, window)).toEqual({ row: 10, column: -1 });
  expect(placeAt(241, 10, layout, window)).toEqual({ row: -1, column: 3 });
  expect(placeAt(10, 10, layout, window)).toBeUndefined();
  expect(placeAt(241, 49, layout, { ...window, top: 100 * ROW })).toBeUndefined();
});

test("the map scrolls to a place no further than it must", () => {
  const layout = layoutOf(100, labels(40), 1_000);
  const window = { left: 0, top: 240, width: 240 + 280, height: 48 + 240 };
  expect(scrolledTo({ row: 15, column: 5 }, layout, window)).toEqual({ left: 0, top: 240 });
  expect(scrolledTo({ row: 20, column: 10 }, layout, window)).toEqual({ left: 28, top: 264 });
  expect(scrolledTo({ row: 0, column: -1 }, layout, window)).toEqual({ left: 0, top: 0 });
  expect(scrolledTo({ row: -1, column: 39 }, layout, window)).toEqual({ left: 30 * 28, top: 240 });
});
