// What students can set for themselves: how the pages look, reading aloud, and the calculator of a test that allows one.

import type { Page } from "@playwright/test";
import { check, fits, isAccessible } from "./accessible";
import { LONG, shortened } from "./frames";
import { expect, test } from "./hall";
import { answer, answerAll, at, call, chosen, handIn, kept, next, saving, SHORT, signInAsAdmin, start } from "./student";

const THEMES = { Light: "light", Cream: "cream", Dark: "dark", "High contrast": "contrast" };
const PHONE = { width: 320, height: 640 };

const openView = (page: Page) => page.getByRole("button", { name: "My view (Aa)" }).click();
const theme = (page: Page) => page.locator("html").getAttribute("data-theme");

/** Chooses this in the dialog of the view, which must be open. */
const choose = (page: Page, label: string) => page.locator("dialog label", { hasText: new RegExp(`^\\W*(A|Aa)?\\s*${label}$`) }).click();

async function set(page: Page, label: string): Promise<void> {
  await openView(page);
  await choose(page, label);
  await page.keyboard.press("Escape");
  await expect(page.locator("dialog")).toHaveCount(0);
}

test("each theme is accessible, and nothing moves in the dialog as it is chosen", async ({ page }) => {
  await start(page);
  await answer(page, "B");
  await saving(page, "saved");
  for (const [label, name] of Object.entries(THEMES)) {
    await openView(page);
    const place = await page.locator("dialog label", { hasText: "200 %" }).boundingBox();
    await choose(page, label);
    expect(await theme(page)).toBe(name);
    await isAccessible(page, `dialog, ${name}`);
    expect(await page.locator("dialog label", { hasText: "200 %" }).boundingBox()).toEqual(place);
    await page.keyboard.press("Escape");
    await isAccessible(page, `question, ${name}`);
  }
  // Letters that are typed in the dialog answer nothing.
  await openView(page);
  await page.keyboard.press("c");
  await page.keyboard.press("Escape");
  await expect(chosen(page)).toHaveValue("B");
  // The reader's own colours replace every theme.
  await page.emulateMedia({ forcedColors: "active" });
  await expect.poll(() => theme(page)).toBe("light");
  await page.emulateMedia({ forcedColors: "none" });
  await expect.poll(() => theme(page)).toBe("contrast");
  await page.reload();
  await at(page, 1);
  expect(await theme(page)).toBe("contrast");
  await answerAll(page, 10);
  await isAccessible(page, "review, contrast");
});

test("the dialog is loaded when it is asked for, and is there without a network once a test has been running", async ({ page, context }) => {
  const asked: string[] = [];
  page.on("request", (request) => request.url().includes("/assets/ViewDialog-") && asked.push(request.url()));
  await page.goto(SHORT);
  await expect(page.getByRole("button", { name: "Start the test" })).toBeVisible();
  await context.setOffline(true);
  await openView(page);
  const message = page.getByRole("region", { name: "Message" });
  await expect(message).toContainText("My view could not be loaded, because the internet is away.");
  // It ignores the second tap of a double tap.
  await expect(async () => {
    await message.getByRole("button", { name: "Close" }).click();
    await expect(message).toBeHidden({ timeout: 1_000 });
  }).toPass();
  expect(asked).toEqual([]);
  await context.setOffline(false);
  await page.getByRole("button", { name: "Start the test" }).click();
  await at(page, 1);
  await kept(page);
  await context.setOffline(true);
  await set(page, "Dark");
  await page.reload();
  await at(page, 1);
  // What was chosen is there before the dialog is.
  expect(await theme(page)).toBe("dark");
  await set(page, "Cream");
  expect(await theme(page)).toBe("cream");
});

test("every size and spacing fits a phone, and the dialog keeps its own", async ({ page }) => {
  await page.setViewportSize(PHONE);
  await start(page);
  const question = page.locator("#question-text");
  const sizeOf = () => question.evaluate((element) => parseFloat(getComputedStyle(element).fontSize));
  let before = await sizeOf();
  for (const size of ["125 %", "150 %"]) {
    await set(page, size);
    const now = await sizeOf();
    expect(now, size).toBeGreaterThan(before);
    before = now;
    await fits(page, size);
  }
  await set(page, "Widest");
  const spacing = await question.evaluate((element) => {
    const { fontSize, letterSpacing, wordSpacing, lineHeight } = getComputedStyle(element);
    return [letterSpacing, wordSpacing, lineHeight].map((length) => parseFloat(length) / parseFloat(fontSize));
  });
  [0.12, 0.16, 1.5].forEach((least, index) => expect(spacing[index]).toBeGreaterThanOrEqual(least - 0.001));
  await set(page, "200 %");
  await check(page, "question, 200 %, widest");
  await openView(page);
  const place = await page.locator("dialog label", { hasText: "150 %" }).boundingBox();
  await choose(page, "100 %");
  await choose(page, "Normal");
  expect(await page.locator("dialog label", { hasText: "150 %" }).boundingBox()).toEqual(place);
  await choose(page, "200 %");
  await check(page, "dialog at 200 %");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Questions" }).click();
  await fits(page, "panel");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Help" }).click();
  await fits(page, "help");
  await page.keyboard.press("Escape");
  await answerAll(page, 10);
  await fits(page, "review");
  await handIn(page);
  await fits(page, "the end");
});

test("large text has one column where the usual has two", async ({ page }) => {
  await start(page);
  await expect(page.locator(".wide-panel")).toBeVisible();
  await set(page, "150 %");
  await expect(page.locator(".wide-panel")).toBeHidden();
  await page.getByRole("button", { name: "Questions" }).click();
  await expect(page.getByRole("dialog", { name: "Questions" })).toBeVisible();
  await fits(page, "panel");
});

test("the line reader follows keys, the focus and the pointer, and takes no clicks", async ({ page }) => {
  await start(page);
  await openView(page);
  await page.getByLabel("Line reader").check();
  await page.keyboard.press("Escape");
  const band = page.getByRole("slider", { name: "Line reader" });
  const middle = async () => {
    const { y, height } = (await band.boundingBox())!;
    return y + height / 2;
  };
  const label = page.locator("fieldset label").nth(2);
  const box = (await label.boundingBox())!;
  await page.mouse.move(box.x + 40, box.y + box.height / 2);
  await expect.poll(async () => Math.abs((await middle()) - box.y - box.height / 2)).toBeLessThan(2);
  await page.mouse.click(box.x + 40, box.y + box.height / 2);
  await expect(chosen(page)).toHaveValue("C");
  const before = await middle();
  await page.keyboard.press("Alt+ArrowUp");
  await expect.poll(middle).toBeLessThan(before);
  await expect(chosen(page)).toHaveValue("C");
  await band.focus();
  const from = Number(await band.getAttribute("aria-valuenow"));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect.poll(async () => Number(await band.getAttribute("aria-valuenow"))).toBeGreaterThan(from);
  await at(page, 1);
  await check(page, "line reader");
  await page.getByRole("button", { name: "Next" }).focus();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Tab");
  const bar = (await page.getByRole("button", { name: "Next" }).boundingBox())!;
  await expect.poll(async () => Math.abs((await middle()) - bar.y - bar.height / 2)).toBeLessThan(2);
});

test("the clock is shown where there is room, can be hidden, and is back in the last three minutes", async ({ page }) => {
  const time = await shortened(page);
  await start(page, LONG);
  await saving(page, "saved");
  await expect(page.locator(".time")).toHaveText("40 minutes left");
  await set(page, "Hidden");
  await expect(page.locator(".time")).toHaveText("Time left");
  await page.getByRole("button", { name: "Show the time left" }).click();
  await expect(page.locator(".time")).toHaveText("40 minutes left");
  time.set(179_000);
  await expect(page.getByRole("timer")).toHaveText(/^02:\d\d$/);
  time.tell({ type: "extended", deadline: "", remainingMs: 1_200_000, minutes: 17 });
  await expect(page.getByRole("timer")).toBeHidden();
  await page.setViewportSize(PHONE);
  await set(page, "Always shown");
  await expect(page.locator(".time")).toHaveText("20 minutes left");
  await fits(page, "clock shown on a phone");
});

test("from 600 pixels on the clock is shown by itself, also with large text", async ({ page }) => {
  await page.setViewportSize({ width: 599, height: 800 });
  await start(page, LONG);
  await saving(page, "saved");
  await expect(page.locator(".time")).toHaveText("Time left");
  await page.setViewportSize({ width: 600, height: 800 });
  await expect(page.locator(".time")).toHaveText("40 minutes left");
  await set(page, "200 %");
  await expect(page.locator(".time")).toHaveText("40 minutes left");
  await check(page, "clock at 600 pixels, 200 %");
});

test("the first grades have large text and options until they choose", async ({ page }) => {
  const height = async () => (await page.locator("fieldset label").first().boundingBox())!.height;
  const size = () => page.locator("html").getAttribute("data-size");
  await page.goto("/test/4?questions=10&minutes=15");
  await expect(page.getByRole("button", { name: "Start the test" })).toBeVisible();
  expect(await size()).toBe("100");
  await page.goto("/test/2?questions=10&minutes=15");
  await expect(page.getByRole("button", { name: "Start the test" })).toBeVisible();
  expect(await size()).toBe("125");
  await page.getByRole("button", { name: "Start the test" }).click();
  await at(page, 1);
  const large = await height();
  await check(page, "question of grade 2");
  await set(page, "100 %");
  expect(await size()).toBe("100");
  // The text alone would make a quarter of it.
  expect(large).toBeGreaterThan(1.3 * (await height()));
  await page.reload();
  await at(page, 1);
  expect(await size()).toBe("100");
});

test("dark and contrast of the device are the first choice, and a student's own wins", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto(SHORT);
  await expect(page.getByRole("button", { name: "Start the test" })).toBeVisible();
  expect(await theme(page)).toBe("dark");
  await check(page, "intro, dark by the device");
  await page.emulateMedia({ colorScheme: "dark", contrast: "more" });
  await expect.poll(() => theme(page)).toBe("contrast");
  await page.getByRole("button", { name: "Start the test" }).click();
  await at(page, 1);
  await set(page, "Light");
  await page.reload();
  await at(page, 1);
  expect(await theme(page)).toBe("light");
  await openView(page);
  await page.getByRole("button", { name: "Everything as usual" }).click();
  expect(await theme(page)).toBe("contrast");
});

test("a view goes with the account to other devices, and stays with neither the next account nor the next student", async ({ page, browser, hall }) => {
  await signInAsAdmin(page);
  const stored = page.waitForResponse((response) => response.url().endsWith("/api/me/view") && response.request().method() === "PUT");
  await set(page, "Dark");
  expect((await stored).status()).toBe(200);
  await page.reload();
  expect(await theme(page)).toBe("dark");
  const other = await (await browser.newContext({ baseURL: hall.url, locale: "en-GB" })).newPage();
  await signInAsAdmin(other);
  await expect.poll(() => theme(other)).toBe("dark");
  await other.goto(SHORT);
  await expect.poll(() => theme(other)).toBe("dark");
  // The change on the other device is the last one.
  const again = other.waitForResponse((response) => response.url().endsWith("/api/me/view") && response.request().method() === "PUT");
  await set(other, "Cream");
  await again;
  await page.reload();
  await expect.poll(() => theme(page)).toBe("cream");
  // Somebody else signs in at the same computer.
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("link", { name: "Sign in" })).toBeVisible();
  await expect.poll(() => theme(page)).toBe("light");
  await page.goto("/auth/sign-in?return_to=/");
  await page.getByLabel("E-mail address").fill("bo@school.example");
  await page.getByLabel("Name").fill("Bo");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("Signed in as Bo")).toBeVisible();
  expect(await theme(page)).toBe("light");
});

test("a view lasts as long as the test, and is only offered to who comes next", async ({ page }) => {
  await page.goto(SHORT);
  await set(page, "Dark");
  await page.getByRole("button", { name: "Start the test" }).click();
  await at(page, 1);
  await page.reload();
  await at(page, 1);
  expect(await theme(page)).toBe("dark");
  await answerAll(page, 10);
  await handIn(page);
  expect(await theme(page)).toBe("dark");
  await page.goto(SHORT);
  await expect(page.getByRole("button", { name: "Start the test" })).toBeVisible();
  expect(await theme(page)).toBe("light");
  await page.getByRole("button", { name: "Set them again" }).click();
  expect(await theme(page)).toBe("dark");
  await expect(page.getByRole("button", { name: "Set them again" })).toBeHidden();
});

/** The browser's voices, which a browser without a screen has not: what is spoken ends when the test says so. */
async function voices(page: Page) {
  await page.addInitScript(() => {
    const heard = { spoken: [] as { text: string; lang: string; onend: () => void }[], cancelled: 0 };
    const speech = {
      getVoices: () => [{ lang: "en-GB", localService: true }, { lang: "vi-VN", localService: true }],
      speak: (utterance: (typeof heard.spoken)[number]) => heard.spoken.push(utterance),
      cancel: () => (heard.cancelled += 1),
      addEventListener() {},
      removeEventListener() {},
    };
    Object.defineProperty(window, "speechSynthesis", { value: speech });
    Object.assign(window, {
      heard,
      SpeechSynthesisUtterance: class {
        constructor(public text: string) {}
      },
    });
  });
  return {
    spoken: () => page.evaluate(() => (window as any).heard.spoken.map(({ text }: { text: string }) => text) as string[]),
    end: () => page.evaluate(() => (window as any).heard.spoken.at(-1).onend()),
    cancelled: () => page.evaluate(() => (window as any).heard.cancelled as number),
  };
}

test("a question is read aloud when that is asked for, and not after it is left", async ({ page }) => {
  const voice = await voices(page);
  await start(page);
  await page.getByRole("button", { name: "Read aloud" }).click();
  await expect(page.locator("#question-text[data-read]")).toBeVisible();
  await expect.poll(async () => (await voice.spoken()).length).toBe(1);
  await check(page, "reading");
  for (let turn = 0; turn < 20 && (await page.locator("label[data-read]").count()) === 0; turn += 1) {
    const before = (await voice.spoken()).length;
    await voice.end();
    await expect.poll(async () => (await voice.spoken()).length).toBeGreaterThan(before);
  }
  await expect(page.locator("label[data-read]")).toHaveCount(1);
  expect((await voice.spoken()).at(-1)).toMatch(/^A: ./);
  await page.getByRole("button", { name: "Pause reading" }).click();
  const paused = await voice.spoken();
  await page.getByRole("button", { name: "Go on reading" }).click();
  await expect.poll(voice.spoken).toEqual([...paused, paused.at(-1)]);
  await next(page);
  await at(page, 2);
  await expect(page.locator("[data-read]")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Read aloud" })).toBeVisible();
  const count = (await voice.spoken()).length;
  await voice.end();
  await page.getByRole("button", { name: "Read aloud" }).click();
  await expect.poll(async () => (await voice.spoken()).length).toBe(count + 1);
  const cancelled = await voice.cancelled();
  await page.getByRole("button", { name: "Stop reading" }).click();
  expect(await voice.cancelled()).toBe(cancelled + 1);
  await expect(page.getByRole("button", { name: "Stop reading" })).toBeHidden();
});

/** Starts a test whose template allows this calculator. */
async function calculating(page: Page, calculator: string): Promise<void> {
  await signInAsAdmin(page);
  const body = { name: "Trigonometry", grades: [5], mode: "standard", durationMinutes: 20, standardTargets: { 1: 4, 2: 3, 3: 3, 4: 0, 5: 0 }, calculator };
  const { template } = await call(page, "POST", "/api/admin/test-templates", body);
  await page.goto(`/t/${template.id}`);
  await expect(page.getByText("A calculator is allowed.")).toBeVisible();
  await page.getByRole("button", { name: "Start the test" }).click();
  await at(page, 1);
}

test("a calculator that the test allows works by mouse and keyboard, beside the question", async ({ page }) => {
  await calculating(page, "scientific");
  await page.getByRole("button", { name: "Calculator" }).click();
  const calculator = page.getByRole("region", { name: "Calculator" });
  await expect(calculator.locator(".display")).toBeFocused();
  const said = calculator.getByRole("status");
  await page.keyboard.type("0.1+0,2=");
  await expect(said).toHaveText("equals 0.3");
  await page.keyboard.press("Delete");
  // Letters and arrows that are pressed here answer no question.
  await page.keyboard.press("b");
  await page.keyboard.press("ArrowRight");
  await at(page, 1);
  await expect(chosen(page)).toHaveCount(0);
  for (const key of ["sin (sine)", "3", "0", "equals"]) await calculator.getByRole("button", { name: key, exact: true }).click();
  await expect(said).toHaveText("equals 0.5");
  await calculator.getByRole("button", { name: "C (clear all)" }).click();
  for (const key of ["1", "divided by", "0", "equals"]) await calculator.getByRole("button", { name: key, exact: true }).click();
  await expect(said).toHaveText("You can’t divide by zero");
  await check(page, "calculator");
  const [own, card] = [(await calculator.boundingBox())!, (await page.locator("main section.card").first().boundingBox())!];
  expect(own.x).toBeGreaterThanOrEqual(card.x + card.width);
  for (const button of await calculator.locator(".keys button").all()) expect((await button.boundingBox())!.height).toBeGreaterThanOrEqual(44);
  // What was computed stays while questions are turned.
  await next(page);
  await at(page, 2);
  await expect(said).toHaveText("You can’t divide by zero");
  await calculator.locator(".display").focus();
  await page.keyboard.press("Escape");
  await expect(calculator).toBeHidden();
  await expect(page.getByRole("button", { name: "Calculator" })).toBeFocused();
});

test.describe("without the files that a service worker keeps", () => {
  test.use({ serviceWorkers: "block" });

  test("a calculator that is asked for while there is no connection opens when there is one", async ({ page }) => {
    let isCut = true;
    await page.routeWebSocket(/\/api\/live$/, (route) => void (isCut ? route.close({ code: 3000 }) : route.connectToServer()));
    await page.route(/\/api\/live\/[^/]+$/, (route) => (isCut ? route.abort() : route.continue()));
    await calculating(page, "basic");
    await page.getByRole("button", { name: "Calculator" }).click();
    await expect(page.locator(".notice")).toContainText("The calculator can’t be loaded yet");
    await expect(page.getByRole("region", { name: "Calculator" })).toBeHidden();
    isCut = false;
    await expect(page.getByRole("region", { name: "Calculator" })).toBeVisible();
    await expect(page.locator(".notice")).toHaveCount(0);
    // Letters still answer the question, as the student was told to go on with it.
    await page.keyboard.press("b");
    await expect(chosen(page)).toHaveValue("B");
  });
});

test("on a phone the calculator is a sheet at the foot, and the whole question can be seen above it", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await calculating(page, "basic");
  await page.getByRole("button", { name: "Calculator" }).click();
  const calculator = page.getByRole("region", { name: "Calculator" });
  await expect(calculator).toBeVisible();
  await check(page, "calculator on a phone");
  await calculator.locator(".display").focus();
  await page.keyboard.type("200+10%=");
  await expect(calculator.getByRole("status")).toHaveText("equals 220");
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  const [sheet, last] = [(await calculator.boundingBox())!, (await page.locator("fieldset label").last().boundingBox())!];
  expect(last.y + last.height).toBeLessThanOrEqual(sheet.y);
  for (const button of await calculator.locator(".keys button").all()) {
    const { width, height } = (await button.boundingBox())!;
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
  }
  await page.getByRole("button", { name: "Next" }).click();
  await at(page, 2);
});
