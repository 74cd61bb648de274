import { expect, test } from "vitest";
import { batchOf } from "./batch";
import type { Command } from "./protocol";

const drawing = (seq: number, bytes: number): Command => ({ type: "drawing", questionId: `q${seq}`, drawing: { p: "x".repeat(bytes) }, seq });
const visit = (seq: number): Command => ({ type: "visit", questionId: `q${seq}`, seq });
const numbers = (pending: Command[]) => batchOf(pending).map(({ seq }) => seq);

test("small commands go first, and a request stays small", () => {
  expect(numbers([drawing(1, 190_000), visit(2), drawing(3, 60_000), visit(4)])).toEqual([2, 4]);
  expect(numbers([drawing(1, 60_000), visit(2), drawing(3, 60_000)])).toEqual([2, 1]);
  expect(numbers([drawing(1, 190_000), drawing(2, 10)])).toEqual([1]);
  expect(numbers(Array.from({ length: 80 }, (_, index) => visit(index + 1)))).toHaveLength(50);
  expect(numbers([])).toEqual([]);
});
