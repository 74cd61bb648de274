import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { en } from "./en";
import { vi } from "./vi";

/** All texts of an entry, with functions called. */
function written(entry: unknown): string[] {
  if (typeof entry === "function") return [String(entry(2, 3, 4, 5)), String(entry(1, 1, 1, 1)), String(entry(0, 0, 0, 0))];
  return Array.isArray(entry) || (typeof entry === "object" && entry !== null) ? Object.values(entry).flatMap(written) : [String(entry)];
}

test("every catalogue has every text, and none is empty", () => {
  expect(Object.keys(vi)).toEqual(Object.keys(en));
  for (const [key, entry] of [...Object.entries(en), ...Object.entries(vi)]) expect(written(entry).every((text) => text.trim() !== "" && !text.includes("undefined")), key).toBe(true);
  expect(Object.keys(vi.events)).toEqual(Object.keys(en.events));
  expect(Object.keys(vi.kindNames)).toEqual(Object.keys(en.kindNames));
});

/** The files of a folder, or with the beginning of a name those that begin so. */
function listed(path: string): string[] {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  return readdirSync(folder).map((name) => folder + name).filter((name) => name.startsWith(path));
}

test("no text is without a use, and none is used that is missing", () => {
  const files = ["src/staff/desk/", "src/staff/screen/", "src/staff/desk/texts/texts."].flatMap(listed);
  const source = files.filter((name) => /\.(ts|svelte)$/.test(name) && !name.endsWith(".test.ts")).map((name) => readFileSync(name, "utf8")).join("\n");
  const used = new Set([...source.matchAll(/(?:\bdeskTexts\(\)|(?<![/\w])texts)\.(\w+)/g)].map((match) => match[1] as string));
  // The steps and the kinds of banners are named by what they are.
  const named = ["prepare", "attendance", "begin", "watch", "incidents", "dismiss", "connecting", "partial", "signedOut", "forbidden", "notFound"];
  expect([...used].filter((key) => !(key in en))).toEqual([]);
  expect(Object.keys(en).filter((key) => !used.has(key) && !named.includes(key))).toEqual([]);
});
