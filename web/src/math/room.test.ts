import { expect, test } from "vitest";
import { roomOf } from "./room";

test("a formula has room for what it shows", () => {
  expect(roomOf("x + 1")).toBe(3);
  expect(roomOf("\\frac{12}{5}")).toBe(2);
  expect(roomOf("2\\frac{1}{3} \\times \\sqrt{16}")).toBe(5);
  expect(roomOf("90^\\circ")).toBe(3);
  expect(roomOf("\\text{cm}^2")).toBe(3);
  expect(roomOf("\\leftarrow")).toBe(1);
});

test("nothing has no room of its own", () => {
  expect(roomOf("\\frac{}{}")).toBe(1);
});
