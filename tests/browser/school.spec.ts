// The school's name, crest, colour, languages and time zone on the students' pages.

import type { BrowserContext, Page } from "@playwright/test";
import { check } from "./accessible";
import { expect, test } from "./hall";
import { CREST_SIZE, giveCrest, SCHOOL, setUp } from "./settings";
import { School, seconds } from "./sitting";
import { handIn, report, SHORT, signInAsAdmin } from "./student";

/** Waits until the page shows the crest, whole. */
async function crestIsIn(page: Page, place: string): Promise<void> {
  const width = () => page.locator(`${place} img`).evaluateAll((found) => found.map((image) => (image as HTMLImageElement).naturalWidth));
  await expect.poll(width).toEqual([CREST_SIZE]);
}

const accent = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--accent").trim());

/** What is before the students: nothing of the school can be asked for any more. */
const cutOff = (context: BrowserContext) => context.route("**/api/school", (route) => route.abort());

test("a school has its name, crest, colour and first language on every page of a student", async ({ page, browser, hall }) => {
  await signInAsAdmin(page);
  await setUp(page, SCHOOL);
  await giveCrest(page);
  const context = await browser.newContext({ baseURL: hall.url, locale: "en-GB" });
  const student = await context.newPage();
  await student.goto("/");
  await expect(student.locator("header .name")).toHaveText(SCHOOL.name);
  await expect(student.getByRole("heading", { name: "Chọn bài kiểm tra" })).toBeVisible();
  await crestIsIn(student, "header");
  expect(await accent(student)).toBe(SCHOOL.colour);
  await expect(student).toHaveTitle(new RegExp(`${SCHOOL.name}$`));
  await check(student, "start page of a school");
  await student.getByLabel("Ngôn ngữ").selectOption("en");
  await cutOff(context);
  await student.goto(`${SHORT}&name=Ada`);
  // At once, and not only after an answer of the server.
  await expect(student.locator("header .name")).toHaveText(SCHOOL.name);
  await expect(student.getByRole("button", { name: "Start the test" })).toBeVisible();
  await crestIsIn(student, "header");
  expect(await accent(student)).toBe(SCHOOL.colour);
  await check(student, "introduction of a school");
  await student.getByRole("button", { name: "Start the test" }).click();
  await expect(student.locator("header .facts bdi")).toHaveText(["Ada", SCHOOL.name]);
  await crestIsIn(student, "header");
  await check(student, "test of a school");
  for (let turn = 0; turn < 10; turn += 1) await student.keyboard.press("ArrowRight");
  await handIn(student);
  await expect(student.locator("header .name")).toHaveText(SCHOOL.name);
  await report(student);
  await student.getByRole("link", { name: "Sheet for parents" }).click();
  await expect(student.getByRole("heading", { name: "For the parents of Ada" })).toBeVisible();
  await expect(student.locator("article").getByText(SCHOOL.name)).toBeVisible();
  await crestIsIn(student, "article");
  await check(student, "sheet for parents of a school");
  await context.close();
});

test("one language alone has no menu, and a school that is not named any more leaves nothing behind", async ({ page, browser, hall }) => {
  await signInAsAdmin(page);
  await setUp(page, { ...SCHOOL, languages: ["vi"] });
  const context = await browser.newContext({ baseURL: hall.url, locale: "en-GB", viewport: { width: 320, height: 640 } });
  const student = await context.newPage();
  await student.goto("/");
  await expect(student.getByRole("heading", { name: "Chọn bài kiểm tra" })).toBeVisible();
  await expect(student.locator("select")).toHaveCount(0);
  await check(student, "a school on a narrow phone");
  await setUp(page, { name: "" });
  // Where requests are routed, none is answered from the cache, in which the school would stay for a minute.
  await context.route("**/api/school", (route) => route.continue());
  await student.reload();
  await expect(student.getByLabel("Language")).toHaveValue("en");
  expect(await accent(student)).toBe("#2348c5");
  await context.close();
});

test("the time of a sitting is the school's, with its zone and the device's time where these differ", async ({ browser, hall }) => {
  const school = await School.open(browser, hall, [{ name: "Ada Lovelace", room: "B12", seat: "14" }], { doorsAt: seconds(3_000) });
  await setUp(school.page, { ...SCHOOL, languages: ["en", "vi"] });
  const abroad = await school.entered("Ada Lovelace", { timezoneId: "Europe/Zurich" });
  await expect(abroad.page.getByText(/You can enter from .*\d\d:\d\d \(Indochina Time; .*\d\d:\d\d on this device\)/)).toBeVisible();
  await check(abroad.page, "doors abroad");
  const athome = await school.entered("Ada Lovelace", { timezoneId: "Asia/Bangkok" });
  await expect(athome.page.locator("header .name")).toHaveText(SCHOOL.name);
  await expect(athome.page.getByText(/You can enter from \d\d:\d\d\./)).toBeVisible();
  await school.change({ doorsAt: seconds(-60) });
  await abroad.page.getByRole("button", { name: "Try to enter again" }).click();
  await expect(abroad.page.getByText(/It begins at .*\d\d:\d\d \(Indochina Time; .*\d\d:\d\d on this device\)/)).toBeVisible();
  await check(abroad.page, "waiting room abroad");
});
