import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { en } from "./en";
import { vi } from "./vi";

/** All texts of an entry, with functions called. */
function written(entry: unknown): string[] {
  if (typeof entry === "function") return [String(entry(2, 3, 4, 5))];
  return typeof entry === "string" ? [entry] : Object.values(entry as object).flatMap(written);
}

test("every catalogue has every text, and none is empty", () => {
  expect(Object.keys(vi)).toEqual(Object.keys(en));
  for (const [key, entry] of Object.entries({ ...en, ...vi })) expect(written(entry).every((text) => text.trim() !== ""), key).toBe(true);
});

test("no text is without a use, and none is used that is missing", () => {
  const folder = "src/student/report/";
  const source = readdirSync(folder).map((name) => readFileSync(folder + name, "utf8")).join("\n");
  const used = new Set([...source.matchAll(/(?:\breportTexts\(\)|(?<![/\w])words)\.(\w+)/g)].map((match) => match[1] as string));
  expect([...used].filter((key) => !(key in en))).toEqual([]);
  expect(Object.keys(en).filter((key) => !used.has(key))).toEqual([]);
});
