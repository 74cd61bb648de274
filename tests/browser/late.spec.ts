// Work that comes after the end of a test, because the network was away: it is kept, and counts once somebody accepts it. The
// file by which it comes without any network is taken once, and only whole.

import { readFile } from "node:fs/promises";
import type { Browser, Page } from "@playwright/test";
import { expect, test, type Hall } from "./hall";
import { answer, call, goOn, kept, next, OFTEN, passUntil, saving, SHORT, signInAsAdmin, start, TOLD_AFTER } from "./student";

const ANSWERED_OFFLINE = 9;
/** Longer than the server keeps what comes late: a weekend. */
const WEEKEND_MINUTES = 50 * 60;

/** A page of staff, in a browser of its own. */
async function staff(browser: Browser, hall: Hall): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: hall.url })).newPage();
  await signInAsAdmin(page);
  return page;
}

/** Answers the first question, goes offline five minutes before the end, answers the others, and works on until the end. */
async function offlineAtTheEnd(page: Page, browser: Browser, hall: Hall): Promise<void> {
  await page.clock.install();
  await start(page);
  await answer(page, "A");
  await saving(page, "saved");
  await kept(page);
  // What the file needs is loaded ahead.
  await page.clock.runFor(5_000);
  await hall.kill();
  await hall.start(10);
  await page.clock.runFor(10_000);
  await saving(page, "saved");
  await page.context().setOffline(true);
  for (let number = 0; number < ANSWERED_OFFLINE; number += 1) {
    await next(page);
    await answer(page, "A");
  }
  await saving(page, "offline");
  // The server is there when the time is over, since what it takes itself is given back.
  await hall.kill();
  await hall.start(14.8);
  const head = await staff(browser, hall);
  await expect.poll(async () => (await call(head, "GET", "/api/sessions")).length, { ...OFTEN, timeout: 45_000 }).toBe(1);
  await hall.kill();
  await hall.start(20);
  await page.clock.runFor(6 * 60_000);
  await expect(page.getByText("Leave this page open: the others are kept here, and sent when the internet is back.")).toBeVisible();
}

/** The text of the file that the page offers. */
async function savedFile(page: Page): Promise<string> {
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as a file" }).click();
  const download = await downloading;
  await expect(page.getByText("Saved. Give the file to your teacher")).toBeVisible();
  return readFile(await download.path(), "utf8");
}

async function right(page: Page, sessionId: string): Promise<number> {
  const session = await call(page, "GET", `/api/sessions/${sessionId}`);
  return session.result.answers.filter(({ correct, selected }: Record<string, string>) => correct === "A" && selected === "A").length;
}

test("what was done offline until after the end counts once it is accepted", async ({ page, browser, hall }) => {
  test.setTimeout(180_000);
  await offlineAtTheEnd(page, browser, hall);
  const { sessionId } = JSON.parse(await savedFile(page)) as { sessionId: string };
  await page.context().setOffline(false);
  await page.clock.runFor(30_000);
  await expect(page.getByText(`${ANSWERED_OFFLINE} changes reached the server after the end of the test. Nothing is lost`)).toBeVisible({ timeout: 30_000 });
  const head = await staff(browser, hall);
  const late = await call(head, "GET", `/api/live/sessions/${sessionId}/late`);
  expect(late.changes).toHaveLength(ANSWERED_OFFLINE);
  // What was done before the page noticed that it was offline has no time of its own.
  const claimed = late.changes.filter(({ at }: { at: string | null }) => at !== null);
  expect(claimed.length).toBeGreaterThan(ANSWERED_OFFLINE / 2);
  expect(claimed.every(({ at, receivedAt }: Record<string, string>) => at! < receivedAt!)).toBe(true);
  // The student has been to the report by now, but the work came before.
  const decided = await call(head, "POST", `/api/live/sessions/${sessionId}/late`, { decision: "accept", comment: "The network was away", seen: late.seen, force: true });
  expect(decided).toMatchObject({ version: 2, accepted: late.seen });
  const { versions } = await call(head, "GET", `/api/sessions/${sessionId}/versions`);
  expect(versions[1].comment, "nothing is said of answers that were not seen before").toBe("The network was away");
  // The score is that of one who was online, and has answered every question in the same way.
  const session = await call(head, "GET", `/api/sessions/${sessionId}`);
  expect(session.result.answers.map(({ selected }: { selected: string }) => selected)).toEqual(Array.from({ length: 10 }, () => "A"));
  expect(session.result.correctAnswers).toBe(await right(head, sessionId));
  expect(session).toMatchObject({ version: 2, reason: "late_work" });
});

test("without any network a file is handed in, once and whole", async ({ page, browser, hall }) => {
  test.setTimeout(180_000);
  await offlineAtTheEnd(page, browser, hall);
  const text = await savedFile(page);
  const file = JSON.parse(text) as Record<string, string>;
  const head = await staff(browser, hall);
  const refused = async (body: unknown, code: string, status: number, query = "") =>
    expect((await call(head, "POST", `/api/live/late-files${query}`, body, status)).code).toBe(code);
  const other = (data: string) => data.slice(0, 20) + (data[20] === "A" ? "B" : "A") + data.slice(21);
  await refused({ ...file, data: other(file["data"]!) }, "file_altered", 400);
  await refused(file, "file_of_other_session", 409, "?sessionId=00000000-0000-4000-8000-000000000000");
  await refused({ ...file, key: "another" }, "file_of_other_server", 409);
  const taken = await call(head, "POST", "/api/live/late-files", file);
  expect(taken).toMatchObject({ sessionId: file["sessionId"] });
  expect(taken.added).toBeGreaterThanOrEqual(ANSWERED_OFFLINE);
  await refused(file, "file_known", 409);
  const decided = await call(head, "POST", `/api/live/sessions/${file["sessionId"]}/late`, { decision: "accept", comment: "" });
  expect(decided).toMatchObject({ version: 2, accepted: taken.added });
  expect((await call(head, "GET", `/api/sessions/${file["sessionId"]}`)).result.answers.every(({ selected }: { selected: string }) => selected === "A")).toBe(true);
});

test("what comes after a weekend is kept by the device, until it is saved as a file and handed in", async ({ page, browser, hall }) => {
  test.setTimeout(180_000);
  await offlineAtTheEnd(page, browser, hall);
  await hall.kill();
  await hall.start(WEEKEND_MINUTES);
  await page.context().setOffline(false);
  await page.clock.runFor(30_000);
  const loss = page.getByText(`${ANSWERED_OFFLINE} changes did not reach the server in time.`);
  await expect(loss).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText("What is missing is still on this device.")).toBeVisible();
  // Reading the report deletes nothing.
  await page.getByRole("link", { name: "See my report" }).click();
  await page.waitForURL(/\/report\//);
  await page.goto(SHORT);
  await goOn(page);
  await passUntil(page, () => loss.isVisible(), TOLD_AFTER);
  const anew = page.getByRole("button", { name: "Start a new test" });
  await expect(page.getByRole("button", { name: "Delete it from this device" })).toBeVisible();
  await expect(anew).toHaveCount(0);
  const file = JSON.parse(await savedFile(page)) as Record<string, string>;
  const head = await staff(browser, hall);
  const taken = await call(head, "POST", "/api/live/late-files", file);
  expect(taken.added).toBeGreaterThanOrEqual(ANSWERED_OFFLINE);
  await anew.click();
  await expect(page.getByRole("button", { name: "Start the test" })).toBeVisible();
});

test("who hands in without a network has the file at once, as the room may have been ended meanwhile", async ({ page, browser, hall }) => {
  // What the file needs is loaded ahead.
  const isAhead = (kind: string) => page.waitForEvent("requestfinished", (request) => new RegExp(`/assets/late-[^/]+\\.${kind}$`).test(request.url()));
  const ahead = Promise.all(["js", "css"].map(isAhead));
  await start(page);
  await saving(page, "saved");
  await kept(page);
  await ahead;
  await page.context().setOffline(true);
  await answer(page, "D");
  for (let turn = 0; turn < 10; turn += 1) await page.keyboard.press("ArrowRight");
  await saving(page, "offline");
  await page.locator("main").getByRole("button", { name: "Hand in" }).click();
  await page.getByRole("button", { name: "Yes, hand in" }).click();
  await expect(page.getByRole("button", { name: "Keep working" })).toHaveAttribute("aria-disabled", "false");
  await expect(page.getByText("or your teacher has ended the test for everyone")).toBeVisible();
  const file = JSON.parse(await savedFile(page)) as Record<string, string>;
  const head = await staff(browser, hall);
  expect((await call(head, "POST", "/api/live/late-files", file, 409)).code).toBe("not_submitted");
  await call(head, "POST", `/api/live/sessions/${file["sessionId"]}/orders`, { id: "end", type: "finish" });
  await expect.poll(async () => (await call(head, "GET", "/api/sessions")).length, OFTEN).toBe(1);
  const taken = await call(head, "POST", "/api/live/late-files", file);
  expect(taken.added).toBeGreaterThan(0);
  const { changes } = await call(head, "GET", `/api/live/sessions/${file["sessionId"]}/late`);
  expect(changes).toHaveLength(1);
});
