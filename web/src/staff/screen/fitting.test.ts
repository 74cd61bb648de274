import { expect, test } from "vitest";
import { fitting } from "./fitting";

test("a longer line is smaller, and none is higher than its part of the screen", () => {
  expect(fitting("K7PQ2", 30)).toBe("min(26.86vw, 30vh)");
  expect(fitting("exam.school.example/s/", 11)).toBe("min(6.10vw, 11vh)");
  expect(fitting("", 30)).toBe("min(134.29vw, 30vh)");
});
