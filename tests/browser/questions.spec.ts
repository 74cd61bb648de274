// Every question of the sample bank as a student sees it: on the narrowest phone, and in the report there and at 200 %. Nothing
// is cut off, no character is missing from the fonts of the pages, and no formula or picture fails.

import type { Page } from "@playwright/test";
import { eyes, lookAtReport, lookThrough, wholeGrade, type Seen } from "./bank";
import { charactersIn } from "./font_files";
import { expect, test } from "./hall";
import { at, handIn, report, signInAsAdmin } from "./student";

const NARROW = { width: 320, height: 640 };
// What 200 % zoom leaves of 1280 by 800.
const ENLARGED = { width: 640, height: 400 };
/** Spaces, joiners and other characters that show nothing. */
const UNSEEN = /[\s\u200b-\u200f\u2060-\u2064\ufe0e\ufe0f]/u;

/** The characters of each font file that has been read. A file's name has a hash of its content in it. */
const known = new Map<string, Set<number>>();

async function charactersOf(page: Page, file: string): Promise<Set<number>> {
  const name = new URL(file).pathname;
  const characters = known.get(name) ?? charactersIn(await (await page.request.get(file)).body());
  known.set(name, characters);
  return characters;
}

/** The characters that none of the loaded fonts of the pages has, among those in whose place one of them would be shown. */
async function missing(page: Page, seen: Seen): Promise<string> {
  await page.evaluate(() => document.fonts.ready);
  const asked = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  const files = new Set(asked.filter((name) => name.endsWith(".woff2")));
  const [forText, forFormulas] = [new Set<number>(), new Set<number>()];
  for (const file of files) {
    for (const character of await charactersOf(page, file)) {
      forFormulas.add(character);
      if (!file.includes("noto-sans-mathematics")) forText.add(character);
    }
  }
  const lacking = (shown: string, fonts: Set<number>) => [...new Set(shown)].filter((character) => !UNSEEN.test(character) && !fonts.has(character.codePointAt(0)!));
  return [...lacking(seen.inText, forText), ...lacking(seen.inFormulas, forFormulas)].join(" ");
}

// The bank in three parts, which can be looked at side by side.
for (const grades of [[1, 2, 3, 4], [5, 6, 7], [8, 9, 10]]) {
  test.describe("without a service worker, whose fonts the page would not name", () => {
    test.use({ serviceWorkers: "block", viewport: NARROW });

    test(`every question of the grades ${grades.join(", ")} is whole`, async ({ page }) => {
      // Hundreds of questions, on a machine that may be busy.
      test.setTimeout(180_000);
      await signInAsAdmin(page);
      await eyes(page);
      for (const grade of grades) {
        const { id, count } = await wholeGrade(page, grade);
        expect(count).toBeGreaterThanOrEqual(100);
        await page.goto(`/t/${id}`);
        await page.getByRole("button", { name: "Start the test" }).click();
        await at(page, 1);
        const asked = await lookThrough(page, count);
        expect(asked.faults, `grade ${grade}`).toEqual([]);
        expect(await missing(page, asked), `grade ${grade}: characters that no font has`).toBe("");
        await handIn(page);
        await report(page);
        for (const size of [ENLARGED, NARROW]) {
          await page.setViewportSize(size);
          const explained = await lookAtReport(page, count);
          expect(explained.faults, `the report of grade ${grade}`).toEqual([]);
          expect(await missing(page, explained), `the report of grade ${grade}: characters that no font has`).toBe("");
        }
      }
    });
  });
}
