import { expect, test } from "vitest";
import { writtenMark, writtenNumber } from "./written";

test("a mark has the decimal sign of the reader's language, and a word stays as it is", () => {
  expect(["7.5", "10", "-0.5", "Khá", "A-", "1.b"].map((text) => writtenMark(text, "vi"))).toEqual(["7,5", "10", "−0,5", "Khá", "A-", "1.b"]);
  expect(["7.5", "-3", "B+"].map((text) => writtenMark(text, "en"))).toEqual(["7.5", "−3", "B+"]);
  expect([writtenNumber(0.25, "vi"), writtenNumber(6, "vi")]).toEqual(["0,25", "6"]);
});
