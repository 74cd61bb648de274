// Which files a page can ask for, found in what Vite has built: every file that its document names, and that those name.

import { createHash } from "node:crypto";

/** Text of files by name; that of pictures and fonts names nothing. */
export type BuiltFiles = Record<string, string>;

/** Characters of a build's name. */
const BUILD_CHARACTERS = 16;

/** In the order of their names. */
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

/** Changes with any of the files, since their names change with what is in them, and with the document. */
export function buildOf(document: string, files: string[]): string {
  return createHash("sha256").update([document, ...files].join("\n")).digest("hex").slice(0, BUILD_CHARACTERS);
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}
