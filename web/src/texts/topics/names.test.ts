import { expect, test } from "vitest";
import { distinctTopics, spelledTopic, topicIn, topicKey } from "./names";

test("a topic of the sample bank is called by its name in the language of the page, and every other one by its own", () => {
  expect([topicIn("Fractions", "vi"), topicIn("Fractions", "en")]).toEqual(["Phân số", "Fractions"]);
  expect([topicIn("Hình học 11", "vi"), topicIn("toString", "vi"), topicIn("", "vi")]).toEqual(["Hình học 11", "toString", ""]);
});

test("capitals, blanks and the other language name no other topic", () => {
  const topics = ["Fractions", "Sets of numbers"];
  for (const typed of ["Fractions", "fractions", " FRACTIONS", "Phân số", "phân  số"]) expect(spelledTopic(typed, topics)).toBe("Fractions");
  expect(spelledTopic("sets  of numbers", topics)).toBe("Sets of numbers");
  expect(spelledTopic("Số thập phân", topics)).toBe("Decimals");
  expect(spelledTopic("Fraction", topics)).toBe("Fraction");
  expect(spelledTopic("Fractions", ["Phân số"])).toBe("Phân số");
  expect([topicKey("Phân số"), topicKey("FRACTIONS")]).toEqual(["fractions", "fractions"]);
});

test("topics of one name are one, by the name that both languages have", () => {
  expect(distinctTopics(["Phân số", "fractions", "Fractions", "Sums", "sums", ""])).toEqual(["Fractions", "Sums"]);
});
