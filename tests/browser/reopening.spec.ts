// A test that ended by accident goes on: on the page that still shows the end, on another device, and from the desk.

import type { Browser, Page } from "@playwright/test";
import { expect, test, type Hall } from "./hall";
import { finish, ready, School } from "./sitting";
import { answer, at, call, chosen, handIn, linkOf, next, passUntil, report, saving, SHORT, signInAsAdmin, start, stored } from "./student";

/** A device that has never opened these pages. */
async function device(browser: Browser, hall: Hall): Promise<Page> {
  return (await browser.newContext({ baseURL: hall.url })).newPage();
}

async function head(browser: Browser, hall: Hall): Promise<Page> {
  const page = await device(browser, hall);
  await signInAsAdmin(page);
  return page;
}

function reopen(head: Page, sessionId: string, changes: Record<string, unknown> = {}): Promise<any> {
  return call(head, "POST", `/api/live/sessions/${sessionId}/orders`, { id: `again ${Date.now()}`, type: "reopen", ...changes });
}

const idOf = (page: Page) => page.url().split("/").at(-1) ?? "";

/** Marks the document, which a reload would replace. */
const mark = (page: Page) => page.evaluate(() => void Object.assign(window, { marked: true }));
const isMarked = (page: Page) => page.evaluate(() => "marked" in window);

async function toTheEnd(page: Page): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await page.keyboard.press("ArrowRight");
  await handIn(page);
}

test("the page that shows the end goes on without a reload, and ends again", async ({ page, browser, hall }) => {
  const admin = await head(browser, hall);
  await start(page);
  await mark(page);
  await answer(page, "C");
  await saving(page, "saved");
  await toTheEnd(page);
  await report(page);
  const id = idOf(page);
  // The report has shown the right answers, which the order has to overlook.
  expect((await call(admin, "POST", `/api/live/sessions/${id}/orders`, { id: "first", type: "reopen" }, 409)).code).toBe("answers_seen");
  await reopen(admin, id, { force: true });
  await at(page, 1);
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(SHORT);
  await expect(chosen(page)).toHaveValue("C");
  await answer(page, "B");
  await next(page);
  await answer(page, "A");
  await saving(page, "saved");
  await toTheEnd(page);
  await report(page);
  expect(idOf(page)).toBe(id);
  expect(await isMarked(page)).toBe(true);
  const { result } = await stored(page);
  expect(result.answers.slice(0, 2).map(({ selected }) => selected)).toEqual(["B", "A"]);
  const { versions } = await call(admin, "GET", `/api/sessions/${id}/versions`);
  expect(versions.map(({ reason }: { reason: string }) => reason)).toEqual(["submitted", "reopened"]);
});

test("a page without sockets goes on too", async ({ page, browser, hall }) => {
  const admin = await head(browser, hall);
  await page.routeWebSocket(/\/api\/live$/, (socket) => socket.close());
  await start(page);
  await answer(page, "D");
  await saving(page, "saved");
  await toTheEnd(page);
  await report(page);
  await reopen(admin, idOf(page), { force: true });
  await at(page, 1);
  await expect(chosen(page)).toHaveValue("D");
  await answer(page, "A");
  await saving(page, "saved");
});

test("another device goes on by the link, and the report says so meanwhile", async ({ page, browser, hall }) => {
  const admin = await head(browser, hall);
  await start(page);
  await answer(page, "C");
  await saving(page, "saved");
  const link = await linkOf(page);
  await toTheEnd(page);
  await report(page);
  const address = page.url();
  await page.close();
  await reopen(admin, address.split("/").at(-1) ?? "", { force: true, minutes: 5 });
  const reader = await device(browser, hall);
  await reader.clock.install();
  await reader.goto(address);
  await expect(reader.getByRole("heading", { name: "This test goes on" })).toBeVisible();
  const other = await device(browser, hall);
  await other.goto(link);
  await at(other, 1);
  await expect(chosen(other)).toHaveValue("C");
  await toTheEnd(other);
  await report(other);
  // The report comes by itself, at the page's next look: it looks every twenty seconds.
  await passUntil(reader, () => reader.getByRole("heading", { name: "Test report" }).isVisible(), 25);
});

test.describe("in a sitting", () => {
  const desk = (school: School) => `/staff/sittings/${school.sitting.id}/desk`;
  const tile = (page: Page, name: string) => page.locator("li.tile", { hasText: name });

  test("an end by the proctor is undone within ten seconds, and later by “Reopen…”", async ({ browser, hall }) => {
    test.setTimeout(120_000);
    const school = await School.open(browser, hall, [{ name: "Ada" }, { name: "Bo" }], { start: "proctor" });
    const { page } = school;
    const [ada, bo] = [(await school.entered("Ada")).page, (await school.entered("Bo")).page];
    for (const student of [ada, bo]) await ready(student);
    await school.begin();
    for (const student of [ada, bo]) {
      await at(student, 1);
      await mark(student);
      await answer(student, "B");
      await saving(student, "saved");
    }
    await page.goto(desk(school));

    await test.step("undo", async () => {
      await tile(page, "Ada").click();
      await page.getByRole("button", { name: /^End the test/ }).click();
      await page.getByRole("dialog").getByRole("button", { name: /^Yes/ }).click();
      await expect(ada.getByRole("heading", { name: "Your teacher has ended the test" })).toBeVisible();
      await page.getByRole("region", { name: "Messages" }).getByRole("button", { name: "Undo" }).click();
      await at(ada, 1);
      await expect(chosen(ada)).toHaveValue("B");
      expect(await isMarked(ada)).toBe(true);
      await answer(ada, "C");
      await saving(ada, "saved");
    });

    await test.step("reopen", async () => {
      await finish(bo);
      await tile(page, "Bo").click();
      await page.getByRole("button", { name: "Reopen…" }).click();
      await page.getByLabel("Minutes on top").fill("3");
      await page.getByRole("button", { name: "Yes, let it go on" }).click();
      await expect(page.getByRole("status").filter({ hasText: "Bo’s test goes on" }).first()).toBeVisible();
      await at(bo, 1);
      await expect(chosen(bo)).toHaveValue("B");
      expect(await isMarked(bo)).toBe(true);
      expect((await call(page, "POST", `${school.path}/release`, undefined, 409)).error).toBe("Sitting has candidates at work");
    });

    await test.step("the release tells the newest results", async () => {
      await Promise.all([finish(ada), finish(bo)]);
      await school.release();
      await expect(ada.getByRole("heading", { name: "Test report" })).toBeVisible({ timeout: 60_000 });
    });
  });
});
