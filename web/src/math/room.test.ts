import { expect, test } from "vitest";
import { widthOfFormula } from "./room";

test("a formula has room for what it shows", () => {
  expect(widthOfFormula("x + 1")).toBe(3);
  expect(widthOfFormula("\\frac{12}{5}")).toBe(2);
  expect(widthOfFormula("2\\frac{1}{3} \\times \\sqrt{16}")).toBe(5);
  expect(widthOfFormula("90^\\circ")).toBe(3);
  expect(widthOfFormula("\\text{cm}^2")).toBe(3);
  expect(widthOfFormula("\\leftarrow")).toBe(1);
});

test("nothing has no room of its own", () => {
  expect(widthOfFormula("\\frac{}{}")).toBe(1);
});
