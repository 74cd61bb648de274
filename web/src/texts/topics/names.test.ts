import { expect, test } from "vitest";
import { topicIn } from "./names";

test("a topic of the sample bank is called by its name in the language of the page, and every other one by its own", () => {
  expect([topicIn("Fractions", "vi"), topicIn("Fractions", "en")]).toEqual(["Phân số", "Fractions"]);
  expect([topicIn("Hình học 11", "vi"), topicIn("toString", "vi"), topicIn("", "vi")]).toEqual(["Hình học 11", "toString", ""]);
});
