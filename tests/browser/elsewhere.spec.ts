// A test that was begun on one device continues on another, by a link that holds its secret.

import type { Browser, Page } from "@playwright/test";
import { expect, test, type Hall } from "./hall";
import { answer, at, chosen, handIn, kept, linkOf, next, report, saving, SHORT, signInAsAdmin, start, stored, template } from "./student";

/** A device that has never opened these pages. */
async function device(browser: Browser, hall: Hall): Promise<Page> {
  return (await browser.newContext({ baseURL: hall.url })).newPage();
}

test("another device goes on by the link, and the secret leaves the address", async ({ page, browser, hall }) => {
  await start(page, "/test/5?mode=adaptive");
  await answer(page, "D");
  await saving(page, "saved");
  const link = await linkOf(page);
  expect(link).toMatch(/\/continue#[\w-]+\.[\w-]+$/);
  const other = await device(browser, hall);
  await other.goto(link);
  await at(other, 1);
  await expect(chosen(other)).toHaveValue("D");
  await expect(other.getByText("Part 1 of 2")).toBeVisible();
  await expect(page.getByRole("heading", { name: "This test is open somewhere else" })).toBeVisible();
  expect(other.url()).toBe(`${hall.url}/continue?grade=5&mode=adaptive`);
  await next(other);
  await answer(other, "B");
  await saving(other, "saved");
  await other.reload();
  await at(other, 2);
  await expect(chosen(other)).toHaveValue("B");
  // And back again, by the link of the device that has the test now.
  expect(await linkOf(other)).toBe(link);
  await page.getByRole("button", { name: "Continue here" }).click();
  await at(page, 1);
  await next(page);
  await expect(chosen(page)).toHaveValue("B");
});

test("a link that is opened without the server goes on by itself when it is back", async ({ page, browser, hall }) => {
  await start(page);
  await answer(page, "D");
  await saving(page, "saved");
  const link = await linkOf(page);
  const other = await device(browser, hall);
  await other.route("**/api/live/*", (route) => route.abort());
  await other.goto(link);
  await expect(other.getByText("This page tries again by itself.")).toBeVisible();
  await other.unroute("**/api/live/*");
  await at(other, 1);
  await expect(chosen(other)).toHaveValue("D");
});

test("a template's test goes on elsewhere, without a network too", async ({ page, browser, hall }) => {
  await signInAsAdmin(page);
  await start(page, `/t/${await template(page, "Spring test", [5, 6])}`);
  await answer(page, "A");
  await saving(page, "saved");
  const other = await device(browser, hall);
  await other.goto(await linkOf(page));
  await at(other, 1);
  await expect(other.getByText("Spring test")).toBeVisible();
  await expect(chosen(other)).toHaveValue("A");
  expect(other.url()).not.toContain("#");
  await saving(other, "saved");
  await kept(other);
  await other.context().setOffline(true);
  await answer(other, "C");
  await saving(other, "offline");
  await other.reload();
  await at(other, 1);
  await expect(chosen(other)).toHaveValue("C");
  await other.context().setOffline(false);
  await saving(other, "saved");
  for (let turn = 0; turn < 10; turn += 1) await other.keyboard.press("ArrowRight");
  await handIn(other);
  await report(other);
  expect((await stored(other)).result.answers[0]?.selected).toBe("C");
});

test("where sockets are broken a test that goes on elsewhere goes by plain HTTPS", async ({ page, browser, hall }) => {
  await start(page);
  await saving(page, "saved");
  const link = await linkOf(page);
  await page.close();
  const other = await device(browser, hall);
  await other.routeWebSocket(/\/api\/live$/, (socket) => socket.close());
  await other.goto(link);
  await at(other, 1);
  await answer(other, "B");
  await saving(other, "saved");
});

test("a link without its secret, or with a wrong one, says so", async ({ page }) => {
  for (const address of ["/continue", "/continue#content", "/continue#0b0e39a5-31c1-4a60-a9a0-5d0c55a0a6f5.none", "/continue?grade=5", "/continue?grade=11"]) {
    await page.goto("/");
    await page.goto(address);
    await expect(page.getByRole("heading", { name: "This test does not exist" }), address).toBeVisible();
  }
});

test.describe("with the gate", () => {
  test.use({ options: { TEST_GATE: "sign-in" } });

  test("the other device needs no sign-in", async ({ page, browser, hall }) => {
    await signInAsAdmin(page);
    await start(page);
    await answer(page, "D");
    await saving(page, "saved");
    const other = await device(browser, hall);
    await other.goto(await linkOf(page));
    await at(other, 1);
    await expect(chosen(other)).toHaveValue("D");
    expect(other.url()).toBe(`${hall.url}/continue?grade=5`);
    await other.reload();
    await expect(chosen(other)).toHaveValue("D");
    for (let turn = 0; turn < 10; turn += 1) await other.keyboard.press("ArrowRight");
    await handIn(other);
    await report(other);
  });

  test("the gate's redirect is passed on, and never kept", async ({ page, context }) => {
    await signInAsAdmin(page);
    await start(page);
    await answer(page, "D");
    await saving(page, "saved");
    await kept(page);
    await page.reload();
    await at(page, 1);
    await context.clearCookies();
    await page.goto(SHORT);
    await expect(page.getByLabel("E-mail address")).toBeVisible();
    await context.setOffline(true);
    await page.goto(SHORT);
    await at(page, 1);
    await expect(chosen(page)).toHaveValue("D");
    await context.setOffline(false);
    await page.goto(SHORT);
    await expect(page.getByLabel("E-mail address")).toBeVisible();
    await page.getByLabel("E-mail address").fill("head@school.example");
    await page.getByRole("button", { name: "Sign in" }).click();
    await at(page, 1);
  });
});
