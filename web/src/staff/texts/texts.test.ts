import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { en } from "./en";
import { vi } from "./vi";

function files(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? files(path) : [path];
  });
}

/** All texts of an entry, with functions called, so that an empty text is found wherever it hides. A list passes for a number. */
function written(entry: unknown): string[] {
  if (typeof entry === "function") return [String(entry(["x", "y"], 2))];
  if (typeof entry === "string") return [entry];
  return Object.values(entry as object).flatMap(written);
}

test("both languages have every text", () => {
  expect(Object.keys(vi).sort()).toEqual(Object.keys(en).sort());
  for (const catalogue of [en, vi]) {
    for (const [key, entry] of Object.entries(catalogue))
      expect(
        written(entry).every((text) => text.trim() !== ""),
        key,
      ).toBe(true);
  }
});

test("no text is without a use", () => {
  const sources = files("src/staff").filter((path) => /\.(svelte|ts)$/.test(path) && !path.includes("texts"));
  const source = sources.map((path) => readFileSync(path, "utf8")).join("\n");
  expect(Object.keys(en).filter((key) => !new RegExp(`[tT]exts(\\(\\))?\\.${key}\\b`).test(source))).toEqual([]);
});
