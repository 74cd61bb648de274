// What an administrator keeps for the school: its settings, the audit, a test of a receiver, and roles before the first sign-in.

import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "@playwright/test";
import { check, fits } from "../accessible";
import { expect, test, type Hall } from "../hall";
import { call } from "../student";
import { signIn } from "./people";

const RITA = "rita@school.example";
/** A shield of eight by eight pixels. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAJ0lEQVR42mNQ9jiKFTFQUeL///+YokBBkASaHEQEKgGXg3MREmgAAN2EcAXoT+BBAAAAAElFTkSuQmCC",
  "base64",
);

const head = async (browser: Browser, hall: Hall, address: string) => (await signIn(browser, hall, "head@school.example", "Head", address)).page;
const messages = (page: Page) => page.getByRole("region", { name: "Messages", exact: true });
const dialog = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name });
const row = (page: Page, text: string) => page.getByRole("grid").getByRole("row").filter({ hasText: text });
const people = async (page: Page) => (await call(page, "GET", "/api/admin/users")) as { email: string; role: string; lastLogin: string | null }[];
/** As students' pages read it, without what the browser keeps of it for a minute. */
const told = async (page: Page) => (await page.request.get("/api/school")).json();

/** Somebody else, in another window, saves these settings. */
async function changed(page: Page, changes: object): Promise<void> {
  const status = await page.evaluate(async (changes) => {
    const { revision } = await (await fetch("/api/admin/school")).json();
    const headers = { "Content-Type": "application/json", "If-Match": `"${revision}"` };
    return (await fetch("/api/admin/school", { method: "PATCH", headers, body: JSON.stringify(changes) })).status;
  }, changes);
  expect(status).toBe(200);
}

/** A picture of 5,000 by 2,500 points that hardly compresses. */
async function largePicture(page: Page): Promise<Buffer> {
  const text = await page.evaluate(async () => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 5_000, height: 2_500 });
    const context = canvas.getContext("2d")!;
    for (let spot = 0; spot < 60_000; spot += 1) {
      context.fillStyle = `hsl(${(spot * 137) % 360} 80% 50%)`;
      context.fillRect((spot * 7_919) % 5_000, (spot * 104_729) % 2_500, 40, 3);
    }
    return canvas.toDataURL("image/png");
  });
  return Buffer.from(text.slice(text.indexOf(",") + 1), "base64");
}

test("the school gets a name, a crest and a colour that can be read, and all of it is taken back", async ({ browser, hall }) => {
  const page = await head(browser, hall, "/staff");
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "School" }).click();
  const form = page.getByRole("form", { name: "Settings" });
  const preview = page.locator("section", { has: page.getByRole("heading", { name: "How students see it" }) });
  const save = form.getByRole("button", { name: "Save" });
  const before = await told(page);
  await expect(save).toBeDisabled();
  await form.getByLabel("Name of the school").fill("THCS Lê Lợi");
  await expect(preview).toContainText("THCS Lê Lợi");

  await form.getByLabel("Colour in hexadecimal digits").fill("#ffcc00");
  await expect(form.getByText(/^White text on it has a contrast of 1\.\d+: that is \d\.\d+ less than the 4\.5/)).toBeVisible();
  await save.click();
  await expect(form.getByText(/^Something above can’t be saved/)).toBeVisible();
  await check(page, "a colour that is too pale");
  await page.setViewportSize({ width: 320, height: 640 });
  await fits(page, "a colour that is too pale, on a phone");
  await page.setViewportSize({ width: 1_280, height: 800 });
  await form.getByRole("button", { name: /^Take the nearest darker colour/ }).click();
  await expect(form.getByText(/: enough, since 4\.5 is needed\.$/)).toBeVisible();

  const crest = form.getByLabel(/^Choose (a picture|another one)$/);
  await crest.setInputFiles({ name: "crest.png", mimeType: "image/png", buffer: Buffer.from("<svg></svg>") });
  await expect(form.getByText(/^This is an SVG/)).toBeVisible();
  await crest.setInputFiles({ name: "crest.png", mimeType: "image/png", buffer: Buffer.from("crest") });
  await expect(form.getByText(/^This is no PNG, JPEG or WebP/)).toBeVisible();
  // As a camera or a scanner makes them: far too many pixels and bytes.
  await crest.setInputFiles({ name: "crest.png", mimeType: "image/png", buffer: await largePicture(page) });
  await expect(form.getByText(/^Made smaller: .* pixels\.$/)).toBeVisible();
  const small = await preview.locator("img").evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight, image.src.length]);
  expect(small[0]! / small[1]!).toBeCloseTo(2, 1);
  expect(small[2]!, "as base64").toBeLessThan((256 * 1_024 * 4) / 3 + 100);
  await crest.setInputFiles({ name: "crest.png", mimeType: "image/png", buffer: PNG });
  await expect(preview.locator("img")).toHaveAttribute("src", /^data:image\/png/);
  await save.click();
  await expect(messages(page).getByText("The settings of the school are saved.")).toBeVisible();
  await expect(save).toBeDisabled();
  await expect(form.getByRole("img", { name: "Crest" })).toHaveAttribute("src", /^\/api\/school\/crest/);
  await check(page, "settings");
  const after = await told(page);
  expect(after).toMatchObject({ name: "THCS Lê Lợi", crest: expect.stringMatching(/^\/api\/school\/crest\?v=/) });
  expect((await page.request.get(after.crest)).headers()["content-type"]).toBe("image/png");

  await messages(page).getByRole("button", { name: "Undo" }).click();
  await expect(messages(page).getByText("Undone.")).toBeVisible();
  await expect.poll(() => told(page)).toEqual(before);
  await expect(form.getByLabel("Name of the school")).toHaveValue(before.name);
});

test("settings go by the keyboard, and what two admins save at once is shown side by side", async ({ browser, hall }) => {
  const page = await head(browser, hall, "/staff/school");
  const form = page.getByRole("form", { name: "Settings" });
  await form.getByLabel("Name of the school").focus();
  await page.keyboard.type("Mine");
  await form.getByRole("searchbox", { name: "Find a time zone" }).focus();
  await page.keyboard.type("germany");
  await page.keyboard.press("Enter");
  await expect(form.getByText(/^Europe\/Berlin: it is \d\d:\d\d there now/)).toBeVisible();
  await form.getByRole("checkbox", { name: "English" }).focus();
  await page.keyboard.press("Space");
  await form.getByRole("checkbox", { name: "Tiếng Việt" }).focus();
  await page.keyboard.press("Space");
  await expect(form.getByText("At least one language is needed.")).toBeVisible();
  await page.keyboard.press("Space");
  await changed(page, { name: "Theirs", colour: "#1d6b3f" });
  await form.getByLabel("Name of the school").press("Enter");
  const meanwhile = dialog(page, "Somebody else has saved other settings");
  await expect(meanwhile.getByRole("row").filter({ hasText: "Name" })).toContainText(/Theirs.*Mine/);
  await expect(meanwhile.getByRole("row").filter({ hasText: "Colour" })).toContainText("#1d6b3f");
  await check(page, "two versions");
  await meanwhile.getByRole("button", { name: "Save my changes" }).press("Enter");
  await expect(meanwhile).toBeHidden();
  await expect(messages(page).getByText("The settings of the school are saved.")).toBeVisible();
  expect(await told(page)).toMatchObject({ name: "Mine", colour: "#1d6b3f", languages: ["vi"], timeZone: "Europe/Berlin" });
});

test("settings that are not saved are asked about before another page is shown", async ({ browser, hall }) => {
  const page = await head(browser, hall, "/staff");
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "School" }).click();
  const name = page.getByRole("form", { name: "Settings" }).getByLabel("Name of the school");
  const question = dialog(page, "Your changes are not saved");
  const tab = page.getByRole("navigation", { name: "Parts of this page" }).getByRole("link", { name: "Tokens" });
  await name.fill("Not saved");
  await tab.click();
  await expect(question).toBeVisible();
  await check(page, "not saved");
  await question.getByRole("button", { name: "Stay here" }).click();
  await expect(question).toHaveCount(0);
  await expect(name).toHaveValue("Not saved");
  // "Back", another page of the rail, and the palette.
  await page.goBack();
  await expect(question).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL("/staff/school");
  await expect(name).toHaveValue("Not saved");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("people");
  await page.keyboard.press("Enter");
  await expect(question).toBeVisible();
  await question.getByRole("button", { name: "Stay here" }).click();
  await expect(name).toHaveValue("Not saved");
  // The browser asks before the tab is closed.
  const asked = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  const ofBrowser = await asked;
  expect(ofBrowser.type()).toBe("beforeunload");
  await ofBrowser.dismiss();
  await expect(name).toHaveValue("Not saved");
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Today" }).click();
  await question.getByRole("button", { name: "Leave without saving" }).click();
  await expect(page).toHaveURL("/staff");
  await page.goBack();
  await expect(name).not.toHaveValue("Not saved");
  // Nothing is asked where nothing would be lost.
  await tab.click();
  await expect(page).toHaveURL(/tab=tokens/);
});

test("the audit is found by person, kind and day, turned by pages, and saved as it is shown", async ({ browser, hall }) => {
  const page = await head(browser, hall, "/staff");
  await signIn(browser, hall, RITA, "Rita Nguyen", "/");
  await call(page, "PATCH", `/api/admin/users/${encodeURIComponent(RITA)}`, { role: "reviewer" });
  await page.evaluate(async () => {
    const made = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ name: "Moodle", role: "student" }) };
    for (let count = 0; count < 51; count += 1) await fetch("/api/admin/tokens", made);
  });
  const { total } = await call(page, "GET", "/api/admin/audit");
  expect(total).toBeGreaterThan(51);
  const count = (said: string | RegExp) => page.getByRole("status").filter({ hasText: said });
  await page.goto("/staff/school/audit");
  await expect(page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "School" })).toHaveAttribute("aria-current", "page");
  await expect(count(`${total} entries`)).toBeVisible();
  await check(page, "the audit");
  await page.getByRole("button", { name: "Older" }).click();
  await expect(page).toHaveURL(/page=2/);
  await expect(row(page, "Gave a role")).toContainText(RITA);

  await page.getByRole("combobox", { name: "What" }).selectOption("Gave a role");
  await expect(page).toHaveURL(/action=user\.role/);
  await expect(page).not.toHaveURL(/page=/);
  await expect(count("1 entry")).toBeVisible();
  await page.getByRole("searchbox", { name: "By" }).fill("head@school.example");
  await page.getByRole("searchbox", { name: "By" }).press("Enter");
  await expect(page).toHaveURL(/actor=head/);
  await expect(row(page, "Gave a role")).toHaveCount(1);
  for (const format of ["csv", "xlsx"] as const) {
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: `Save as ${format}` }).click();
    const file = await saving;
    expect(file.suggestedFilename()).toMatch(new RegExp(`^audit-\\d{4}-\\d{2}-\\d{2}\\.${format}$`));
    const bytes = readFileSync(await file.path());
    if (format === "xlsx") expect(bytes.subarray(0, 2).toString()).toBe("PK");
    else expect(bytes.toString().trim().split(/\r?\n/).slice(1)).toEqual([expect.stringContaining(RITA)]);
  }
  await page.getByRole("grid", { name: "Audit" }).focus();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(dialog(page, "Gave a role")).toContainText("user.role");
  await check(page, "one entry");
  await page.keyboard.press("Escape");
  await page.getByLabel("To", { exact: true }).fill("2020-01-01");
  await expect(page.getByText("No entry fits these filters.")).toBeVisible();
  await page.reload();
  await expect(page.getByText("No entry fits these filters.")).toBeVisible();
  await page.getByRole("button", { name: "Clear the filters" }).click();
  // Those who saved the table are on it, too.
  await expect(count(/\d+ entries/)).toBeVisible();
});

test("a role is given before the first sign-in, counts from then on, and can be taken back", async ({ browser, hall }) => {
  const page = await head(browser, hall, "/staff/people");
  await call(page, "POST", "/api/admin/review/assignments", { email: "duc@school.example", name: "Nguyễn Văn Đức", grades: [4, 5] });
  await page.reload();
  await expect(row(page, "Đức")).toContainText(/Not signed in yet.*role missing/);
  await row(page, "Đức").click();
  const rights = dialog(page, "Nguyễn Văn Đức");
  await rights.getByRole("button", { name: "Choose Reviewer" }).click();
  await check(page, "a role before the first sign-in");
  await rights.getByRole("button", { name: "Save" }).click();
  await expect(rights).toBeHidden();
  await expect(row(page, "Đức")).toContainText(/Reviewer.*Not signed in yet/);
  expect((await people(page)).find(({ email }) => email === "duc@school.example")).toMatchObject({ role: "reviewer", lastLogin: null });
  await row(page, "Đức").click();
  await expect(rights.getByText(/^Invited, has not signed in yet\./)).toBeVisible();
  await page.keyboard.press("Escape");
  const duc = await signIn(browser, hall, "duc@school.example", "Nguyễn Văn Đức", "/staff");
  await expect(duc.page.getByRole("navigation", { name: "Pages" })).toContainText("Questions");
  expect(await (await duc.page.request.get("/api/me")).json()).toMatchObject({ role: "reviewer", grades: [4, 5] });

  await page.goto("/staff/people/add");
  await page.getByRole("textbox", { name: "List of people" }).fill("boss@school.example, The Boss, admin\nmax@school.example, Max Tran, manager, 5");
  await expect(page.getByText("This would add 2 people. Nothing is done yet.")).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "boss@" })).toContainText("Role from the first sign-in: Administrator");
  await page.getByRole("button", { name: "Add 2 people" }).click();
  await expect(page.getByText("2 of 2 people done", { exact: true })).toBeVisible();
  const roles = async () => (await people(page)).map(({ email, role }) => `${email.split("@")[0]} ${role}`).sort();
  expect(await roles()).toEqual(["boss admin", "duc reviewer", "head admin", "max manager"]);
  await messages(page).getByRole("button", { name: "Undo" }).click();
  await expect.poll(roles).toEqual(["duc reviewer", "head admin"]);
});

test.describe("with a receiver in the own network", () => {
  test.use({ options: { WEBHOOK_ALLOW: "127.0.0.1" } });

  interface Got {
    headers: IncomingHttpHeaders;
    body: string;
  }

  /** Answers each request with the status, and keeps it. */
  async function receiver(status: () => number): Promise<{ server: Server; url: string; got: Got[] }> {
    const got: Got[] = [];
    const server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        got.push({ headers: request.headers, body: Buffer.concat(parts).toString() });
        response.writeHead(status(), { "Content-Type": "text/plain" }).end(status() === 200 ? "Thank you" : "Not today");
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, got };
  }

  test("a test message arrives signed, and what is in its way is said in words", async ({ browser, hall }) => {
    let status = 200;
    const { server, url, got } = await receiver(() => status);
    const page = await head(browser, hall, "/staff/school?tab=webhooks");
    const card = page.getByRole("region", { name: "Send a test" });
    const address = card.getByLabel("Address of the receiver");
    const send = card.getByRole("button", { name: "Send a test" });
    await address.fill("lms.school.example");
    await send.click();
    await expect(card.getByText(/^Write the whole address/)).toBeVisible();
    await address.fill(url);
    await address.press("Enter");
    await expect(card.getByText(/^The receiver answered 200 after [\d,]+ ms\.$/)).toBeVisible();
    await expect(card.getByLabel("Headers that were sent")).toContainText("webhook-signature: v1,");
    await expect(card.getByLabel("Beginning of the answer")).toHaveText("Thank you");
    await check(page, "a test message that arrived");

    expect(got).toHaveLength(1);
    const { headers, body } = got[0] as Got;
    await expect(card.getByLabel("Body that was sent")).toHaveText(body);
    const { key } = await call(page, "GET", "/api/admin/webhooks/key");
    const secret = Buffer.from(key.replace("whsec_", ""), "base64");
    const signed = createHmac("sha256", secret).update(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`).digest("base64");
    expect(headers["webhook-signature"]).toBe(`v1,${signed}`);

    status = 500;
    await send.click();
    await expect(card.getByText(/^The receiver answered 500 .* a real message would be tried again\.$/)).toBeVisible();
    await expect(card.getByLabel("Beginning of the answer")).toHaveText("Not today");
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await send.click();
    await expect(card.getByText(/^Nothing answers at this address/)).toBeVisible();
    await check(page, "a receiver that is away");
    await address.fill("http://10.1.2.3/hook");
    await send.click();
    await expect(card.getByText(/^The server may not send to this address\./)).toBeVisible();
    await expect(address).toHaveValue("http://10.1.2.3/hook");
    // Nothing of this is in the list of messages.
    await expect(page.getByText("There are no such messages.")).toBeVisible();
  });
});
