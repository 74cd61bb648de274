import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CATALOGUES } from "./catalogues";
import { en } from "./en";

function files(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? files(path) : [path];
  });
}

/** All texts of an entry in a catalogue, with functions called, so that an empty text is found wherever it hides. */
function written(entry: unknown): string[] {
  if (typeof entry === "function") return [String(entry(2, 3))];
  if (typeof entry === "string") return [entry];
  return Object.values(entry as object).flatMap(written);
}

test("every catalogue has every text", () => {
  for (const catalogue of Object.values(CATALOGUES)) {
    expect(Object.keys(catalogue).sort()).toEqual(Object.keys(en).sort());
    for (const [key, entry] of Object.entries(catalogue)) {
      const texts = key === "difficulty" ? written(entry).slice(1) : written(entry);
      expect(texts.every((text) => text.trim() !== ""), key).toBe(true);
    }
  }
});

test("who works without the internet is told what does not count", () => {
  const ends = { en: "before the time is up", vi: "trước khi hết giờ" };
  for (const [language, end] of Object.entries(ends)) {
    const { introSaved, endingOffline } = CATALOGUES[language as keyof typeof CATALOGUES];
    expect([introSaved, endingOffline].filter((text) => !text.includes(end))).toEqual([]);
  }
});

test("no text is without a use, and none is used that is missing", () => {
  const sources = files("src").filter((path) => /\.(svelte|ts)$/.test(path) && !path.includes("texts/"));
  const source = sources.map((path) => readFileSync(path, "utf8")).join("\n");
  const used = new Set([...source.matchAll(/\btexts\(\)\.(\w+)/g)].map((match) => match[1] as string));
  const named = Object.keys(en).filter((key) => new RegExp(`"${key}"`).test(source));
  expect([...used].filter((key) => !(key in en))).toEqual([]);
  expect(Object.keys(en).filter((key) => !used.has(key) && !named.includes(key))).toEqual([]);
});
