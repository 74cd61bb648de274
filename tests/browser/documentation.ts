// Pictures for the documentation. `scripts/pictures` runs the tests that have the tag, each of which takes some of them.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page, PageScreenshotOptions } from "@playwright/test";

/** Where pictures go; without it, none are taken, and tests that do nothing else are left out. */
const FOLDER = process.env["PICTURES"];
export const takesPictures = FOLDER !== undefined;
export const WITH_PICTURES = { tag: "@pictures" };

/** Dots of an inch of paper. */
const PAPER_RESOLUTION = "80";

export async function takePicture(shown: Page | Locator, name: string, options: PageScreenshotOptions = {}): Promise<void> {
  if (FOLDER !== undefined) await shown.screenshot({ ...options, path: join(FOLDER, `${name}.png`) });
}

/** Takes the first page of a PDF. */
export function takePaper(name: string, content: Buffer): void {
  if (FOLDER === undefined) return;
  const folder = mkdtempSync(join(tmpdir(), "examhall-pictures-"));
  writeFileSync(join(folder, "paper.pdf"), content);
  execFileSync("pdftoppm", ["-png", "-r", PAPER_RESOLUTION, "-singlefile", join(folder, "paper.pdf"), join(FOLDER, name)]);
  rmSync(folder, { recursive: true });
}

/** Keeps a picture that was made otherwise. */
export function keepPicture(file: string, content: Buffer): void {
  if (FOLDER !== undefined) writeFileSync(join(FOLDER, file), content);
}
