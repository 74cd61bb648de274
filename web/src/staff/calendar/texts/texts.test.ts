import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { en } from "./en";
import { vi } from "./vi";

const FOLDER = "src/staff/calendar";

/** All texts of an entry, with functions called. */
function written(entry: unknown): string[] {
  if (typeof entry === "function") return [String(entry === en.templateOption || entry === vi.templateOption ? entry("a", [5], 60) : entry(2))];
  return typeof entry === "string" ? [entry] : Object.values(entry as object).flatMap(written);
}

/** The names of an entry and of all in it. */
function names(entry: object): string[] {
  return Object.entries(entry).flatMap(([name, value]) => (typeof value === "object" ? names(value as object).map((inner) => `${name}.${inner}`) : [name]));
}

function source(folder: string): string {
  const files = readdirSync(folder).map((name) => join(folder, name)).filter((path) => !path.endsWith("texts"));
  return files.map((path) => (statSync(path).isDirectory() ? source(path) : readFileSync(path, "utf8"))).join("\n");
}

test("every catalogue has every text, and none is empty", () => {
  expect(names(vi)).toEqual(names(en));
  for (const catalogue of [en, vi]) {
    for (const [key, entry] of Object.entries(catalogue)) expect(written(entry).every((text) => text.trim() !== ""), key).toBe(true);
  }
});

test("no text is without a use, and none is used that is missing", () => {
  const used = new Set([...source(FOLDER).matchAll(/(?<![/\w])(?:texts|calendarTexts\(\))\.(\w+)/g)].map((match) => match[1] as string));
  expect([...used].filter((key) => !(key in en))).toEqual([]);
  expect(Object.keys(en).filter((key) => !used.has(key))).toEqual([]);
});
