// Tests in which one question of the bank is asked again and again, so that it can be looked at.

import { expect, type Page } from "@playwright/test";
import { altered } from "./answers";
import type { BankQuestion } from "./bank";
import { at } from "./student";

/** The bank of a grade in which every question is this one, since the server draws them at random. */
export async function only(page: Page, question: BankQuestion): Promise<void> {
  await page.unroute(/\/api\/questions\?/);
  await altered(page, /\/api\/questions\?/, (bank: BankQuestion[]) => bank.map(({ id }) => ({ ...question, id })));
}

/** A test whose first question is this one, when all of it is shown. */
export async function begin(page: Page, question: BankQuestion): Promise<void> {
  await only(page, question);
  await page.goto(`/test/${question.id.slice(1, -4)}?questions=10&minutes=15&name=${encodeURIComponent(question.id)}`);
  await page.getByRole("button", { name: "Start the test" }).click();
  await at(page, 1);
  await expect(page.locator("[data-formula=awaited]")).toHaveCount(0);
  await expect.poll(() => page.evaluate(() => [...document.images].every(({ complete }) => complete))).toBe(true);
  await page.evaluate(() => document.fonts.ready);
  await page.mouse.move(0, 0);
}

export async function wholeBank(page: Page): Promise<BankQuestion[]> {
  const banks = await Promise.all(Array.from({ length: 10 }, (_, index) => page.request.get(`/api/questions?grade=${index + 1}`)));
  return ((await Promise.all(banks.map((bank) => bank.json()))) as BankQuestion[][]).flat();
}
