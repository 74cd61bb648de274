import { expect, test } from "vitest";
import { largestFlow } from "./flow";
import { total } from "./shapes";

const sum = (flow: number[][]) => total(flow.map((row) => total(row)));

/** Tries everything, for banks that are small enough. */
function tried(rows: number[], columns: number[], cells: number[][]): number {
  const places = cells.flatMap((row, index) => row.map((most, column) => [index, column, most] as const));
  const from = (at: number, left: number[], room: number[]): number => {
    const place = places[at];
    if (place === undefined) return 0;
    const [row, column, most] = place;
    const limit = Math.min(most, left[row] ?? 0, room[column] ?? 0);
    const of = (by: number) => by + from(at + 1, left.map((one, index) => (index === row ? one - by : one)), room.map((one, index) => (index === column ? one - by : one)));
    return Math.max(...Array.from({ length: limit + 1 }, (_, by) => of(by)));
  };
  return from(0, rows, columns);
}

test("what was taken first gives way to what fits nowhere else", () => {
  // The first topic has questions of both difficulties, the second one of the first difficulty alone.
  const flow = largestFlow([2, 2], [2, 2], [
    [2, 2],
    [2, 0],
  ]);
  expect(flow).toEqual([
    [0, 2],
    [2, 0],
  ]);
});

test("no more is taken than is asked for, and than there is", () => {
  expect(largestFlow([3], [1, 9], [[5, 1]])).toEqual([[1, 1]]);
  expect(largestFlow([], [4], [])).toEqual([]);
  expect(largestFlow([4, 1], [0, 0], [[9, 9], [9, 9]])).toEqual([[0, 0], [0, 0]]);
});

test("no other way finds more", () => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let turn = 0; turn < 200; turn += 1) {
    const rows = [random(4), random(4), random(4)];
    const columns = [random(4), random(4)];
    const cells = rows.map(() => columns.map(() => random(3)));
    const flow = largestFlow(rows, columns, cells);
    const said = JSON.stringify({ rows, columns, cells });
    expect(sum(flow), said).toBe(tried(rows, columns, cells));
    for (const [row, line] of flow.entries()) {
      expect(total(line), said).toBeLessThanOrEqual(rows[row] ?? 0);
      for (const [column, count] of line.entries()) {
        expect(count, said).toBeGreaterThanOrEqual(0);
        expect(count, said).toBeLessThanOrEqual(cells[row]?.[column] ?? 0);
      }
    }
    for (const column of columns.keys()) expect(total(flow.map((line) => line[column] ?? 0)), said).toBeLessThanOrEqual(columns[column] ?? 0);
  }
});
