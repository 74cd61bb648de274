import { expect, test } from "vitest";
import golden from "../../../tests/golden/numbers.json";
import type { NumberLanguage } from "../exam/question";
import { isSameNumber, keyDecimal, readKey, readNumber, shortDecimal } from "./number";

interface ReadCase {
  typed: string;
  language?: NumberLanguage;
  unit?: string;
  reads: string | null;
  form?: string;
}

interface KeyCase {
  key: { answer: string; tolerance?: string; unit?: string; forms?: string[]; language?: NumberLanguage };
  right: string[];
  wrong: string[];
}

const READ = golden.read as unknown as ReadCase[];
const KEYS = golden.keys as unknown as KeyCase[];

test("a number is read as the server reads it, in each language", () => {
  expect(READ.length).toBeGreaterThan(100);
  for (const { typed, language, unit, reads, form } of READ) {
    for (const each of language === undefined ? (["en", "vi"] as const) : [language]) {
      const number = readNumber(typed, each, unit);
      expect([number?.text ?? null, number?.form], `${JSON.stringify(typed)} in ${each}`).toEqual([reads, form]);
    }
  }
});

test("what is right for an exact key is the same number, and what is wrong is another", () => {
  const exact = KEYS.filter(({ key }) => (key.tolerance ?? "0") === "0" && key.forms === undefined && (key.unit ?? "") === "");
  expect(exact.length).toBeGreaterThan(2);
  for (const { key, right, wrong } of exact) {
    const value = readKey(key.answer, key.language);
    const isKey = (typed: string) => {
      const number = readNumber(typed, key.language, key.unit);
      return number !== undefined && number.top === value?.top && number.bottom === value.bottom;
    };
    expect(right.filter((typed) => !isKey(typed)), key.answer).toEqual([]);
    expect(wrong.filter(isKey), key.answer).toEqual([]);
  }
});

test("a number has its parts as they are shown", () => {
  expect(readNumber("−2 1/2")).toMatchObject({ isNegative: true, whole: "2", fraction: { above: "1", below: "2" }, top: -5n, bottom: 2n });
  expect(readNumber("6/4")).toMatchObject({ whole: "", fraction: { above: "6", below: "4" }, top: 3n, bottom: 2n });
  expect(readNumber("1.234,50", "vi")).toMatchObject({ whole: "1234,50", top: 2469n, bottom: 2n });
  expect(readNumber("5 cm", "en", "cm")).toMatchObject({ whole: "5", hasUnit: true });
  // Letters that an input method has put there.
  for (const typed of ["hai", "5a", "1ơ", "", "1/", "/2", "1/0", "50 %"]) expect(readNumber(typed), typed).toBeUndefined();
});

test("numbers are the same however they are written, and texts that are none if they look the same", () => {
  expect(isSameNumber("0,5", "1/2")).toBe(true);
  expect(isSameNumber("0.5", "0.51")).toBe(false);
  expect(isSameNumber("1,234", "1234")).toBe(true);
  expect(isSameNumber("1,234", "1234", "vi")).toBe(false);
  expect([isSameNumber("x ", "x"), isSameNumber("x", "y"), isSameNumber("x", "1")]).toEqual([true, false, false]);
});

test("a key is a decimal with a point, and nothing that could be read in two ways", () => {
  expect(["0,5", "007", ".5", "5.", "+3", "−2,50", "-0", "1.234"].map(keyDecimal)).toEqual(["0.5", "7", "0.5", "5", "3", "-2.50", "0", "1.234"]);
  expect(["", "-", ".", "1/2", "1,234", "1.2.3", "x", `1${"0".repeat(18)}`].map(keyDecimal)).toEqual(Array(8).fill(undefined));
});

test("a fraction with an end is written as a decimal", () => {
  const decimal = (typed: string) => shortDecimal(readNumber(typed) ?? (() => { throw new Error(typed); })());
  expect(["1/2", "-2 3/8", "7", "0,50", "1/3"].map(decimal)).toEqual(["0.5", "-2.375", "7", "0.5", undefined]);
});

test("a key is shown in the language of its question", () => {
  expect([readKey("1.234", "vi")?.whole, readKey("1.234", "en")?.whole, readKey("-1234.5", "vi")?.text]).toEqual(["1,234", "1.234", "-1234,5"]);
});
