import "../testing/page";
import { expect, test } from "vitest";
import { nextPaperName } from "./new_paper";

test("the next paper has the next free number", () => {
  expect(nextPaperName("Week test", ["Week test"])).toBe("Week test (2)");
  expect(nextPaperName("Week test (2)", ["Week test", "Week test (2)"])).toBe("Week test (3)");
  expect(nextPaperName("x".repeat(200), [])).toBe(`${"x".repeat(196)} (2)`);
});
