// Questions whose answer is a number: typed by keys, by a pad on a phone and by input methods, read as it is typed, and kept as
// every other answer is.

import type { Browser, Locator, Page } from "@playwright/test";
import { check } from "./accessible";
import { altered } from "./answers";
import { expect, test, type Hall } from "./hall";
import { numberTemplate } from "./number_template";
import { at, closeMessage, handIn, kept, linkOf, next, report, saving, start, stored, written } from "./student";

/** Longer than the pause after which what was typed is sent. */
const PAUSE_MS = 400;

const box = (page: Page): Locator => page.getByRole("textbox", { name: /^Your answer/ });
const reading = (page: Page): Locator => page.locator("[data-number]");

/** The address of a test of numbers, and how many there are. */
async function numbers(page: Page): Promise<{ address: string; count: number }> {
  const { id, bank } = await numberTemplate(page);
  return { address: `/t/${id}`, count: bank.length };
}

/** Every question of the template as if it had been written in this way. */
async function shownWith(page: Page, changes: { unit: string; language: "en" | "vi" }): Promise<void> {
  await altered(page, /\/api\/test-templates\//, (template) => {
    const standardQuestions = (template.standardQuestions as object[]).map((question) => ({ ...question, ...changes }));
    return { ...template, standardQuestions };
  });
}

/** The answers that the page sends, as they go out. */
function sentBy(page: Page): (string | null)[] {
  const sent: (string | null)[] = [];
  page.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => {
      const frame = JSON.parse(String(payload)) as { type: string; selected: string | null };
      if (frame.type === "answer") sent.push(frame.selected);
    }),
  );
  return sent;
}

/** A device that has never opened these pages. */
async function device(browser: Browser, hall: Hall): Promise<Page> {
  return (await browser.newContext({ baseURL: hall.url })).newPage();
}

test("a number is read while it is typed, kept over a reload, and explained in the report", async ({ page }) => {
  const sent = sentBy(page);
  const { address, count } = await numbers(page);
  await shownWith(page, { unit: "cm", language: "en" });
  await start(page, address);
  await expect(page.getByRole("textbox", { name: "Your answer cm" })).toHaveAttribute("inputmode", "text");
  await box(page).pressSequentially("2 1/2");
  await expect(reading(page)).toHaveAttribute("data-number", "2 1/2");
  await expect(page.locator("[role=status]", { hasText: "You wrote 2 and 1 over 2 cm." })).toHaveCount(1);
  await saving(page, "saved");
  expect(sent.at(-1)).toBe("2 1/2");
  await check(page, "a number");
  await expect(page.locator(".wide-panel").getByRole("button", { name: /^Question 1,/ })).toHaveAccessibleName("Question 1, answered, you are here");
  await page.reload();
  await at(page, 1);
  await expect(box(page)).toHaveValue("2 1/2");
  await expect(reading(page)).toHaveAttribute("data-number", "2 1/2");
  // What is typed last is sent though nothing waits for it.
  await next(page);
  await box(page).pressSequentially("1,5");
  await next(page);
  await saving(page, "saved");
  for (let number = 3; number < count; number += 1) await next(page);
  await page.getByRole("button", { name: "Review" }).click();
  await expect(page.getByRole("listitem").getByText(`${count - 2} questions have no answer yet.`)).toBeVisible();
  await handIn(page);
  await report(page);
  const first = page.locator("article").first();
  await expect(first.getByText("Your answer")).toBeVisible();
  await expect(first.locator(".typed")).toHaveText("2 1/2");
  await expect(first.locator("[data-number='2 1/2']")).toBeVisible();
  await expect(first.getByText("Right answer")).toBeVisible();
  expect((await stored(page)).result.answers.slice(0, 3).map(({ selected }) => selected)).toEqual(["2 1/2", "1,5", ""]);
  await check(page, "a report of numbers");
});

test("keys that do something on the page are only typed in the box", async ({ page }) => {
  const { address } = await numbers(page);
  await start(page, address);
  // Up and down lead to the answer, as to options.
  await page.keyboard.press("ArrowDown");
  await expect(box(page)).toBeFocused();
  await page.keyboard.type("m?pa");
  await expect(box(page)).toHaveValue("m?pa");
  await expect(page.getByRole("button", { name: "Mark" })).toHaveAttribute("aria-pressed", "false");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByText("This can’t be read as a number.").first()).toBeVisible();
  await page.keyboard.press("Control+A");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowRight");
  await at(page, 1);
  await page.getByRole("button", { name: "Clear my answer" }).click();
  await expect(box(page)).toHaveValue("");
  await expect(box(page)).toBeFocused();
  await saving(page, "saved");
  await expect(page.locator(".wide-panel").getByRole("button", { name: /^Question 1,/ })).toHaveAccessibleName("Question 1, not answered, you are here");
});

test("no more than 32 characters are typed, pasted or sent", async ({ page }) => {
  const sent = sentBy(page);
  const { address } = await numbers(page);
  await start(page, address);
  await box(page).pressSequentially("1234567890".repeat(4));
  await expect(box(page)).toHaveValue("12345678901234567890123456789012");
  await saving(page, "saved");
  await expect.poll(() => sent.at(-1)).toBe("12345678901234567890123456789012");
});

test("an input method sends nothing before its composition has ended, and its letters stay as they were typed", async ({ page }) => {
  const sent = sentBy(page);
  const { address } = await numbers(page);
  await start(page, address);
  await box(page).focus();
  /** What a browser tells of Telex, which makes `hair` into `hải` while the word is typed. */
  const compose = (steps: string[], isEnded: boolean) =>
    box(page).evaluate(
      (input: HTMLInputElement, [steps, isEnded]) => {
        input.dispatchEvent(new CompositionEvent("compositionstart", { bubbles: true }));
        for (const text of steps) {
          input.dispatchEvent(new CompositionEvent("compositionupdate", { bubbles: true, data: text }));
          input.value = text;
          input.dispatchEvent(new InputEvent("input", { bubbles: true, data: text, inputType: "insertCompositionText", isComposing: true }));
        }
        if (isEnded) input.dispatchEvent(new CompositionEvent("compositionend", { bubbles: true, data: steps.at(-1) ?? "" }));
      },
      [steps, isEnded] as const,
    );
  await compose(["h", "ha", "hai", "hải"], false);
  // The one thing that is waited for is that the pause after a key has passed.
  await page.evaluate((ms) => new Promise((resolve) => setTimeout(resolve, ms)), PAUSE_MS);
  expect(sent).toEqual([]);
  await expect(page.getByText("This can’t be read as a number.")).toHaveCount(0);
  await compose(["hải"], true);
  await expect.poll(() => sent).toEqual(["hải"]);
  await expect(box(page)).toHaveValue("hải");
  await expect(page.getByText("This can’t be read as a number.").first()).toBeVisible();
  // Digits go through a composition unharmed.
  await compose(["1", "12", "12,"], false);
  await compose(["12,5"], true);
  await expect(reading(page)).toHaveAttribute("data-number", "12.5");
  await expect.poll(() => sent).toEqual(["hải", "12,5"]);
  // Whoever turns away in the middle of one has sent what stands there.
  await compose(["7"], false);
  await box(page).blur();
  await expect.poll(() => sent).toEqual(["hải", "12,5", "7"]);
});

test("without a network a number is kept and read, and arrives when it is back", async ({ page, context }) => {
  const { address } = await numbers(page);
  await start(page, address);
  await saving(page, "saved");
  await box(page).pressSequentially("1");
  await expect(reading(page)).toHaveAttribute("data-number", "1");
  await kept(page);
  await context.setOffline(true);
  await box(page).pressSequentially("/4");
  await saving(page, "offline");
  await written(page, '"1/4"');
  await page.reload();
  await at(page, 1);
  await expect(box(page)).toHaveValue("1/4");
  await expect(reading(page)).toHaveAttribute("data-number", "1/4");
  await context.setOffline(false);
  await saving(page, "saved");
  await page.reload();
  await expect(box(page)).toHaveValue("1/4");
});

test("a newer answer of another device is shown in the box, and told", async ({ page, context, browser, hall }) => {
  const { address } = await numbers(page);
  await start(page, address);
  await box(page).fill("1");
  await saving(page, "saved");
  const link = await linkOf(page);
  await context.setOffline(true);
  await box(page).fill("12");
  await saving(page, "offline");
  await written(page, '"12"');

  const other = await device(browser, hall);
  await other.goto(link);
  await at(other, 1);
  await expect(box(other)).toHaveValue("1");
  await box(other).fill("3/4");
  await saving(other, "saved");

  await context.setOffline(false);
  await expect(page.locator(".notice").getByText("Question 1: You answered 3/4 on your other device, later.")).toBeVisible({ timeout: 30_000 });
  await saving(page, "saved");
  await closeMessage(page);
  await expect(box(page)).toHaveValue("3/4");
  await expect(reading(page)).toHaveAttribute("data-number", "3/4");
});

test("the box lies above a sheet that is drawn on, and its frame in the finished drawing", async ({ page }) => {
  const { address } = await numbers(page);
  await start(page, address);
  await box(page).fill("7");
  await page.getByRole("button", { name: "Draw", exact: true }).click();
  const sheet = page.getByRole("dialog");
  await expect(sheet).toBeVisible();
  await sheet.getByRole("textbox", { name: /^Your answer/ }).fill("75");
  // Undoing in the box is the box's own.
  await page.keyboard.press("Control+Z");
  await expect(sheet).toBeVisible();
  await sheet.getByRole("textbox", { name: /^Your answer/ }).fill("8");
  await page.getByRole("button", { name: "Done" }).click();
  await expect(box(page)).toHaveValue("8");
  await saving(page, "saved");
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  const key = (page: Page, name: string): Locator => page.locator(`.number-pad [data-key="${name}"]`);

  test("a pad has the place of the keyboard, and lies on no part of the box", async ({ page }) => {
    const { address } = await numbers(page);
    await start(page, address);
    await expect(page.locator(".number-pad")).toHaveCount(0);
    await expect(box(page)).toHaveAttribute("inputmode", "none");
    await box(page).tap();
    await expect(page.getByRole("group", { name: "Keys for numbers" })).toBeVisible();
    const [ofBox, ofPad] = [(await box(page).boundingBox())!, (await page.locator(".number-pad").boundingBox())!];
    expect(ofBox.y + ofBox.height).toBeLessThanOrEqual(ofPad.y);
    for (const name of ["minus", "2", "space", "1", "bar", "3", "delete", "2"]) await key(page, name).tap();
    await expect(box(page)).toHaveValue("-2 1/2");
    await expect(box(page)).toBeFocused();
    await expect(reading(page)).toHaveAttribute("data-number", "-2 1/2");
    await check(page, "the pad");
    await key(page, "done").tap();
    await expect(page.locator(".number-pad")).toHaveCount(0);
    await saving(page, "saved");
    // A key writes where the cursor is.
    await box(page).tap();
    await box(page).evaluate((input: HTMLInputElement) => input.setSelectionRange(1, 1));
    await key(page, "1").tap();
    await expect(box(page)).toHaveValue("-12 1/2");
    await next(page);
    await at(page, 2);
    await expect(page.locator(".number-pad")).toHaveCount(0);
    await expect(box(page)).toHaveValue("");
  });

  test("in Vietnamese it has a comma, which is read as one", async ({ browser, hall }) => {
    const context = await browser.newContext({ baseURL: hall.url, locale: "en-GB", viewport: { width: 390, height: 844 }, hasTouch: true });
    const page = await context.newPage();
    const { address } = await numbers(page);
    await shownWith(page, { unit: "%", language: "vi" });
    await start(page, address);
    await box(page).tap();
    await expect(key(page, "decimal")).toHaveText(",");
    await expect(key(page, "decimal")).toHaveAccessibleName("comma");
    for (const name of ["0", "decimal", "5"]) await key(page, name).tap();
    await expect(reading(page)).toHaveAttribute("data-number", "0,5");
    // Points are digit groups in Vietnamese, and the unit may be typed.
    await box(page).fill("1.234,5 %");
    await expect(reading(page)).toHaveAttribute("data-number", "1234,5");
    await context.close();
  });
});

test("a page in Vietnamese speaks Vietnamese of numbers", async ({ browser, hall }) => {
  const context = await browser.newContext({ baseURL: hall.url, locale: "en-GB" });
  const page = await context.newPage();
  const { address } = await numbers(page);
  await page.evaluate(() => localStorage.setItem("examhall-language", "vi"));
  await page.goto(address);
  await page.getByRole("button", { name: "Bắt đầu làm bài", exact: true }).click();
  const field = page.getByRole("textbox", { name: /^Câu trả lời của em/ });
  await field.pressSequentially("-1/2");
  await expect(page.locator("[role=status]", { hasText: "Em đã viết âm 1 phần 2" })).toHaveCount(1);
  await field.fill("abc");
  await expect(page.getByText("Không đọc được thành một số.").first()).toBeVisible();
  await context.close();
});
