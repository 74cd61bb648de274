// Options that a student crosses out: by a button, by mouse, by finger and by keys; kept as all else is, and nothing moves.

import type { Locator, Page } from "@playwright/test";
import { check } from "./accessible";
import { expect, test } from "./hall";
import { answer, at, chosen, linkOf, saving, start } from "./student";

const out = (page: Page) => page.locator("label.out input").evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value).join(""));
const label = (page: Page, letter: string): Locator => page.locator("label", { has: page.locator(`[name=option][value=${letter}]`) });
const button = (page: Page, letter: string): Locator => page.getByRole("button", { name: `Cross out answer ${letter}` });

/** Moves one finger over the screen, in steps. */
async function swipe(page: Page, [x, y]: [number, number], [dx, dy]: [number, number]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] });
  for (let step = 1; step <= 8; step += 1) await session.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [{ x: x + (dx * step) / 8, y: y + (dy * step) / 8 }] });
  await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await session.detach();
}

test("by button, right click and keys; kept over a reload and on another device", async ({ page, browser, hall }) => {
  await start(page);
  const boxes = () => page.locator("fieldset label").evaluateAll((labels) => labels.map((label) => JSON.stringify(label.getBoundingClientRect())));
  const before = await boxes();
  await button(page, "A").click();
  await label(page, "B").click({ button: "right" });
  await page.keyboard.press("Shift+D");
  await expect.poll(() => out(page)).toBe("ABD");
  expect(await boxes()).toEqual(before);
  await expect(page.getByRole("radio", { name: /crossed out/ })).toHaveCount(3);
  await expect(button(page, "A")).toHaveAttribute("aria-pressed", "true");
  await check(page, "crossed out");
  // Each way brings it back as well.
  await label(page, "A").click({ button: "right" });
  await page.keyboard.press("Shift+B");
  await expect.poll(() => out(page)).toBe("D");
  await page.keyboard.press("Shift+A");
  await saving(page, "saved");
  await page.reload();
  await at(page, 1);
  await expect.poll(() => out(page)).toBe("AD");
  const other = await (await browser.newContext({ baseURL: hall.url })).newPage();
  await other.goto(await linkOf(page));
  await at(other, 1);
  await expect.poll(() => out(other)).toBe("AD");
  // Choosing one restores it.
  await answer(other, "D");
  await expect.poll(() => out(other)).toBe("A");
  await saving(other, "saved");
  await other.reload();
  await expect(chosen(other)).toHaveValue("D");
  await expect.poll(() => out(other)).toBe("A");
});

test("the keys that delete cross out the option that has the focus, and nothing else", async ({ page }) => {
  await start(page);
  const option = (letter: string) => page.locator(`[name=option][value=${letter}]`);
  await option("C").focus();
  await page.keyboard.press("Delete");
  await expect.poll(() => out(page)).toBe("C");
  await expect(option("C")).toBeFocused();
  await page.keyboard.press("Backspace");
  await expect.poll(() => out(page)).toBe("");
  // One that is held down does it once.
  for (let turn = 0; turn < 4; turn += 1) await page.keyboard.down("Delete");
  await page.keyboard.up("Delete");
  await expect.poll(() => out(page)).toBe("C");
  await page.getByRole("heading", { name: "Question 1 of 10" }).focus();
  await page.keyboard.press("Delete");
  await page.keyboard.press("Backspace");
  expect(await out(page)).toBe("C");
  await answer(page, "B");
  await option("B").focus();
  await page.keyboard.press("Delete");
  await expect(page.locator(".notice")).toContainText("B is your answer.");
  await expect(chosen(page)).toHaveValue("B");
});

test("letters are found by their place on a layout that has others", async ({ page }) => {
  await start(page);
  const press = (key: string, code: string, shiftKey = false) =>
    page.evaluate(([key, code, shiftKey]) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, code, shiftKey, bubbles: true, cancelable: true })), [key, code, shiftKey] as const);
  await press("и", "KeyB");
  await expect(chosen(page)).toHaveValue("B");
  await press("В", "KeyD", true);
  await expect.poll(() => out(page)).toBe("D");
  // The comma of a French keyboard is where an English one has M.
  await press(",", "KeyM");
  await press("ь", "KeyM");
  await expect(page.getByRole("button", { name: "Marked", exact: true })).toHaveAttribute("aria-pressed", "true");
});

test("the chosen answer stays, and the student is told why", async ({ page }) => {
  await start(page);
  await answer(page, "B");
  // Not shown, and where it was, so that it keeps the focus.
  await expect(button(page, "B")).toHaveCSS("opacity", "0");
  await page.keyboard.press("Shift+B");
  await expect(page.locator(".notice")).toContainText("B is your answer.");
  await expect(chosen(page)).toHaveValue("B");
  expect(await out(page)).toBe("");
  await answer(page, "C");
  await expect(page.locator(".notice")).toHaveCount(0);
});

test.describe("by finger", () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } });

  test("a swipe to the left crosses out, and a short one, a tap and a scroll do not", async ({ page }) => {
    await start(page);
    const middle = async (letter: string): Promise<[number, number]> => {
      const { x, y, width, height } = (await label(page, letter).boundingBox())!;
      return [x + width * 0.6, y + height / 2];
    };
    // On a touch screen the buttons are always there, and large enough for a finger. They come first here, since Chromium takes a
    // tap right after a swipe for a part of it.
    const box = (await button(page, "C").boundingBox())!;
    expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(44);
    expect(await button(page, "C").evaluate((button) => getComputedStyle(button).opacity)).toBe("1");
    await button(page, "C").tap();
    await expect.poll(() => out(page)).toBe("C");
    await label(page, "C").tap();
    await expect(chosen(page)).toHaveValue("C");
    await expect.poll(() => out(page)).toBe("");
    await swipe(page, await middle("B"), [-100, 6]);
    await expect.poll(() => out(page)).toBe("B");
    await swipe(page, await middle("D"), [-30, 0]);
    await swipe(page, await middle("D"), [80, 0]);
    await swipe(page, await middle("D"), [-60, -60]);
    await swipe(page, await middle("A"), [-90, 0]);
    await expect.poll(() => out(page)).toBe("AB");
    expect(await page.evaluate(() => scrollX)).toBe(0);
    await swipe(page, await middle("B"), [-100, 0]);
    await expect.poll(() => out(page)).toBe("A");
    await expect(chosen(page)).toHaveValue("C");
    await check(page, "crossed out on a phone");
  });
});
