import { expect, test } from "vitest";
import { copyNote } from "./copy_note";
import { resultRow } from "./testing/results";

test("what numbers and letters are is said only where somebody saw others", () => {
  const ada = resultRow("Ada", { form: "B", optionOrder: { first: "CADB" } });
  const bo = resultRow("Bo");
  const cy = resultRow("Cy", { optionOrder: { first: "BADC" } });
  expect([copyNote([bo, cy, ada]), copyNote([bo, cy]), copyNote([bo]), copyNote([])]).toEqual(["forms", "letters", undefined, undefined]);
});
