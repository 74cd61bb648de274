// Takes the sheets of `docs/pictures` that show questions of the sample bank with formulas and figures. Those named "before",
// which have the same questions as plain text, stay as they are.

import type { Page } from "@playwright/test";
import { keepPicture, takesPictures, WITH_PICTURES } from "./documentation";
import { expect, test } from "./hall";
import { begin, wholeBank } from "./one_question";
import { saving } from "./student";

const SIZES = [
  { width: 320, height: 640, shown: 320 },
  { width: 820, height: 1_180, shown: 410 },
  { width: 1_366, height: 768, shown: 683 },
];
/** An id stays with its question, so the sheets can be compared place by place. */
const SHEETS = {
  formulas: ["g3-056", "g4-068", "g6-056", "g7-053", "g8-053", "g8-083", "g9-076", "g9-105", "g10-012", "g10-046"],
  figures: ["g2-033", "g4-119", "g6-036", "g6-076", "g7-084", "g8-039", "g8-092", "g10-004", "g10-064", "g10-082"],
};
const COLUMNS = 2;
const GAP = 12;
const QUALITY = 0.75;

/** The screenshots in rows on one sheet, as a WebP picture that the browser makes. */
async function sheet(page: Page, screenshots: Buffer[], { width, height, shown }: (typeof SIZES)[number]): Promise<Buffer> {
  const sources = screenshots.map((screenshot) => `data:image/png;base64,${screenshot.toString("base64")}`);
  const cell = { width: shown, height: Math.round((height * shown) / width) };
  const base64 = await page.evaluate(
    async ([sources, cell, columns, gap, quality]) => {
      const rows = Math.ceil(sources.length / columns);
      const size = { width: columns * (cell.width + gap) + gap, height: rows * (cell.height + gap) + gap };
      const canvas = Object.assign(document.createElement("canvas"), size);
      const context = canvas.getContext("2d")!;
      context.imageSmoothingQuality = "high";
      context.fillStyle = "#7b818c";
      context.fillRect(0, 0, size.width, size.height);
      for (const [index, source] of sources.entries()) {
        const image = Object.assign(new Image(), { src: source });
        await image.decode();
        const place = { x: gap + (index % columns) * (cell.width + gap), y: gap + Math.floor(index / columns) * (cell.height + gap) };
        context.drawImage(image, place.x, place.y, cell.width, cell.height);
      }
      return canvas.toDataURL("image/webp", quality).split(",")[1]!;
    },
    [sources, cell, COLUMNS, GAP, QUALITY] as const,
  );
  return Buffer.from(base64, "base64");
}

if (takesPictures) {
  for (const [kind, ids] of Object.entries(SHEETS)) {
    test(`the sheets of ${kind} are taken`, WITH_PICTURES, async ({ page, browser }) => {
      test.setTimeout(300_000);
      const bank = await wholeBank(page);
      const screenshots = SIZES.map((): Buffer[] => []);
      for (const id of ids) {
        const question = bank.find((question) => question.id === id);
        expect(question, id).toBeDefined();
        await begin(page, question!);
        await saving(page, "saved");
        for (const [index, { width, height }] of SIZES.entries()) {
          await page.setViewportSize({ width, height });
          await page.evaluate(() => scrollTo(0, 0));
          screenshots[index]!.push(await page.screenshot({ animations: "disabled" }));
        }
      }
      // The policy of the server's pages lets them load no picture from an address that contains it into a canvas.
      const table = await browser.newPage();
      for (const [index, size] of SIZES.entries()) {
        keepPicture(`${kind}-after-${size.width}.webp`, await sheet(table, screenshots[index]!, size));
      }
    });
  }
}
