// What is said on every page during an outage, a server that only reads, and the list of one's sign-ins.

import type { Locator } from "@playwright/test";
import { check } from "./accessible";
import { expect, test } from "./hall";
import { call, signInAs, signInAsAdmin, start } from "./student";

const SAID = "Results come on Monday.";

/** A message that has just come is deaf for a moment from the first frame that shows it, which a busy machine draws late. */
async function close(shown: Locator, name: string): Promise<void> {
  await expect(async () => {
    if ((await shown.count()) > 0) await shown.getByRole("button", { name }).click({ timeout: 1_000 });
    await expect(shown).toHaveCount(0, { timeout: 1_000 });
  }).toPass();
}

test("what an admin writes is on the pages of students and staff, and moves nothing in a running test", async ({ page, browser, hall }) => {
  await signInAsAdmin(page);
  const context = await browser.newContext({ baseURL: hall.url, locale: "en-GB" });
  const student = await context.newPage();
  await start(student);
  const question = student.locator("main label").first();
  const before = await question.boundingBox();
  await page.goto("/staff/school");
  await page.getByRole("textbox", { name: "In English" }).fill(SAID);
  await page.getByRole("button", { name: "Show on all pages" }).click();
  await expect(page.getByRole("region", { name: "Message from the school" })).toContainText(SAID);
  await check(page, "the page of the school with a message on all pages");
  // A page that is looked at again asks at once.
  await student.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  const notice = student.locator("section.notice");
  await expect(notice).toContainText(SAID);
  expect(await question.boundingBox()).toEqual(before);
  await check(student, "a running test with a message on all pages");
  await close(notice, "Close");
  // The first page, in the other language, shows what there is, until it is closed in this tab.
  const other = await browser.newContext({ baseURL: hall.url, locale: "vi-VN" });
  const reader = await other.newPage();
  await reader.goto("/");
  const bar = reader.getByRole("region", { name: "Thông báo của nhà trường" });
  await expect(bar.locator("[lang=en]")).toHaveText(SAID);
  await check(reader, "the first page with a message on all pages");
  await close(bar, "Đóng");
  await reader.reload();
  await expect(reader.getByRole("heading", { level: 1 })).toBeVisible();
  await call(page, "PUT", "/api/admin/status", { en: "Another one", vi: "" });
  await reader.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(bar).toContainText("Another one");
  await reader.goto("/auth/sign-in");
  await expect(reader.getByRole("status")).toHaveText("Another one");
  await context.close();
  await other.close();
});

test("during a maintenance the pages say that nothing can be saved", async ({ page, hall }) => {
  await signInAsAdmin(page);
  await hall.stop();
  hall.options = { ...hall.options, READ_ONLY: "true", STATUS_MESSAGE: "Back at 16:00" };
  await hall.start();
  await page.goto("/staff/school");
  const bar = page.getByRole("region", { name: "Message from the school" });
  await expect(bar).toContainText("nothing can be changed or saved");
  await expect(bar).toContainText("Back at 16:00");
  await page.getByRole("textbox", { name: "In English" }).fill(SAID);
  await page.getByRole("button", { name: "Show on all pages" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "under maintenance" })).toBeVisible();
  await page.goto("/");
  await expect(page.getByRole("region", { name: "Message from the school" })).toContainText("nothing can be sent in or saved");
  await check(page, "the first page during a maintenance");
});

test("people see where they are signed in, and end one of it", async ({ page, browser, hall }) => {
  await signInAsAdmin(page);
  await signInAs(page, "ada@school.example", "Ada");
  const context = await browser.newContext({ baseURL: hall.url, locale: "en-GB", userAgent: "Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0" });
  const elsewhere = await context.newPage();
  await signInAs(elsewhere, "ada@school.example", "Ada");
  await page.goto("/");
  await page.getByRole("link", { name: "My sign-ins" }).click();
  await expect(page.getByRole("listitem")).toHaveCount(2);
  await expect(page.getByText("(this one)")).toHaveCount(1);
  await check(page, "the list of one's sign-ins");
  await page.getByRole("button", { name: "End the sign-in with Firefox on Windows" }).click();
  await expect(page.getByText("The sign-in has ended.")).toBeVisible();
  await expect(page.getByRole("listitem")).toHaveCount(1);
  await elsewhere.goto("/auth/sign-ins");
  await expect(elsewhere.getByText("You are not signed in.")).toBeVisible();
  await context.close();
});
