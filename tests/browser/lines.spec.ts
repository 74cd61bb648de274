// One student with two devices, one of which is offline without knowing of the other: what was answered later stands.

import type { Browser, Page } from "@playwright/test";
import { expect, test, type Hall } from "./hall";
import { answer, at, chosen, closeMessage, handIn, linkOf, next, report, saving, start, stored, written } from "./student";

/** A device that has never opened these pages. */
async function device(browser: Browser, hall: Hall): Promise<Page> {
  return (await browser.newContext({ baseURL: hall.url })).newPage();
}

const ELSEWHERE = "Question 1: You answered D on your other device, later.";

test("an older answer of a device that was offline gives way to that of the other one, and its page says so", async ({ page, context, browser, hall }) => {
  await start(page);
  await answer(page, "A");
  await saving(page, "saved");
  const link = await linkOf(page);
  await context.setOffline(true);
  // By its numbers alone, this device would be later: it has answered more often.
  for (const letter of ["C", "A", "C", "B"]) await answer(page, letter);
  await next(page);
  await answer(page, "C");
  await saving(page, "offline");
  await written(page, '"C"');

  const other = await device(browser, hall);
  await other.goto(link);
  await at(other, 1);
  await expect(chosen(other)).toHaveValue("A");
  await answer(other, "D");
  await saving(other, "saved");

  await context.setOffline(false);
  await expect(page.locator(".notice").getByText(ELSEWHERE)).toBeVisible({ timeout: 30_000 });
  await saving(page, "saved");
  await closeMessage(page);
  // What the other device has left alone is here, and has arrived.
  await expect(chosen(page)).toHaveValue("C");
  await page.keyboard.press("ArrowLeft");
  await at(page, 1);
  await expect(chosen(page)).toHaveValue("D");

  await expect(other.getByRole("heading", { name: "This test is open somewhere else" })).toBeVisible();
  await expect(chosen(other)).toHaveValue("D");
  await other.getByRole("button", { name: "Continue here" }).click();
  await at(other, 1);
  await saving(other, "saved");
  await expect(chosen(other)).toHaveValue("D");
  await next(other);
  await expect(chosen(other)).toHaveValue("C");
  for (let turn = 0; turn < 9; turn += 1) await other.keyboard.press("ArrowRight");
  await handIn(other);
  await report(other);
  expect((await stored(other)).result.answers.slice(0, 2).map(({ selected }) => selected)).toEqual(["D", "C"]);
});

test("who has read what they answered elsewhere and answers again is later", async ({ page, context, browser, hall }) => {
  await start(page);
  await saving(page, "saved");
  const link = await linkOf(page);
  await context.setOffline(true);
  await answer(page, "B");
  await saving(page, "offline");
  const other = await device(browser, hall);
  await other.goto(link);
  await at(other, 1);
  await answer(other, "D");
  await saving(other, "saved");
  await other.close();
  await context.setOffline(false);
  await expect(page.locator(".notice").getByText(ELSEWHERE)).toBeVisible({ timeout: 30_000 });
  await expect(chosen(page)).toHaveValue("D");
  await closeMessage(page);
  await answer(page, "C");
  await saving(page, "saved");
  await page.reload();
  await at(page, 1);
  await expect(chosen(page)).toHaveValue("C");
});
