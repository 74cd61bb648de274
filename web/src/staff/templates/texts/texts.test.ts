import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { en } from "./en";
import { vi } from "./vi";

const FOLDER = "src/staff/templates/";

/** All texts of an entry, with functions called: for grades with a list, else with numbers or with words. */
function written(entry: unknown): string[] {
  if (typeof entry === "function") return [String(entry(entry === en.gradesOf || entry === vi.gradesOf ? [2, 3] : 2, 3, 4, 5))];
  return typeof entry === "string" ? [entry] : Object.values(entry as object).flatMap(written);
}

test("every catalogue has every text, and none is empty", () => {
  expect(Object.keys(vi)).toEqual(Object.keys(en));
  // There is no difficulty 0, and bands that are unequal have a sentence of their own.
  const mayBeEmpty = (key: string) => key === "difficulties" || key === "faults";
  for (const catalogue of [en, vi]) {
    for (const [key, entry] of Object.entries(catalogue)) expect(mayBeEmpty(key) || written(entry).every((text) => text.trim() !== ""), key).toBe(true);
  }
});

test("no text is without a use, and none is used that is missing", () => {
  const source = readdirSync(FOLDER).filter((name) => /\.(svelte|ts)$/.test(name)).map((name) => readFileSync(FOLDER + name, "utf8")).join("\n");
  const used = new Set([...source.matchAll(/(?:\btemplateTexts\(\)|(?<![/\w])texts)\.(\w+)/g)].map((match) => match[1] as string));
  used.delete("svelte");
  expect([...used].filter((key) => !(key in en))).toEqual([]);
  expect(Object.keys(en).filter((key) => !used.has(key))).toEqual([]);
});
