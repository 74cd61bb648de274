// The page of the API: read, opened route by route, tried, and usable by everyone.

import { isAccessible } from "./accessible";
import { expect, test } from "./hall";

test("the API can be read and tried", async ({ page }) => {
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto("/api/docs/");
  await expect(page).toHaveTitle("API reference – Exam Hall");
  await expect(page.getByRole("heading", { level: 2, name: "students" })).toBeVisible();
  await isAccessible(page, "closed");

  await page.locator("#listQuestions > summary").click();
  expect(await page.locator("details[open]").evaluateAll((all) => all.map(({ id }) => id)), "one route opens at a click").toEqual(["listQuestions"]);
  const route = page.locator("#listQuestions");
  await route.getByLabel("grade (query)").fill("5");
  await route.getByRole("button", { name: "Send" }).click();
  await expect(route.getByText("200 OK")).toBeVisible();
  await expect(route.getByLabel("Answer", { exact: true }).last()).toContainText('"grade": 5');
  await isAccessible(page, "one route, with its answer");

  await route.getByRole("link", { name: "DeliveredQuestion[]" }).click();
  await expect(page.locator("#schema-DeliveredQuestion")).toHaveAttribute("open", "");
  await expect(page.locator("#schema-DeliveredQuestion").getByRole("rowheader", { name: "explanation" })).toBeVisible();

  const start = page.locator("#startLiveExam");
  await start.locator("summary").click();
  await start.getByLabel("Body", { exact: true }).last().fill('{ "grade": 5 }');
  await start.getByRole("button", { name: "Send" }).click();
  await expect(start.getByText('"type": "started"')).toBeVisible();
  expect(complaints).toEqual([]);
});

test("every route and schema is accessible, also on a phone", async ({ page }) => {
  // Hundreds of routes and schemas are measured, three quarters of a minute beside one other test.
  test.setTimeout(180_000);
  await page.goto("/api/docs/");
  await expect(page.locator("details.route").first()).toBeVisible();
  await page.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = true)));
  await expect(page.locator("details.route:not(:has(.inside))")).toHaveCount(0);
  await isAccessible(page, "all open");
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(0);
  await isAccessible(page, "all open on a phone");
});
