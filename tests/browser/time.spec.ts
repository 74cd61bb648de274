// What a student sees and hears about the time.

import type { Page } from "@playwright/test";
import { LONG, shortened } from "./frames";
import { expect, test } from "./hall";
import { answer, at, closeMessage, isInked, next, report, saving, start, stored } from "./student";

/** Records the tones that the page plays, and how often a touch or a key allowed it to sound. */
async function heard(page: Page): Promise<() => Promise<{ tones: number[]; wakes: number }>> {
  await page.addInitScript(() => {
    const heard = { tones: [] as number[], wakes: 0 };
    class Heard {
      currentTime = 0;
      destination = {};
      async resume() {
        heard.wakes += 1;
      }
      createGain() {
        return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect: (to: unknown) => to };
      }
      createOscillator() {
        const frequency = { value: 0 };
        return { frequency, connect: (to: unknown) => to, start: () => heard.tones.push(frequency.value), stop() {} };
      }
    }
    Object.assign(window, { AudioContext: Heard, heard });
  });
  return () => page.evaluate(() => (window as unknown as { heard: { tones: number[]; wakes: number } }).heard);
}

test("flashes at ten and five minutes, a clock in the last three, and the end", async ({ page }) => {
  const time = await shortened(page);
  await page.clock.install();
  await start(page, LONG);
  await saving(page, "saved");
  await expect(page.locator(".time")).toHaveText("40 minutes left");
  for (const minutes of [10, 5]) {
    time.set(minutes * 60_000 + 1_500);
    await expect(page.locator(".time.flash")).toBeVisible();
    await expect(page.locator(".chip")).toHaveText(`${minutes} minutes left`);
    await expect(page.locator("p[role=status]")).toHaveText(`${minutes} minutes left`);
    time.tell({ type: "alert", remainingMs: minutes * 60_000 });
    // It flashes for five seconds, of which less than three have passed by themselves since it was seen.
    await page.clock.runFor(2_000);
    expect(await page.locator(".time.flash").isVisible()).toBe(true);
    await page.clock.runFor(3_000);
    await expect(page.locator(".time.flash")).toBeHidden();
    await expect(page.locator("p[role=status]")).toBeEmpty();
  }
  time.set(181_000);
  await expect(page.getByRole("timer")).toHaveText(/^0[23]:\d\d$/);
  await expect(page.locator("p[role=status]")).toHaveText("3 minutes left. The clock is shown from now on.");
  time.tell({ type: "paused" });
  await expect(page.getByRole("heading", { name: "The test is paused" })).toBeVisible();
  time.tell({ type: "unpaused", deadline: "", remainingMs: 90_000 });
  await expect(page.getByRole("timer")).toHaveText(/^01:\d\d$/);
  time.tell({ type: "extended", deadline: "", remainingMs: 690_000, minutes: 10 });
  await expect(page.locator(".notice").getByText("You have 10 more minutes.")).toBeVisible();
  await closeMessage(page);
  time.tell({ type: "notice", text: "Well <b>done</b>", from: "ada@school.example" });
  await expect(page.locator(".notice").getByText("Well <b>done</b>")).toBeVisible();
  await answer(page, "B");
  await saving(page, "saved");
  time.set(2_000);
  time.cut();
  await expect(page.getByRole("heading", { name: "Time is up" })).toBeVisible();
  await expect(page.locator("dialog p").getByText("There is no internet right now.")).toBeVisible();
  await page.keyboard.press("c");
  await expect(page.locator("[name=option]:checked")).toHaveValue("B");
});

test("each alert has two tones, once", async ({ page }) => {
  const sounds = await heard(page);
  const time = await shortened(page);
  await page.clock.install();
  await start(page, LONG);
  await saving(page, "saved");
  expect(await sounds()).toEqual({ tones: [], wakes: 0 });
  // Some browsers allow sound only after a touch or a key.
  await page.keyboard.press("a");
  expect((await sounds()).wakes).toBe(1);
  time.set(601_500);
  await expect(page.locator(".time.flash")).toBeVisible();
  expect((await sounds()).tones).toEqual([660, 880]);
  await page.clock.runFor(5_000);
  await expect(page.locator(".time.flash")).toBeHidden();
  // The server sends the same alert late, and then a time that is a little above the mark again.
  time.tell({ type: "alert", remainingMs: 600_000 });
  time.set(601_000);
  await page.clock.runFor(2_500);
  await expect(page.locator(".time.flash")).toBeHidden();
  await expect(page.locator("p[role=status]")).toBeEmpty();
  expect((await sounds()).tones).toEqual([660, 880]);
  await page.getByRole("button", { name: "Help" }).click();
  await page.getByLabel("Sound at 10 and 5 minutes").uncheck();
  await page.keyboard.press("Escape");
  time.set(301_500);
  await expect(page.locator(".time.flash")).toBeVisible();
  expect((await sounds()).tones).toEqual([660, 880]);
});

test("a test of 30 minutes has no alert at ten", async ({ page }) => {
  const sounds = await heard(page);
  const time = await shortened(page);
  await page.clock.install();
  await start(page, "/test/5?questions=10&minutes=30");
  await saving(page, "saved");
  time.set(601_000);
  await page.clock.runFor(3_000);
  await expect(page.locator(".time.flash")).toBeHidden();
  await expect(page.locator("p[role=status]")).toBeEmpty();
  expect((await sounds()).tones).toEqual([]);
  time.set(301_500);
  await expect(page.locator(".time.flash")).toBeVisible();
  expect((await sounds()).tones).toEqual([660, 880]);
});

test("a page whose clock is days wrong shows the server's time", async ({ page }) => {
  await page.addInitScript(() => {
    const now = Date.now.bind(Date);
    Date.now = () => now() + 3 * 86_400_000;
  });
  await start(page, LONG);
  await expect(page.locator(".time")).toHaveText("40 minutes left");
});

test("whoever wants no motion sees the flash stand still", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const time = await shortened(page);
  await start(page, LONG);
  await saving(page, "saved");
  time.set(301_000);
  await expect(page.locator(".time.flash")).toBeVisible();
  expect(await page.locator(".chip").evaluate((chip) => getComputedStyle(chip).animationName)).toBe("none");
});

test("a deadline that passes without a network and a server counts what was saved", async ({ page, context, hall }) => {
  await page.clock.install();
  await start(page);
  await answer(page, "A");
  await next(page);
  await answer(page, "B");
  await saving(page, "saved");
  await context.setOffline(true);
  await hall.kill();
  await next(page);
  await answer(page, "C");
  await saving(page, "offline");
  await page.clock.fastForward("30:00");
  await expect(page.getByRole("heading", { name: "Time is up" })).toBeVisible();
  // Ten minutes are given back for it, which are over too.
  await hall.start(30);
  await context.setOffline(false);
  await expect(page.getByRole("heading", { name: "Time is up, and your test was handed in" })).toBeVisible({ timeout: 45_000 });
  await expect(page.getByRole("heading", { name: "Test report" })).toBeVisible();
  const warning = page.getByText("1 change reached the server after the end of the test. Nothing is lost: your teacher decides whether it counts.");
  await expect(warning).toBeVisible();
  await page.getByRole("link", { name: "See my report" }).click();
  await page.waitForURL(/\/report\//);
  await report(page);
  const given = (await stored(page)).result.answers.map(({ selected }) => selected);
  expect(given.slice(0, 4)).toEqual(["A", "B", "", ""]);
});

test("time that the server took is given back, and what was done meanwhile is saved", async ({ page, hall }) => {
  await page.clock.install();
  await start(page);
  await answer(page, "A");
  await saving(page, "saved");
  await hall.kill();
  await next(page);
  await answer(page, "C");
  await saving(page, "offline");
  await page.clock.fastForward("16:00");
  await expect(page.getByRole("heading", { name: "Time is up" })).toBeVisible();
  await hall.start(16);
  await expect(page.getByRole("heading", { name: "Time is up" })).toHaveCount(0, { timeout: 45_000 });
  await saving(page, "saved");
});

test("what is being written on the sheet when a pause comes is kept", async ({ page }) => {
  const time = await shortened(page);
  await start(page);
  await saving(page, "saved");
  await page.keyboard.press("p");
  await page.getByRole("button", { name: "Text", exact: true }).click();
  await page.locator("canvas.passing").click({ position: { x: 200, y: 200 } });
  await page.getByLabel("Type here").fill("x = 4");
  time.tell({ type: "paused" });
  await expect(page.getByRole("heading", { name: "The test is paused" })).toBeVisible();
  time.tell({ type: "unpaused", deadline: "", remainingMs: 800_000 });
  await page.getByRole("button", { name: "Drawing" }).click();
  await expect.poll(() => isInked(page)).toBe(true);
  await page.getByRole("button", { name: "Done" }).click();
  await saving(page, "saved");
});

test("time that is given in the last second opens the test again, and is told", async ({ page }) => {
  const time = await shortened(page);
  await start(page, LONG);
  await saving(page, "saved");
  const until = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const times = { serverTime: until(0), remainingMs: 600_000, deadline: until(120), timeVersion: 1, pausedMs: 0, state: "active" };
  time.tell({ type: "time", ...times, deadline: until(40), remainingMs: 2_000_000, timeVersion: 0 });
  time.set(1_000);
  await expect(page.getByRole("heading", { name: "Time is up" })).toBeVisible();
  time.set(600_000);
  time.tell({ type: "time", reason: "minutes", ...times });
  await expect(page.getByRole("heading", { name: "Time is up" })).toBeHidden();
  await expect(page.locator(".notice").getByText(/^You have .+ more/)).toBeVisible();
  await expect(page.locator("p[role=status]").getByText(/^You have .+ more/)).toBeAttached();
  await answer(page, "B");
  await saving(page, "saved");
  // What is late changes nothing.
  time.tell({ type: "time", ...times, remainingMs: 0, timeVersion: 0 });
  await closeMessage(page);
  await answer(page, "C");
  await saving(page, "saved");
});
