// Finds the files that a page can ask for in what Vite has built: those that its document names, and those that they name
// in turn. The build runs this, not the pages.

import { createHash } from "node:crypto";

/** The text of each file by name; empty for pictures and fonts, which name no files. */
export type BuiltFiles = Record<string, string>;

/** The length of a build's name: enough that no two builds share one by chance. */
const BUILD_CHARACTERS = 16;

/** Sorted by name. */
export function filesOf(document: string, built: BuiltFiles): string[] {
  const found = new Set<string>();
  const texts = [document];
  for (let text = texts.pop(); text !== undefined; text = texts.pop()) {
    for (const [name, inside] of Object.entries(built)) {
      if (found.has(name) || !text.includes(lastPart(name))) continue;
      found.add(name);
      texts.push(inside);
    }
  }
  return [...found].sort();
}

/** The build's name. It changes with the document and with any file, since file names contain a hash of the content. */
export function buildOf(document: string, files: string[]): string {
  return createHash("sha256").update([document, ...files].join("\n")).digest("hex").slice(0, BUILD_CHARACTERS);
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}
