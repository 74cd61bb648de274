import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const FOLDER = "src/staff";
const SOURCES = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
  .filter((path) => /\.(svelte|css)$/.test(path))
  .map((path) => [path, readFileSync(join(FOLDER, path), "utf8")] as const);
/** What is as wide as this is a form or a card, and has the width of all others. */
const WIDE_REM = 40;

test("forms and cards are as wide as one another: no page has a measure of its own", () => {
  const rules = SOURCES.flatMap(([path, source]) => [...source.matchAll(/^\s*max-width: ([\d.]+)rem;/gm)].map(([, rem]) => [path, Number(rem)] as const));
  expect(rules.length).toBeGreaterThan(20);
  expect(rules.filter(([, rem]) => rem >= WIDE_REM)).toEqual([]);
});

test("a box to tick is as large everywhere", () => {
  const own = SOURCES.filter(([path, source]) => path !== "style.css" && /accent-color: var\(--accent\)/.test(source));
  // A bar of progress, and a slider.
  expect(own.map(([path]) => path).sort()).toEqual(["questions/ImportPage.svelte", "templates/FairnessView.svelte"]);
});
