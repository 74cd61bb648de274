import { expect, test } from "vitest";
import { inShownOrder, letterAsShown } from "./option_letters";

test("letters stand by position, so that a right option has another one", () => {
  expect([..."ABCD"].map((letter) => letterAsShown("CADB", letter))).toEqual(["B", "D", "A", "C"]);
  expect([..."ABCD"].map((letter) => letterAsShown(undefined, letter))).toEqual([..."ABCD"]);
  // A number has no letter, and nothing was chosen by who gave no answer.
  expect([letterAsShown("CADB", "0.75"), letterAsShown("CADB", "")]).toEqual(["0.75", ""]);
});

test("what stands under the new letter of an option is that option", () => {
  const options = ["one", "two", "three", "four"];
  const shown = inShownOrder("CADB", options);
  expect(shown).toEqual(["three", "one", "four", "two"]);
  for (const letter of "ABCD") expect(shown["ABCD".indexOf(letterAsShown("CADB", letter))]).toBe(options["ABCD".indexOf(letter)]);
  expect(inShownOrder(undefined, options)).toEqual(options);
  expect(inShownOrder("BA", ["yes", "no"])).toEqual(["no", "yes"]);
  // The options were edited since.
  expect(inShownOrder("BA", options)).toEqual(options);
});
