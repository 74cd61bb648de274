// A sitting in real browsers: the entry, the waiting room, the beginning, the end, and the release.

import type { Page } from "@playwright/test";
import { chromium } from "@playwright/test";
import { check } from "./accessible";
import { expect, test } from "./hall";
import { School, continuation, enter, finish, ready, seconds, standing } from "./sitting";
import { answer, at, call, kept, OFTEN, passUntil, saving, signInAsAdmin } from "./student";

const ADA = { name: "Ada Lovelace", room: "B12", seat: "14" };
const BO = { name: "Bo Tran", room: "B12", seat: "15", factor: 150 };

/** Counts the requests for the paper. */
function papersOf(page: Page): string[] {
  const asked: string[] = [];
  page.on("request", (request) => request.url().includes("/paper/") && asked.push(request.url()));
  return asked;
}

test.describe("with all of the chance by which pages spread what they ask for", () => {
  test.use({ chance: 1 });

  // Thirty of them sit the exam of day.spec.ts.
  test("a class enters, waits, begins, hands in and sees its results", async ({ browser, hall }) => {
    test.setTimeout(240_000);
    const class_ = Array.from({ length: 12 }, (_, index) => ({ name: `Student ${String(index + 1).padStart(2, "0")}`, room: index < 6 ? "A1" : "A2", seat: String(index + 1), ...(index === 2 ? { factor: 150 } : {}) }));
    const school = await School.open(browser, hall, class_);
    const names = class_.map(({ name }) => name);
    const late = names.at(-1) as string;
    const devices = new Map<string, Awaited<ReturnType<School["entered"]>>>();
    const early = names.slice(0, -1);
    for (let first = 0; first < early.length; first += 5) {
      await Promise.all(early.slice(first, first + 5).map(async (name) => devices.set(name, await school.entered(name))));
    }
    const pages = [...devices.values()].map(({ page }) => page);
    await Promise.all(pages.map(ready));
    // The start is brought forward while they wait, and all of them see it.
    await school.change({ startsAt: seconds(25) });
    await Promise.all(pages.map((page) => expect(page.getByRole("timer")).toHaveText(/^0:/)));
    const lost = devices.get("Student 02")!;
    await lost.context.setOffline(true);
    await expect(lost.page.locator("[data-check=connection]")).toHaveAttribute("data-state", "attention");
    await expect(lost.page.getByRole("heading", { name: "there is no internet here" })).toBeVisible({ timeout: 40_000 });
    const present = pages.filter((page) => page !== lost.page);
    await Promise.all(present.map((page) => at(page, 1)));
    await lost.context.setOffline(false);
    await at(lost.page, 1);
    const lateOne = await school.entered(late);
    devices.set(late, lateOne);
    await at(lateOne.page, 1);
    // The rule of this sitting: time counts from the start for everyone, and extra time is the candidate's own.
    const begunAt = Date.parse((await call(school.page, "GET", school.path)).sitting.startsAt);
    for (const [name, minutes] of [["Student 01", 20], ["Student 02", 20], ["Student 03", 30], [late, 20]] as const) {
      const { deadline, startedAt } = await standing(devices.get(name)!.page);
      expect(Math.abs(Date.parse(deadline) - begunAt - minutes * 60_000), `${name}: ${startedAt} to ${deadline}`).toBeLessThan(1_000);
    }
    const all = [...devices.values()].map(({ page }) => page);
    for (let first = 0; first < all.length; first += 4) {
      await Promise.all(all.slice(first, first + 4).map(async (page) => {
        await answer(page, "B");
        await finish(page);
      }));
    }
    await Promise.all(all.map((page) => expect(page.getByRole("heading", { name: "The results are not out yet" })).toBeVisible()));
    await school.release();
    const releasedAt = Date.now();
    await Promise.all(all.map((page) => expect(page.getByRole("heading", { name: "Test report" })).toBeVisible()));
    console.log(`${all.length} reports were shown ${Date.now() - releasedAt} ms after the release`);
    await Promise.all(all.map((page) => expect(page.getByText("The results are out.")).toBeAttached()));
  });
});

test("the code on a slip leads in without typing, and is nowhere afterwards", async ({ browser, hall }) => {
  const school = await School.open(browser, hall, [ADA, BO]);
  const { page } = await school.device();
  await page.goto(`${school.address}#${school.code(BO.name)}`);
  await expect(page.getByRole("definition").getByText(BO.name, { exact: true })).toBeVisible();
  expect(page.url()).toBe(new URL(school.address, hall.url).href);
  // Another slip on the same computer leads to its own place, and nobody goes on as somebody else without saying so.
  await page.goto(`${school.address}#${school.code(ADA.name)}`);
  await expect(page.getByRole("button", { name: `Go on with the test of ${BO.name}` })).toBeVisible();
  await page.getByRole("button", { name: "Start my own test" }).click();
  await expect(page.getByRole("definition").getByText(ADA.name, { exact: true })).toBeVisible();
  await page.goto(`${school.address}#${school.code(ADA.name)}`);
  await page.getByRole("button", { name: `Go on with the test of ${ADA.name}` }).click();
  await expect(page.getByRole("definition").getByText(ADA.name, { exact: true })).toBeVisible();
  // Whoever leaves is not led in again.
  await page.getByText("This is not me").click();
  await page.getByRole("button", { name: "Leave the waiting room" }).click();
  await expect(page.getByLabel("Access code")).toHaveValue("");
  const other = await school.device();
  await other.page.goto(`${school.address}#2222-2222`);
  await expect(other.page.getByRole("alert")).toHaveText(/./);
  await expect(other.page.getByLabel("Access code")).toHaveValue("2222-2222");
});

test("the waiting room says who, where, how long and when, and what it has really tried", async ({ browser, hall }) => {
  const school = await School.open(browser, hall, [ADA, BO]);
  const { page } = await school.entered(BO.name);
  await expect(page.getByRole("heading", { name: "Final exam in mathematics" })).toBeFocused();
  for (const fact of ["Bo Tran", "B12", "15", "30 minutes"]) await expect(page.getByRole("definition").getByText(fact, { exact: true })).toBeVisible();
  await ready(page);
  await expect(page.locator("[data-check=connection]")).toContainText(/answers in \d+ ms/);
  await expect(page.locator("[data-check=storage]")).toContainText("keeps your answers");
  await expect(page.locator("[data-check=clock]")).toContainText("is right");
  await expect(page.getByRole("timer")).toHaveText(/^(1:00:00|59:\d\d)$/);
  await school.change({ startsAt: seconds(600) });
  await expect(page.getByRole("timer")).toHaveText(/^(10:00|9:\d\d)$/);
  await check(page, "the waiting room");
});

test("a reload while waiting asks for no code and fetches no paper", async ({ browser, hall }) => {
  const school = await School.open(browser, hall, [ADA]);
  const { page } = await school.entered(ADA.name);
  await ready(page);
  const asked = papersOf(page);
  await page.reload();
  await ready(page);
  await expect(page.getByText("Ada Lovelace")).toBeVisible();
  await school.begin();
  await at(page, 1);
  await answer(page, "C");
  await saving(page, "saved");
  expect(asked).toEqual([]);
  await page.reload();
  await at(page, 1);
  await expect(page.locator("[name=option]:checked")).toHaveValue("C");
});

test("the beginning needs no request and no new socket", async ({ browser, hall }) => {
  const school = await School.open(browser, hall, [ADA]);
  const { page } = await school.device();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  page.on("websocket", (socket) => asked.push(socket.url()));
  await page.clock.install();
  await enter(page, school.address, school.code(ADA.name));
  await ready(page);
  await kept(page);
  await expect.poll(() => asked.join(" "), OFTEN).toMatch(/Overlay-.*render-|render-.*Overlay-/);
  // What these load in turn comes before the beginning, too.
  await page.waitForLoadState("networkidle");
  asked.length = 0;
  await school.begin();
  await at(page, 1);
  await answer(page, "B");
  await saving(page, "saved");
  // What a test loads ahead would be asked for within this time, and before what is asked for then.
  await page.clock.runFor(5_000);
  await page.evaluate(() => fetch("/healthz"));
  expect(asked).toEqual([`${hall.url}/healthz`]);
});

test("a server that is killed and restarted finds its candidates again", async ({ browser, hall }) => {
  const school = await School.open(browser, hall, [ADA]);
  const { page } = await school.entered(ADA.name);
  await ready(page);
  await hall.kill();
  await expect(page.locator("[data-check=connection]")).toHaveAttribute("data-state", "attention");
  await hall.start();
  await ready(page);
  await school.begin();
  await at(page, 1);
});

test("without a network the waiting room is loaded anew, and begins when it is back", async ({ browser, hall }) => {
  const school = await School.open(browser, hall, [ADA]);
  const { page, context } = await school.entered(ADA.name);
  await ready(page);
  await kept(page);
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByRole("heading", { name: "Final exam in mathematics" })).toBeVisible();
  await expect(page.locator("[data-check=paper]")).toHaveAttribute("data-state", "fine");
  await school.begin();
  await context.setOffline(false);
  await at(page, 1);
});

test("by plain http the paper comes at the start, and the page says so", async ({ hall, browser }) => {
  const port = new URL(hall.url).port;
  const plain = `http://exam.test:${port}`;
  await hall.kill();
  hall.options = { ...hall.options, ALLOWED_ORIGINS: plain };
  await hall.start();
  const school = await School.open(browser, hall, [ADA]);
  const launched = await chromium.launch({ executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium", args: ["--no-sandbox", "--host-resolver-rules=MAP exam.test 127.0.0.1"] });
  const page = await (await launched.newContext({ baseURL: plain, locale: "en-GB" })).newPage();
  const asked = papersOf(page);
  await enter(page, school.address, school.code(ADA.name));
  await expect(page.locator("[data-check=paper]")).toContainText("comes when the exam begins");
  expect(await page.evaluate(() => isSecureContext)).toBe(false);
  await expect(page.locator("[data-check=connection]")).toHaveAttribute("data-state", "fine");
  await expect(page.locator(".sum")).toContainText("Everything is ready.");
  await school.begin();
  await at(page, 1);
  await answer(page, "A");
  await saving(page, "saved");
  expect(asked.every((address) => address.endsWith("?open"))).toBe(true);
  await page.reload();
  await at(page, 1);
  await launched.close();
});

test("where sockets are blocked a candidate waits and begins all the same", async ({ browser, hall }) => {
  const school = await School.open(browser, hall, [ADA]);
  const { page } = await school.device();
  await page.routeWebSocket(/\/api\/live$/, (route) => route.close({ code: 3000 }));
  await enter(page, school.address, school.code(ADA.name));
  await expect(page.locator("[data-check=connection]")).toContainText("by a detour");
  await ready(page);
  await school.begin();
  await at(page, 1);
  await answer(page, "D");
  await saving(page, "saved");
});

test("before the doors the page counts down, and enters by itself", async ({ browser, hall }) => {
  const doorsAt = seconds(200);
  const school = await School.open(browser, hall, [ADA], { doorsAt });
  const { page } = await school.device();
  await page.clock.install();
  // By the page's own clock, at the moment when it asks.
  await page.addInitScript(() => {
    const [enteredAt, { fetch }] = [[] as number[], window];
    window.fetch = (...asked) => {
      if (String(asked[0]).endsWith("/api/live")) enteredAt.push(Date.now());
      return fetch(...asked);
    };
    Object.assign(window, { enteredAt });
  });
  const enteredAt = () => page.evaluate(() => (window as unknown as { enteredAt: number[] }).enteredAt);
  await enter(page, school.address, school.code(ADA.name));
  const closed = page.getByRole("heading", { name: "The doors are not open yet" });
  await expect(closed).toBeFocused();
  await expect(page.getByRole("timer")).toContainText(/[23]:\d\d/);
  // Nobody tells the page that they are open now, so it enters when its own countdown has ended, and not before.
  await school.change({ doorsAt: seconds(-1) });
  await page.clock.fastForward(165_000);
  await expect(page.getByRole("timer")).toContainText(/0:\d\d/);
  await check(page, "before the doors");
  await expect(closed).toBeVisible();
  expect(await enteredAt()).toHaveLength(1);
  await passUntil(page, () => page.getByRole("heading", { name: "Final exam in mathematics" }).isVisible(), 40);
  const [, secondAt] = await enteredAt();
  expect(secondAt).toBeGreaterThanOrEqual(Date.parse(doorsAt));
});

test("what is wrong with a code is said in one sentence, and the field is where it is mended", async ({ browser, hall }) => {
  const school = await School.open(browser, hall, [ADA], { entryUntil: seconds(3_700) });
  const { page } = await school.device();
  await page.goto(school.address);
  const field = page.getByLabel("Access code");
  const tries = [
    ["", "Please type your access code."],
    ["9f3k tt2", "This one has 7."],
    ["9f3k-tt0m", "“0”"],
    ["2222-2222", "does not fit this exam"],
  ] as const;
  for (const [typed, sentence] of tries) {
    await field.fill(typed);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("alert")).toContainText(sentence);
    await expect(field).toBeFocused();
  }
  await check(page, "a wrong code");
  // As the keyboards of East Asia write it: wide letters, and their own dash.
  const wide = school.code(ADA.name).replace(/[0-9A-Z]/g, (letter) => String.fromCodePoint((letter.codePointAt(0) as number) + 0xfee0)).replace("-", "ー");
  await field.fill(` ${wide}\u200b`);
  await expect(field).toHaveValue(school.code(ADA.name));
  // As a student types it: small letters, no hyphen.
  await field.fill("");
  await field.pressSequentially(school.code(ADA.name).replace("-", "").toLowerCase());
  await expect(field).toHaveValue(school.code(ADA.name));
  await page.keyboard.press("Enter");
  await expect(page.getByText("Ada Lovelace")).toBeVisible();
});

test("an entry without an answer is repeated by itself, also by a page that is loaded again", async ({ browser, hall }) => {
  const school = await School.open(browser, hall, [ADA]);
  const { page } = await school.device();
  let isCut = true;
  const keys: string[] = [];
  const askedAt: number[] = [];
  await page.route(/\/api\/live$/, async (route) => {
    keys.push(route.request().postDataJSON().key);
    askedAt.push(Date.now());
    // The server hears it, and the page does not hear the server.
    if (isCut) await route.fetch();
    return isCut ? route.abort() : route.continue();
  });
  await enter(page, school.address, school.code(ADA.name));
  await expect(page.getByRole("alert")).toContainText("can’t be reached");
  await page.reload();
  await expect(page.getByRole("alert")).toContainText("can’t be reached");
  const first = askedAt.length;
  await expect.poll(() => askedAt.length, OFTEN).toBeGreaterThanOrEqual(first + 3);
  // The page asks again half a second after its first failure at most, and a second after its third at least.
  expect(askedAt[first + 2]! - askedAt[first + 1]!, "the pauses grow").toBeGreaterThan(900);
  isCut = false;
  await ready(page);
  expect(new Set(keys).size).toBe(1);
});

test("after the entry has ended a proctor lets in who is late, and their page enters by itself", async ({ browser, hall }) => {
  const school = await School.open(browser, hall, [ADA], { start: "proctor", entryUntil: seconds(3_700) });
  await school.begin();
  await school.change({ entryUntil: seconds(-1) });
  const { page } = await school.device();
  await page.clock.install();
  await enter(page, school.address, school.code(ADA.name));
  await expect(page.getByRole("alert")).toContainText("The time for entering this exam is over.");
  await check(page, "the entry has ended");
  await school.change({ entryUntil: seconds(3_700) });
  // The page asks every ten seconds.
  await passUntil(page, () => page.getByRole("heading", { name: /^Question 1 of/ }).isVisible(), 15);
});

test("a second device takes the place over, it can be taken back, and no link gives the exam to anyone else", async ({ browser, hall }) => {
  const school = await School.open(browser, hall, [ADA]);
  const first = await school.entered(ADA.name);
  await ready(first.page);
  const second = await school.entered(ADA.name);
  await ready(second.page);
  await expect(first.page.getByRole("heading", { name: "open somewhere else" })).toBeVisible();
  await first.page.getByRole("button", { name: "Continue here" }).click();
  await ready(first.page);
  await expect(second.page.getByRole("heading", { name: "open somewhere else" })).toBeVisible();
  await school.begin();
  await at(first.page, 1);
  const { token } = await continuation(first.page);
  await first.page.getByRole("button", { name: "Help" }).click();
  await expect(first.page.getByRole("dialog")).toContainText("You go on there with your slip or your sign-in, or with a code from your teacher.");
  await expect(first.page.getByRole("button", { name: "Copy the link" })).toHaveCount(0);
  const readable = await first.page.evaluate(() => [document.documentElement.outerHTML, location.href, ...[...document.querySelectorAll("input")].map(({ value }) => value)].join());
  expect(readable).not.toContain(token);
  await check(first.page, "help in a sitting");
});

test("at a shared computer the next candidate enters in their own name", async ({ browser, hall }) => {
  const school = await School.open(browser, hall, [ADA, BO]);
  const { page, context } = await school.entered(ADA.name);
  await ready(page);
  const other = await context.newPage();
  await other.goto(school.address);
  await expect(other.getByRole("button", { name: "Go on with the test of Ada Lovelace" })).toBeVisible();
  await other.getByRole("button", { name: "Start my own test" }).click();
  await other.getByLabel("Access code").fill(school.code(BO.name));
  await other.getByRole("button", { name: "Enter", exact: true }).click();
  await ready(other);
  await school.begin();
  await Promise.all([at(page, 1), at(other, 1)]);
  expect((await continuation(page)).sessionId).not.toBe((await continuation(other)).sessionId);
});

test("with a proctor's start it begins when they say so, and a message reaches who waits", async ({ browser, hall }) => {
  const school = await School.open(browser, hall, [ADA], { start: "proctor" });
  const { page } = await school.entered(ADA.name);
  await expect(page.getByRole("heading", { name: "The exam begins when your teacher says so" })).toBeVisible();
  await ready(page);
  await check(page, "waiting for the teacher");
  const { sessionId } = await continuation(page);
  await call(school.page, "POST", `/api/live/sessions/${sessionId}/orders`, { id: "1", type: "notice", text: "Phones away, please." });
  await expect(page.getByRole("region", { name: "Message" })).toContainText("Message from your teacher: Phones away, please.");
  // A button that has just come is deaf for a moment, so that nobody presses it by accident.
  await expect(async () => {
    const message = page.getByRole("region", { name: "Message" });
    if (await message.isVisible()) await page.getByRole("button", { name: "Close" }).click({ timeout: 1_000 });
    await expect(message).toBeHidden({ timeout: 1_000 });
  }).toPass();
  await school.begin();
  await at(page, 1);
});

test("an exam that goes on elsewhere leads to the page of the sitting", async ({ browser, hall }) => {
  const school = await School.open(browser, hall, [ADA]);
  const first = await school.entered(ADA.name);
  await ready(first.page);
  const { sessionId, token } = await continuation(first.page);
  const { page } = await school.device();
  await page.goto(`/continue#${sessionId}.${token}`);
  await ready(page);
  expect(new URL(page.url()).pathname).toBe(`/s/${school.sitting.id}`);
  expect(new URL(page.url()).hash).toBe("");
  await school.begin();
  await at(page, 1);
  // A device on which nobody has waited learns from the server whose exam it is, and which.
  const begun = await continuation(page);
  const { page: third } = await school.device();
  await third.goto(`/continue#${begun.sessionId}.${begun.token}`);
  await at(third, 1);
  await expect(third.locator("header .title")).toHaveText("Final exam in mathematics");
  await expect(third.locator("header")).toContainText(ADA.name);
});

test("who is signed in sees their sittings, enters without a code, and comes to the result", async ({ browser, hall }) => {
  const school = await School.open(browser, hall, [{ name: "Ada Lovelace", email: "ada@school.example" }], { doorsAt: seconds(12) });
  const { page } = await school.device();
  await page.goto("/sittings");
  await expect(page.getByRole("heading", { name: "Please sign in to see your exams." })).toBeVisible();
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByLabel("E-mail address").fill("ada@school.example");
  await page.getByLabel("Name").fill("Ada Lovelace");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "My exams" })).toBeVisible();
  await expect(page.getByText("You can enter from")).toBeVisible();
  await check(page, "my exams");
  const calendar = await page.request.get((await page.getByRole("link", { name: "Put into my calendar" }).getAttribute("href")) ?? "");
  expect(await calendar.text()).toContain("BEGIN:VEVENT");
  await page.getByRole("link", { name: "Enter: Final exam in mathematics" }).click({ timeout: 40_000 });
  await page.getByRole("button", { name: "Enter as Ada Lovelace" }).click();
  await ready(page);
  await school.begin();
  await at(page, 1);
  // At another computer, which has seen nothing of it, the head says whose exam it is, and which.
  const { page: second } = await school.device({ storageState: await page.context().storageState() });
  await second.goto(school.address);
  await second.getByRole("button", { name: "Enter as Ada Lovelace" }).click();
  await at(second, 1);
  await expect(second.locator(".where")).toContainText("Final exam in mathematics");
  await expect(second.locator(".where")).toContainText("Ada Lovelace");
  await page.getByRole("button", { name: "Continue here" }).click();
  await at(page, 1);
  await finish(page);
  await page.goto("/sittings");
  await expect(page.getByText("The results are not out yet.")).toBeVisible();
  await school.release();
  await page.reload();
  await page.getByRole("link", { name: "See my report" }).click();
  await expect(page.getByRole("heading", { name: "Test report" })).toBeVisible();
});

test("with the keyboard alone, in Vietnamese, on a narrow phone", async ({ browser, hall }) => {
  const school = await School.open(browser, hall, [ADA]);
  const { page } = await school.device({ locale: "vi-VN", viewport: { width: 320, height: 640 } });
  await page.goto(school.address);
  await expect(page.getByLabel("Mã vào phòng thi")).toBeVisible();
  await check(page, "the entry in Vietnamese");
  for (let turn = 0; turn < 8 && !(await page.getByLabel("Mã vào phòng thi").evaluate((field) => field === document.activeElement)); turn += 1) await page.keyboard.press("Tab");
  await page.keyboard.type(school.code(ADA.name));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Final exam in mathematics" })).toBeFocused();
  await ready(page);
  await expect(page.getByText("Bài thi bắt đầu sau")).toBeVisible();
  await check(page, "the waiting room in Vietnamese");
  await school.begin();
  await expect(page.getByRole("heading", { name: /^Câu 1/ })).toBeFocused();
});

test("an adaptive exam opens its second part with the key that comes then", async ({ browser, hall }) => {
  const admin = await (await browser.newContext({ baseURL: hall.url })).newPage();
  await signInAsAdmin(admin);
  const targets = { 1: 4, 2: 4, 3: 4, 4: 4, 5: 4 };
  const bands = Object.fromEntries(["90-100", "80-90", "70-80", "60-70", "below-60"].map((band) => [band, targets]));
  const body = { name: "Two parts", grades: [5], mode: "adaptive", durationMinutes: 70, session1Targets: targets, session2TargetsByBand: bands };
  const { template } = await call(admin, "POST", "/api/admin/test-templates", body);
  const school = await School.open(browser, hall, [ADA], { templateId: template.id });
  const { page } = await school.entered(ADA.name);
  const asked = papersOf(page);
  await ready(page);
  await school.begin();
  await at(page, 1);
  for (let turn = 0; turn < 20; turn += 1) await page.keyboard.press("ArrowRight");
  await page.locator("main").getByRole("button", { name: "Go on to part 2" }).click();
  await page.getByRole("button", { name: "Yes, go on to part 2" }).click();
  await expect(page.getByText("Part 2 of 2")).toBeVisible();
  await expect(page.locator("#question-text")).toBeVisible();
  await page.reload();
  await expect(page.getByText("Part 2 of 2")).toBeVisible();
  await expect(page.locator("#question-text")).toBeVisible();
  expect(asked.filter((address) => address.includes("open"))).toEqual([]);
});

test("stubbed: time that is stopped is said large, from the waiting room into the exam, and the paper stays closed", async ({ browser, hall }) => {
  test.setTimeout(120_000);
  const school = await School.open(browser, hall, [ADA]);
  const { page } = await school.device();
  let [isStopped, word] = [false, "Fire alarm"];
  let waiting: object = {};
  let tell = (_: object) => {};
  const stopped = () => (isStopped ? { paused: { since: new Date().toISOString(), text: word } } : {});
  await page.routeWebSocket(/\/api\/live$/, (route) => {
    const server = route.connectToServer();
    tell = (frame) => route.send(JSON.stringify(frame));
    route.onMessage((message) => server.send(message));
    server.onMessage((message) => {
      const frame = JSON.parse(String(message));
      if (frame.type === "waiting") waiting = frame;
      route.send(JSON.stringify(frame.type === "waiting" ? { ...frame, ...stopped() } : frame.state === "active" && isStopped ? { ...frame, state: "paused" } : frame));
    });
  });
  await enter(page, school.address, school.code(ADA.name));
  await ready(page);
  const said = page.getByRole("status").getByText("Time is stopped: Fire alarm.");

  isStopped = true;
  tell({ ...waiting, ...stopped() });
  await expect(said).toHaveText(/^Time is stopped: Fire alarm\. No time is lost/);
  await expect(page.locator("[data-stopped]")).toContainText("Time is stopped: Fire alarm");
  await expect(page.getByRole("timer")).toHaveCount(0);
  for (const width of [1366, 820, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await check(page, `time is stopped in the waiting room, at ${width}`);
  }
  await school.begin();
  const heading = page.getByRole("heading", { name: "Time is stopped: Fire alarm" });
  await expect(heading).toBeFocused();
  await expect(page.getByRole("radio").first()).toBeHidden();
  await check(page, "time is stopped in the exam");
  word = "Mất điện";
  tell({ type: "paused", text: word });
  await expect(page.getByRole("heading", { name: "Time is stopped: Mất điện" }).locator("[lang=vi]")).toHaveText(word);
  await page.emulateMedia({ forcedColors: "active" });
  await check(page, "in forced colours");
  isStopped = false;
  tell({ type: "unpaused", remainingMs: 1_200_000, deadline: new Date(Date.now() + 1_200_000).toISOString() });
  await at(page, 1);
  await answer(page, "B");
  await saving(page, "saved");
});
