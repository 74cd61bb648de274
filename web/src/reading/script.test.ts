import { expect, test } from "vitest";
import { scriptOf, spoken } from "./script";
import { TONGUES } from "./tongues";

const { en, vi } = TONGUES;

test("a question is read with its picture and its options, each with its letter", () => {
  const question = { question: "What is $\\frac{1}{2} + \\frac{1}{4}$? Choose one.", options: ["$\\frac34$", "2/6", "−1"], image: "" };
  expect(scriptOf(question, en)).toEqual([
    { part: "question", text: "What is 1 half plus 1 quarter?" },
    { part: "question", text: "Choose one." },
    { part: "A", text: "A: 3 quarters" },
    { part: "B", text: "B: 2 sixths" },
    { part: "C", text: "C: negative 1" },
  ]);
  expect(scriptOf({ ...question, image: "/p.svg" }, vi).map(({ text }) => text)).toEqual(["What is 1 phần 2 cộng 1 phần 4?", "Choose one.", "Có một hình vẽ.", "A: 3 phần 4", "B: 2 phần 6", "C: âm 1"]);
  expect(scriptOf({ ...question, image: "/p.svg", imageDescription: "A square." }, en)[2]).toEqual({ part: "picture", text: "A square." });
});

test("options in another order are read as they stand, and each is framed where it stands", () => {
  const question = { question: "Which?", options: ["one", "two", "three", "four"], order: "CADB", image: "" };
  expect(scriptOf(question, en).slice(1)).toEqual([
    { part: "C", text: "A: three" },
    { part: "A", text: "B: one" },
    { part: "D", text: "C: four" },
    { part: "B", text: "D: two" },
  ]);
});

test("of a question that asks for a number, the unit is read last", () => {
  const question = { question: "How long is it?", options: [], image: "", unit: "%" };
  expect(scriptOf(question, en)).toEqual([
    { part: "question", text: "How long is it?" },
    { part: "question", text: en.signs["%"] },
  ]);
  expect(scriptOf({ ...question, unit: "" }, en)).toHaveLength(1);
});

test("signs in plain text are words too", () => {
  expect(spoken("12 × 3 = ___", en)).toBe("12 times 3 equals blank");
  expect(spoken("x ≤ 5, and 7 ÷ 2", en)).toBe("x is less than or equal to 5, and 7 divided by 2");
  expect(spoken("7 - 3 + (-2)", en)).toBe("7 minus 3 plus (negative 2)");
  expect(spoken("Góc 90° và √16", vi)).toBe("Góc 90 độ và căn bậc hai của 16");
  expect(spoken("Tính 3/4 của 20 %", vi)).toBe("Tính 3 phần 4 của 20 phần trăm");
});

test("what is no fraction stays", () => {
  expect(spoken("On 1/2/2026 at 5 km/h, a well-known 10-year-old", en)).toBe("On 1/2/2026 at 5 km/h, a well-known 10-year-old");
});

test("prices are no formulas", () => {
  expect(spoken("It costs \\$5.", en)).toBe("It costs $5.");
});

test("decimals do not end a sentence, and long sentences are cut between words", () => {
  const texts = (question: string) => scriptOf({ question, options: [], image: "" }, en).map(({ text }) => text);
  expect(texts("It is 3.5 m long. How long are two?")).toEqual(["It is 3.5 m long.", "How long are two?"]);
  const long = Array.from({ length: 80 }, (_, index) => `word${index}`).join(" ");
  expect(texts(long).every((text) => text.length <= 180)).toBe(true);
  expect(texts(long).join(" ")).toBe(long);
  expect(texts("")).toEqual([]);
});
