import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { en } from "./en";
import { vi } from "./vi";

const FOLDER = "src/staff/questions";

/** All texts of an entry, with functions called. */
function written(entry: unknown): string[] {
  if (typeof entry === "function") return [String(entry(2, 3))];
  return typeof entry === "string" ? [entry] : Object.values(entry as object).flatMap(written);
}

function source(folder: string): string {
  const files = readdirSync(folder).map((name) => join(folder, name)).filter((path) => !path.endsWith("texts"));
  return files.map((path) => (statSync(path).isDirectory() ? source(path) : readFileSync(path, "utf8"))).join("\n");
}

test("every catalogue has every text, and none is empty", () => {
  expect(Object.keys(vi)).toEqual(Object.keys(en));
  for (const catalogue of [en, vi]) {
    for (const [key, entry] of Object.entries(catalogue)) expect(written(entry).every((text) => text.trim() !== ""), key).toBe(true);
  }
});

test("no text is without a use, and none is used that is missing", () => {
  const used = new Set([...source(FOLDER).matchAll(/(?:\bbankTexts\(\)|(?<![/\w])texts)\.(\w+)/g)].map((match) => match[1] as string));
  expect([...used].filter((key) => !(key in en))).toEqual([]);
  expect(Object.keys(en).filter((key) => !used.has(key))).toEqual([]);
});
