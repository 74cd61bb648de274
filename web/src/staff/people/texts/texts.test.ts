import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { en } from "./en";
import { vi } from "./vi";

const FOLDER = "src/staff/people/";

/** What functions among the texts take: numbers, words or lists of names. */
const VALUES: unknown[][] = [
  [2, 3],
  [["Ada", "Bo"], "word"],
  ["word", "word", "word"],
];

function called(entry: (...values: never[]) => unknown): string[] {
  return VALUES.flatMap((values) => {
    try {
      return [String(entry(...(values as never[])))];
    } catch {
      return [];
    }
  });
}

/** All texts of an entry, with functions called. */
function written(entry: unknown): string[] {
  if (typeof entry === "function") return called(entry as (...values: never[]) => unknown);
  return typeof entry === "string" ? [entry] : Object.values(entry as object).flatMap(written);
}

test("every catalogue has every text, and none is empty", () => {
  expect(Object.keys(vi)).toEqual(Object.keys(en));
  for (const catalogue of [en, vi]) {
    for (const [key, entry] of Object.entries(catalogue)) {
      expect(written(entry).length, key).toBeGreaterThan(0);
      expect(written(entry).every((text) => text.trim() !== ""), key).toBe(true);
    }
  }
});

test("no text is without a use, and none is used that is missing", () => {
  const source = readdirSync(FOLDER).filter((name) => /\.(svelte|ts)$/.test(name)).map((name) => readFileSync(FOLDER + name, "utf8")).join("\n");
  const used = new Set([...source.matchAll(/(?:\bpeopleTexts\(\)|(?<![/\w])texts)\.(\w+)/g)].map((match) => match[1] as string));
  expect([...used].filter((key) => !(key in en) && key !== "svelte")).toEqual([]);
  expect(Object.keys(en).filter((key) => !used.has(key))).toEqual([]);
});
