import { expect, test } from "vitest";
import { between, leastWidth, moved, templateOf } from "./table";

test("keys lead through the rows and stop at both ends", () => {
  const to = (key: string, from: number) => moved(key, from, 50, 10);
  expect([to("j", -1), to("j", 0), to("ArrowDown", 49)]).toEqual([0, 1, 49]);
  expect([to("k", -1), to("k", 5), to("ArrowUp", 0)]).toEqual([49, 4, 0]);
  expect([to("PageDown", 45), to("PageUp", 3), to("Home", 30), to("End", 0)]).toEqual([49, 0, 0, 49]);
  expect(to("x", 3)).toBeUndefined();
  expect(moved("j", -1, 0, 10)).toBeUndefined();
});

test("a range has both its ends, whichever was first", () => {
  const rows = ["a", "b", "c", "d"];
  const range = (from: string | undefined, to: string) => between(rows, (row) => row, from, to);
  expect([range("b", "d"), range("d", "b"), range("c", "c")]).toEqual([["b", "c", "d"], ["b", "c", "d"], ["c"]]);
  expect([range(undefined, "c"), range("gone", "c"), range("a", "gone")]).toEqual([["c"], ["c"], []]);
});

test("columns have their width, and the table a least one", () => {
  const columns = [{}, { width: "8rem" }, { width: "minmax(12.5rem, 2fr)" }];
  expect(templateOf(columns, true)).toBe("2rem minmax(7rem, 1fr) 8rem minmax(12.5rem, 2fr)");
  expect(templateOf(columns, false)).toBe("minmax(7rem, 1fr) 8rem minmax(12.5rem, 2fr)");
  expect(leastWidth(columns)).toBe("30.5rem");
});
