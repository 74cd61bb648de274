import { expect, test } from "vitest";
import { fittingSize } from "./fitting";

test("a longer line is smaller, and none is higher than its part of the screen", () => {
  expect(fittingSize("K7PQ2", 30)).toBe("min(26.86vw, 30vh)");
  expect(fittingSize("exam.school.example/s/", 11)).toBe("min(6.10vw, 11vh)");
  expect(fittingSize("", 30)).toBe("min(134.29vw, 30vh)");
});
