// A sign-in that ends while somebody works: what they see and type stays, they sign in beside it, and go on. Nobody else gets it.

import type { Page } from "@playwright/test";
import { check } from "../accessible";
import { expect, test } from "../hall";
import { ready, School } from "../sitting";
import { call } from "../student";
import { hired, signIn } from "./people";

const HEAD = "head@school.example";

const pinned = (page: Page) => page.locator("[data-sign-in]");
const asked = (page: Page) => page.getByRole("dialog", { name: "Sign in to go on" });

/** Ends the sign-in as its owner does in another tab. */
async function signOutElsewhere(page: Page): Promise<void> {
  const other = await page.context().newPage();
  await other.goto("/staff");
  await other.getByRole("button", { name: "Sign out" }).click();
  await expect(other.getByRole("link", { name: "Sign in" })).toBeVisible();
  await other.close();
}

/** Signs in in the window that this link opens, which closes itself. */
async function signInBeside(page: Page, link: ReturnType<Page["getByRole"]>, email = HEAD, name = "Head"): Promise<void> {
  const opening = page.waitForEvent("popup");
  await link.click();
  const beside = await opening;
  await beside.getByLabel("E-mail address").fill(email);
  await beside.getByLabel("Name").fill(name);
  const closed = beside.waitForEvent("close");
  await beside.getByRole("button", { name: "Sign in" }).click();
  await closed;
}

const title = (page: Page) => page.getByRole("textbox", { name: /^Name/ });
async function fill(page: Page): Promise<void> {
  await page.getByRole("checkbox", { name: "5", exact: true }).check();
  await page.getByRole("spinbutton", { name: "Easy, Questions", exact: true }).fill("10");
}
const again = (page: Page) => page.getByRole("link", { name: "Sign in again" });

test("a form and an edit outlive the end of a sign-in, and what was asked for is done after it", async ({ browser, hall }) => {
  test.setTimeout(60_000);
  const { page } = await signIn(browser, hall, HEAD, "Head", "/staff/templates/new");
  await page.evaluate(() => Object.assign(window, { isSame: true }));

  await test.step("a form that is half filled", async () => {
    await title(page).fill("Paper of the spring");
    const read = await page.context().newPage();
    await read.goto("/staff/questions?grade=5");
    await expect(read.locator(".who")).toHaveText("Head");
    await signOutElsewhere(page);
    // Where nothing is typed, nothing stays to be read.
    await expect(read.getByRole("link", { name: "Sign in", exact: true })).toBeVisible();
    await expect(read.locator(".who")).toHaveCount(0);
    await read.close();
    await expect(pinned(page)).toContainText("What you have typed is still here.");
    await expect(title(page)).toHaveValue("Paper of the spring");
    await check(page, "signed out in a form");
    await title(page).fill("Paper of the spring, and more");
    await fill(page);
    await page.getByRole("button", { name: "Draw the questions" }).click();
    await expect(asked(page)).toContainText("Sign in again as Head");
    await check(page, "asked to sign in");
    await signInBeside(page, asked(page).getByRole("link"));
    await expect(page).toHaveURL(/\/staff\/templates\/[0-9a-f-]{36}/);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Paper of the spring, and more");
    await expect(pinned(page)).toHaveCount(0);
  });

  await test.step("a question that is edited", async () => {
    await page.goto("/staff/questions?grade=5&question=g5-001");
    await page.evaluate(() => Object.assign(window, { isSame: true }));
    await page.getByRole("button", { name: /^Edit( E)?$/ }).click();
    const form = page.getByRole("form", { name: "Edit g5-001" });
    await form.getByLabel("Explanation").fill("Half of ten is five.");
    await page.context().clearCookies();
    await form.getByRole("button", { name: /^Save/ }).click();
    await expect(asked(page)).toBeVisible();
    await asked(page).getByRole("button", { name: "Not now" }).click();
    await expect(form.getByRole("alert").filter({ hasText: "Your sign-in has ended, so this was not done." })).toBeVisible();
    await expect(form.getByLabel("Explanation")).toHaveValue("Half of ten is five.");
    await signInBeside(page, again(page));
    await expect(pinned(page)).toHaveCount(0);
    await form.getByRole("button", { name: /^Save/ }).click();
    await expect(page.getByText(/^“.+” is edited\.$/)).toBeVisible();
    const { questions } = await call(page, "GET", "/api/review/questions?grade=5");
    expect(questions.find(({ id }: { id: string }) => id === "g5-001").explanation).toBe("Half of ten is five.");
    expect(await page.evaluate(() => "isSame" in window)).toBe(true);
  });

  await test.step("somebody else signs in, and finds nothing of it", async () => {
    const { context } = await hired(page, browser, hall, "admin", []);
    await context.close();
    await page.goto("/staff/templates/new");
    await title(page).fill("A secret of the head");
    await page.context().clearCookies();
    await fill(page);
    await page.getByRole("button", { name: "Draw the questions" }).click();
    // The browser asks nobody whether they want to leave what is not theirs.
    page.on("dialog", (dialog) => void dialog.accept().then(() => expect(dialog.message()).toBe("no dialog")));
    await signInBeside(page, asked(page).getByRole("link"), "admin@school.example", "The admin");
    await expect(page.locator(".who")).toHaveText("The admin");
    await expect(title(page)).toHaveValue("");
    const { templates } = await call(page, "GET", "/api/admin/test-templates");
    expect(templates.map(({ name }: { name: string }) => name)).toEqual(["Paper of the spring, and more"]);
  });
});

test("the desk stays with its age when the sign-in ends, and the order is given after it", async ({ browser, hall }) => {
  test.setTimeout(60_000);
  const school = await School.open(browser, hall, [{ name: "Ada", room: "B12", seat: "1" }], { start: "proctor" });
  const { page } = school;
  const { page: ada } = await school.entered("Ada");
  await ready(ada);
  await school.begin();
  await page.goto(`/staff/sittings/${school.sitting.id}/desk?step=watch`);
  const { email, name } = await call(page, "GET", "/api/me");
  const tile = page.locator("li.tile", { hasText: "Ada" });
  await expect(tile).toContainText("At work");
  await signOutElsewhere(page);
  await expect(page.locator("[data-banner=signedOut]")).toContainText(/As of \d\d?:\d\d.*Sign in to go on\./);
  await expect(tile).toContainText("At work");
  await check(page, "signed out at the desk");
  await tile.getByRole("button").click();
  await page.locator(".drawer").getByRole("button", { name: "Message…" }).click();
  await page.getByLabel("Message", { exact: true }).fill("Please look at the board.");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(asked(page)).toBeVisible();
  await signInBeside(page, asked(page).getByRole("link"), email, name);
  await expect(ada.getByText("Please look at the board.").first()).toBeVisible();
  await expect(page.locator("[data-banner]")).toHaveCount(0);
  await expect(asked(page)).toHaveCount(0);
});
