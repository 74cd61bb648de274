// Holds for the catalogues of all pages, also of those that do not exist yet.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

type Catalogue = Record<string, unknown>;

const FOLDER = "src/texts";
const FILES = import.meta.glob<Catalogue>(["./??.ts", "./*/??.ts", "../staff/**/texts/??.ts"], { eager: true, import: "default" });
/**
 * What is left empty on purpose: there is no difficulty 0, bands that are unequal have a sentence of their own, and what was
 * handed in is no change.
 */
const EMPTY = ["difficulty.0", "difficulties.0", "faults.bands.unequal", "changedBecause.submitted", "recordWords.channels.websocket"];
/** What functions among the texts take. Each is called with all of these, and must have a text for one at least. */
const FIGURES = { approved: 118, pending: 2, flagged: 1 };
const VALUES: unknown[][] = [
  [2, 3, 4, 5, 6, 7],
  [0, 0, 0, 0, 0, 0],
  [1, 1, 1, 1, 1, 1],
  ["word", "word", "word", "word"],
  [["Ada", "Bo"], 2],
  [[2, 3], "word"],
  ["word", ["B12"], 2],
  ["active", 3],
  [2, FIGURES],
  [FIGURES, "word"],
  ["word", "approved", "word"],
];

/** The catalogues of each folder, by their language. */
const catalogues = new Map<string, Map<string, Catalogue>>();
for (const [path, catalogue] of Object.entries(FILES)) {
  const file = join(FOLDER, path);
  const folder = dirname(file);
  catalogues.set(folder, (catalogues.get(folder) ?? new Map()).set(file.slice(-5, -3), catalogue));
}
const languages = [...(catalogues.get(FOLDER)?.keys() ?? [])].sort();

/** The texts by their names, those within others after a dot; of a function, what it says of each values that it takes. */
function written(entry: unknown, name = ""): [string, string[]][] {
  if (typeof entry === "string") return [[name, [entry]]];
  if (typeof entry === "function") return [[name, VALUES.flatMap((values) => called(entry as Said, values))]];
  return Object.entries(entry as object).flatMap(([inner, value]) => written(value, name === "" ? inner : `${name}.${inner}`));
}

type Said = (...values: unknown[]) => unknown;

/** What a function says of these values; nothing if it takes others. */
function called(say: Said, values: unknown[]): string[] {
  try {
    const text = String(say(...values));
    return text.includes("undefined") ? [] : [text];
  } catch {
    return [];
  }
}

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => /(?<!\.test)\.(svelte|ts)$/.test(path) && !/\/texts\/(.*\/)?..\.ts$/.test(path));
}

const all = new Map(sources("src").map((path) => [path, readFileSync(path, "utf8")]));

/** Whatever can use the texts of a folder: what imports them, and what lies in the folder of their page. */
function usersOf(folder: string): string {
  const page = folder.endsWith("/texts") ? dirname(folder) : undefined;
  const imports = (path: string, text: string) =>
    [...text.matchAll(/from "(\.[^"]*)"/g)].some(([, from = ""]) => dirname(join(dirname(path), from)) === folder);
  return [...all].filter(([path, text]) => imports(path, text) || (page !== undefined && path.startsWith(`${page}/`))).map(([, text]) => text).join("\n");
}

test("there are catalogues, and each page's are in every language", () => {
  expect(catalogues.size).toBeGreaterThan(12);
  expect(languages).toEqual(expect.arrayContaining(["en", "vi"]));
  for (const [folder, ofFolder] of catalogues) expect([...ofFolder.keys()].sort(), folder).toEqual(languages);
});

test.each([...catalogues])("%s: every catalogue has every text, and none is empty", (_, ofFolder) => {
  const names = (language: string) => written(ofFolder.get(language)).map(([name]) => name).sort();
  for (const language of languages) expect(names(language), language).toEqual(names("en"));
  const texts = [...ofFolder.values()].flatMap((catalogue) => written(catalogue)).filter(([name]) => !EMPTY.includes(name));
  expect(texts.filter(([, said]) => said.length === 0 || said.some((text) => text.trim() === "")).map(([name]) => name)).toEqual([]);
});

/** By these names the pages hold their texts; those that are looked up by what they are about stand in quotes somewhere. */
test.each([...catalogues])("%s: no text is without a use", (folder, ofFolder) => {
  const source = usersOf(folder);
  // Read once: a search for each name takes seconds.
  const used = new Set(source.match(/(?<=(?:[tT]exts(?:\(\))?|words|own)\.)\w+|(?<=")\w+(?=")/g));
  expect(Object.keys(ofFolder.get("en") ?? {}).filter((name) => !used.has(name))).toEqual([]);
});
