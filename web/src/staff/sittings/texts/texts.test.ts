import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { en } from "./en";
import { vi } from "./vi";

/** What functions among the texts take: numbers, words, lists, or a state. */
const VALUES: unknown[][] = [[2, 3, 4, 5], ["word", "word", "word", "word"], [["B12"], 2], ["word", ["B12"], 2], ["active", 3]];

function called(entry: (...values: never[]) => unknown): string {
  for (const values of VALUES) {
    try {
      return String(entry(...(values as never[])));
    } catch {
      continue;
    }
  }
  return "";
}

/** All texts of an entry, with functions called. */
function written(entry: unknown): string[] {
  if (typeof entry === "function") return [called(entry as (...values: never[]) => unknown)];
  if (typeof entry === "string") return [entry];
  return Object.values(entry as object).flatMap(written);
}

test("every catalogue has every text, and none is empty", () => {
  expect(Object.keys(vi)).toEqual(Object.keys(en));
  for (const catalogue of [en, vi]) {
    for (const [key, entry] of Object.entries(catalogue)) expect(written(entry).every((text) => text.trim() !== "" && !text.includes("undefined")), `${key}: ${written(entry)}`).toBe(true);
  }
});

test("no text is without a use, and none is used that is missing", () => {
  const folder = "src/staff/sittings/";
  const source = readdirSync(folder).filter((name) => /\.(svelte|ts)$/.test(name)).map((name) => readFileSync(folder + name, "utf8")).join("\n");
  const used = new Set([...source.matchAll(/(?:\bplanTexts\(\)|(?<![/\w])texts)\.(\w+)/g)].map((match) => match[1] as string));
  expect([...used].filter((key) => !(key in en))).toEqual([]);
  expect(Object.keys(en).filter((key) => !used.has(key))).toEqual([]);
});
