import { expect, test } from "vitest";
import { copyNote, seenAs } from "./seen_orders";
import en from "./texts/en";
import vi from "./texts/vi";
import { resultRow } from "./testing/results";

const ada = resultRow("Ada", { form: "B", optionOrder: { first: "CADB", second: "BCAD" } });
const bo = resultRow("Bo");
const cy = resultRow("Cy", { optionOrder: { first: "BADC" } });

test("both letters are said where the student saw another one, and one where they are the same", () => {
  expect(seenAs(ada, "first", "C", en)).toBe("A (C in the master copy)");
  expect(seenAs(ada, "first", "C", vi)).toBe("A (C trong đề gốc)");
  // In the second order D stands under its own letter, and a number has none.
  expect([seenAs(ada, "second", "D", en), seenAs(ada, "first", "0.75", en), seenAs(ada, "first", "?", en)]).toEqual(["D", "0.75", "?"]);
  expect([seenAs(ada, "third", "C", en), seenAs(bo, "first", "C", en)]).toEqual(["C", "C"]);
});

test("what numbers and letters are is said only where somebody saw others", () => {
  expect([copyNote([bo, cy, ada]), copyNote([bo, cy]), copyNote([bo]), copyNote([])]).toEqual(["forms", "letters", undefined, undefined]);
});
