import { expect, test } from "vitest";
import { shownValue } from "./values";
import en from "./texts/en";
import vi from "./texts/vi";

test("marks and names of the log are words of the page, and texts stay as they are", () => {
  expect(shownValue("Forms", "decimal, mixed", vi.values)).toBe("số thập phân, hỗn số");
  expect([shownValue("Language", "vi", vi.values), shownValue("Fixed options", "no", vi.values), shownValue("Type", "number", en.values)]).toEqual(["tiếng Việt", "không", "a number"]);
  expect([shownValue("Type", "older", vi.values), shownValue("Forms", "", vi.values)]).toEqual(["older", ""]);
  expect(shownValue("Question", "yes, no", vi.values)).toBe("yes, no");
});

test("every field of the log has a name in both languages", () => {
  for (const field of ["Tolerance", "Unit", "Forms", "Language", "Source", "Type", "Fixed options"] as const) {
    expect(vi.fields[field], field).not.toBe(field);
    expect(en.fields[field], field).not.toBe("");
  }
});
