import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const SOURCES = join(import.meta.dirname, "..");
/** What the oldest browsers of docs/operations.md lack. The build rewrites syntax for them, and adds no functions. */
const MISSING = [
  /\.(toReversed|toSorted|toSpliced|with|isWellFormed|toWellFormed)\(/,
  /\b(AbortSignal\.(timeout|any)|(Object|Map)\.groupBy|Array\.fromAsync|Promise\.(withResolvers|try)|URL\.(canParse|parse))\(/,
];

test("nothing is called that the oldest browsers lack", () => {
  const names = readdirSync(SOURCES, { recursive: true }).map(String);
  const sources = names.filter((name) => /\.(ts|svelte)$/.test(name) && !name.endsWith(".test.ts"));
  expect(sources.length).toBeGreaterThan(100);
  const found = sources.flatMap((name) =>
    readFileSync(join(SOURCES, name), "utf8")
      .split("\n")
      .flatMap((line, index) => (MISSING.some((call) => call.test(line)) ? [`${name}:${index + 1}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});
