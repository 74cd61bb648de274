// The sheet lies on the question: options are chosen while a student draws, and a finished drawing stays where it was made.

import type { Page } from "@playwright/test";
import { check } from "./accessible";
import { expect, test } from "./hall";
import { at, chosen, draw, linkOf, next, saving, signInAsAdmin, start, tenQuestions } from "./student";

const PHONE = { width: 390, height: 844 };

const onSheet = (page: Page, letter: string) => page.locator(`[name=sheet-option][value=${letter}]`);
const clear = (page: Page) => page.getByRole("button", { name: "Clear all" });

async function open(page: Page): Promise<void> {
  await page.keyboard.press("p");
  await expect(page.locator("canvas.passing")).toBeVisible();
}

async function done(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Done" }).click();
  await at(page, 1);
}

/** Where the first stroke is, from the corner of the question's text and in units of its size. */
async function strokeOnText(page: Page): Promise<number[]> {
  const [stroke, text] = [(await page.locator(".lying .ink path").first().boundingBox())!, (await page.locator("#question-text").boundingBox())!];
  const unit = text.width;
  return [(stroke.x - text.x) / unit, (stroke.y - text.y) / unit, stroke.width / unit];
}

/** How often a screen reader reads this text. */
async function readings(page: Page, text: string): Promise<number> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  const flat = (words: string) => words.replace(/\s+/g, " ").trim();
  return nodes.filter(({ ignored, role, name }) => !ignored && role?.value === "StaticText" && flat(String(name?.value ?? "")) === flat(text)).length;
}

/** The longest words of the question between its formulas. */
function wordsOf(page: Page): Promise<string> {
  return page.locator("#question-text").evaluate((question) => {
    const texts = document.createTreeWalker(question, NodeFilter.SHOW_TEXT);
    let longest = "";
    while (texts.nextNode()) {
      const { textContent, parentElement } = texts.currentNode;
      if (parentElement?.closest("math") === null && (textContent ?? "").length > longest.length) longest = textContent ?? "";
    }
    return longest;
  });
}

/** The sides of what the student reads and presses. */
async function sidesOf(page: Page): Promise<number[]> {
  const boxes = ["h1", "#question-text", "label:nth-of-type(1)", "label:nth-of-type(4)"].map((part) => page.locator(part).first().boundingBox());
  return (await Promise.all(boxes)).flatMap((box) => Object.values(box!));
}

/** Checks that nothing has moved by as much as a pixel. */
async function hasNotMoved(page: Page, before: number[]): Promise<void> {
  const moved = (await sidesOf(page)).map((side, index) => Math.abs(side - before[index]!));
  expect(Math.max(...moved)).toBeLessThan(1);
}

test("options are chosen on the sheet by mouse and by keys, and no stroke begins there", async ({ page }) => {
  await start(page);
  await open(page);
  await onSheet(page, "B").click();
  await expect(onSheet(page, "B")).toBeChecked();
  await expect(clear(page)).toBeDisabled();
  await page.keyboard.press("c");
  await expect(onSheet(page, "C")).toBeChecked();
  await page.keyboard.press("Shift+A");
  await expect(page.getByRole("radio", { name: /crossed out/ })).toHaveValue("A");
  await onSheet(page, "C").focus();
  await page.keyboard.press("ArrowDown");
  await expect(onSheet(page, "D")).toBeChecked();
  // The words of an option are paper as all else is.
  await draw(page, "Pen", [100, 300], [300, 310]);
  await expect(clear(page)).toBeEnabled();
  await check(page, "an answer on the sheet");
  await done(page);
  await expect(chosen(page)).toHaveValue("D");
});

test.describe("on a tablet", () => {
  test.use({ hasTouch: true, viewport: { width: 1024, height: 768 } });

  test("a finger chooses on the sheet, a hand beside a pen does not, and the pen does", async ({ page }) => {
    await start(page);
    await open(page);
    await onSheet(page, "B").tap();
    await expect(onSheet(page, "B")).toBeChecked();
    await expect(clear(page)).toBeDisabled();
    const canvas = page.locator("canvas.passing");
    await canvas.evaluate((canvas) => (canvas.setPointerCapture = () => {}));
    for (const [name, clientX] of [["down", 400], ["move", 460], ["up", 460]] as const)
      await canvas.dispatchEvent(`pointer${name}`, { pointerType: "pen", pointerId: 9, isPrimary: true, button: 0, buttons: name === "up" ? 0 : 1, clientX, clientY: 300, pressure: 0.6, bubbles: true });
    await expect(clear(page)).toBeEnabled();
    await onSheet(page, "C").tap();
    await expect(onSheet(page, "B")).toBeChecked();
    // Playwright has no pen: its events, and then the click that a browser makes of them.
    await onSheet(page, "D").dispatchEvent("pointerdown", { pointerType: "pen", pointerId: 9, bubbles: true });
    await onSheet(page, "D").dispatchEvent("click", { detail: 1 });
    await expect(onSheet(page, "D")).toBeChecked();
    await done(page);
    await page.locator("label", { has: page.locator("[value=C]") }).tap();
    await expect(chosen(page)).toHaveValue("C");
  });
});

test("a finished drawing lies on its question, which stays text, and the options stay alive", async ({ page, browser, hall }) => {
  await start(page);
  const text = await wordsOf(page);
  await expect.poll(() => readings(page, text)).toBe(1);
  const before = await sidesOf(page);
  await open(page);
  await draw(page, "Line", [60, 30], [240, 34]);
  await done(page);
  await expect(page.locator(".lying .ink path")).toHaveCount(1);
  await hasNotMoved(page, before);
  expect(await readings(page, text)).toBe(1);
  const place = await strokeOnText(page);
  // Through the ink.
  await page.locator(".lying label", { has: page.locator("[value=B]") }).click({ position: { x: 200, y: 20 } });
  await expect(chosen(page)).toHaveValue("B");
  await check(page, "a drawing on its question");
  await saving(page, "saved");
  await page.reload();
  await at(page, 1);
  await expect(page.locator(".lying .ink path")).toHaveCount(1);
  await expect(chosen(page)).toHaveValue("B");
  await hasNotMoved(page, before);
  const other = await (await browser.newContext({ baseURL: hall.url, viewport: { width: 1024, height: 768 } })).newPage();
  await other.goto(await linkOf(page));
  await at(other, 1);
  // Here the question is laid out anew when the sheet comes late, and never under the hand: it then lies below until one comes back.
  await expect(other.locator(".lying .ink path, .below .ink path")).toHaveCount(1);
  await next(other);
  await at(other, 2);
  await other.keyboard.press("ArrowLeft");
  await expect(other.locator(".lying .ink path")).toHaveCount(1);
  for (const [index, part] of (await strokeOnText(other)).entries()) expect(part).toBeCloseTo(place[index]!, 1);
});

test("rows of fractions stay where they were when a drawing is done, whatever the size of the letters", async ({ page }) => {
  await signInAsAdmin(page);
  const { address, ids } = await tenQuestions(page);
  await page.evaluate(async (ids) => {
    const mixed = (number: number) => `$2\\frac{${number}}{2}$`;
    const updates = { question: `What is ${mixed(1)} and $\\left(\\frac{x + 1}{3}\\right)^2$?`, options: [1, 3, 5, 7].map(mixed) };
    for (const id of ids) {
      const body = JSON.stringify({ questionId: id, grade: 5, comment: "", updates });
      await fetch("/api/review/edit", { method: "POST", headers: { "Content-Type": "application/json" }, body });
    }
  }, ids);
  await start(page, address);
  for (const [index, width] of [1_280, 1_440, 390].entries()) {
    await page.setViewportSize({ width, height: 900 });
    await expect(page.locator("label math mfrac")).toHaveCount(4);
    const before = await sidesOf(page);
    await open(page);
    await draw(page, "Line", [60, 30], [240, 34]);
    await page.getByRole("button", { name: "Done" }).click();
    await at(page, index + 1);
    await expect(page.locator(".lying .ink path")).toHaveCount(1);
    await hasNotMoved(page, before);
    await next(page);
    await at(page, index + 2);
  }
});

test("on a phone a drawing of a desktop lies below its question, as a picture", async ({ page }) => {
  await start(page);
  const text = await wordsOf(page);
  await open(page);
  await draw(page, "Line", [60, 30], [240, 34]);
  await done(page);
  await page.setViewportSize(PHONE);
  await expect(page.getByRole("img", { name: "Your drawing on question 1" })).toBeVisible();
  await expect(page.locator(".lying")).toHaveCount(0);
  expect(await readings(page, text)).toBe(1);
  await check(page, "a drawing below its question");
  await page.setViewportSize({ width: 320, height: 568 });
  await check(page, "on the narrowest phone");
});
