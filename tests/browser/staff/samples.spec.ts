// The language of the sample questions: offered where a school begins and where it chooses its languages, changed by one button.

import type { Page } from "@playwright/test";
import { check, fits } from "../accessible";
import { expect, test } from "../hall";
import { call } from "../student";
import { onToday, signIn } from "./people";

const HEAD = "head@school.example";
const card = (page: Page) => page.getByRole("region", { name: "The language of the sample questions" });
const questionOf = async (page: Page, id: string): Promise<string> => {
  const bank = (await call(page, "GET", "/api/admin/questions?grade=5")) as { id: string; question: string }[];
  return bank.find((question) => question.id === id)?.question ?? "";
};
/** The pages speak English all the same, whatever the first language of the school is. */
const inEnglish = (page: Page) => page.evaluate(() => localStorage.setItem("examhall-language", "en"));

test("a school whose first language is Vietnamese gets the sample questions in it, but for those that it has changed", async ({ browser, hall }) => {
  const { page } = await signIn(browser, hall, HEAD, "Head");
  await inEnglish(page);
  await onToday(page);
  await expect(page.getByRole("heading", { name: "First steps" })).toBeVisible();
  await page.waitForLoadState("networkidle");
  await expect(card(page)).toHaveCount(0);

  await call(page, "PATCH", "/api/admin/school", { languages: ["vi", "en"] });
  await call(page, "POST", "/api/review/edit", { questionId: "g5-001", grade: 5, comment: "", updates: { question: "What is one half of seven?" } });
  const before = await questionOf(page, "g5-002");
  await page.reload();
  await expect(card(page)).toContainText("1,399 sample questions are in English, and the first language of your school is Vietnamese.");
  await expect(card(page)).toContainText("prices are in đồng");
  await check(page, "the sample questions in another language");
  await page.setViewportSize({ width: 320, height: 640 });
  await fits(page, "the sample questions in another language, on a phone");
  await page.setViewportSize({ width: 1_280, height: 800 });

  const put = card(page).getByRole("button", { name: "Put them into Vietnamese" });
  await put.focus();
  await page.keyboard.press("Enter");
  await expect(card(page).getByRole("status")).toHaveText(/^\s*1,399 sample questions are in Vietnamese now\.\s+One that your school has changed or retired is as it was\.\s*$/);
  await expect(put).toHaveCount(0);
  await expect(card(page).getByRole("heading")).toBeFocused();
  expect(await questionOf(page, "g5-001")).toBe("What is one half of seven?");
  expect(await questionOf(page, "g5-002")).not.toBe(before);
  await page.reload();
  await expect(page.getByRole("heading", { name: "First steps" })).toBeVisible();
  await page.waitForLoadState("networkidle");
  await expect(card(page)).toHaveCount(0);
});

test("the page of the school offers it when the first language is another one, and says it in Vietnamese", async ({ browser, hall }) => {
  const { page } = await signIn(browser, hall, HEAD, "Head");
  await page.evaluate(() => localStorage.setItem("examhall-language", "vi"));
  await call(page, "PATCH", "/api/admin/school", { languages: ["vi", "en"] });
  await page.goto("/staff/school");
  const offer = page.getByRole("region", { name: "Ngôn ngữ của câu hỏi mẫu" });
  await expect(offer).toContainText("Hiện có 1.400 câu hỏi mẫu bằng tiếng Anh");
  await check(page, "the offer in Vietnamese");
  await offer.getByRole("button", { name: "Chuyển sang tiếng Việt" }).click();
  await expect(offer.getByRole("status")).toContainText("1.400 câu hỏi mẫu nay đã bằng tiếng Việt.");
  await call(page, "PATCH", "/api/admin/school", { languages: ["en"] });
  await inEnglish(page);
  await page.reload();
  await expect(card(page)).toContainText("1,400 sample questions are in Vietnamese, and the first language of your school is English.");
  await card(page).getByRole("button", { name: "Put them into English" }).click();
  await expect(card(page).getByRole("status")).toContainText("1,400 sample questions are in English now.");
});

test.describe("a server that begins in Vietnamese", () => {
  test.use({ options: { SAMPLE_BANK: "vi" } });

  test("practice is in Vietnamese", async ({ page }) => {
    await page.goto("/");
    const bank = (await call(page, "GET", "/api/questions?grade=3")) as { question: string; language?: string }[];
    expect(bank).toHaveLength(120);
    expect(bank.filter(({ question }) => !/[à-ỹđ]/i.test(question))).toEqual([]);
  });
});
