import { expect, test } from "vitest";
import { asSeen, copyNote, seenLetter } from "./seen";
import en from "./texts/en";
import vi from "./texts/vi";
import { resultRow } from "./testing/results";

const ada = resultRow("Ada", { form: "B", optionOrder: { first: "CADB" } });

test("both letters are said where the student saw another one, and one where they are the same", () => {
  expect(asSeen(ada, "first", "C", en)).toBe("A (C in the master copy)");
  expect(asSeen(ada, "first", "C", vi)).toBe("A (C trong đề gốc)");
  expect(asSeen(ada, "second", "C", en)).toBe("C");
  expect(asSeen(resultRow("Bo"), "first", "C", en)).toBe("C");
  // In this order D stands under its own letter.
  expect(asSeen(resultRow("Cy", { optionOrder: { first: "BCAD" } }), "first", "D", en)).toBe("D");
  expect([seenLetter(ada, "first", "B"), seenLetter(ada, "first", "0.75")]).toEqual(["D", undefined]);
});

test("what numbers and letters are is said only where somebody saw others", () => {
  expect(copyNote([resultRow("Bo"), ada])).toBe("forms");
  expect(copyNote([resultRow("Bo", { optionOrder: { first: "BA" } })])).toBe("letters");
  expect(copyNote([resultRow("Bo")])).toBeUndefined();
});
