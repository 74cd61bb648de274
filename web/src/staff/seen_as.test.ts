import "./testing/page";
import { expect, test } from "vitest";
import { seenAs } from "./seen_as";
import en from "./texts/en";
import vi from "./texts/vi";

test("both letters are said where the student saw another one, and one where they are the same", () => {
  expect(seenAs("C", "CADB")).toBe(en.seenAs("A", "C"));
  expect([en.seenAs("A", "C"), vi.seenAs("A", "C")]).toEqual(["A (C in the master copy)", "A (C trong đề gốc)"]);
  // In this order D stands under its own letter, and a number has none.
  expect([seenAs("D", "BCAD"), seenAs("0.75", "CADB"), seenAs("?", "CADB"), seenAs("", "CADB"), seenAs("C", undefined)]).toEqual(["D", "0.75", "?", "", "C"]);
});
