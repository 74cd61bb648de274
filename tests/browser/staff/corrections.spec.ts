// Corrected keys: found by their figures, corrected from the page of results, seen by those who gain, and taken back.

import { readFileSync } from "node:fs";
import type { APIRequestContext, Browser, Locator, Page } from "@playwright/test";
import { check } from "../accessible";
import { altered, lost } from "../answers";
import { takePicture, WITH_PICTURES } from "../documentation";
import { expect, test, type Hall } from "../hall";
import { School } from "../sitting";
import { call } from "../student";
import { after, allRight, entered, handsIn, keysOf, type Answering } from "./answered";

/** The place of the question whose key is wrong, from 0. */
const WRONG = 3;
const LABEL = `Question ${WRONG + 1}`;

const results = (school: School) => `/staff/results?sittingId=${school.sitting.id}`;
const article = (page: Page) => page.getByRole("article", { name: LABEL, exact: true });
const dialogOf = (page: Page) => page.getByRole("dialog", { name: `Correct the key of question ${WRONG + 1}` });
const corrections = (page: Page) => page.getByRole("region", { name: "Corrected keys" });
// The letter alone, since to `\b` the letter of "Còn phương án khác" ends before its accent.
const option = (dialog: Locator, letter: string) => dialog.locator(`input[type="radio"][value="${letter}"]`);

interface Sat {
  school: School;
  /** Of each student's test. */
  sessions: Map<string, string>;
  /** By which the tests are graded at first, and the option that is right in truth. */
  key: string;
  right: string;
}

/** A sitting that these have sat and handed in, each with these answers. */
async function sat(browser: Browser, hall: Hall, request: APIRequestContext, answering: Map<string, Answering>): Promise<Sat> {
  const names = [...answering.keys()];
  const school = await School.open(browser, hall, names.map((name, index) => ({ name, room: "B12", seat: String(index + 1) })));
  const keys = await keysOf(school.page);
  const attempts = await Promise.all(names.map(async (name) => [name, await entered(request, school, name)] as const));
  await school.begin();
  for (const [name, attempt] of attempts) await handsIn(request, attempt, keys, answering.get(name) ?? allRight);
  const { questions } = await call(school.page, "GET", `/api/manager/results?sittingId=${school.sitting.id}`);
  const key: string = questions[WRONG].correct;
  return { school, sessions: new Map(attempts.map(([name, { sessionId }]) => [name, sessionId])), key, right: after(key) };
}

/** In a class of thirty most know better than the key, and the weak ones go by it. */
function thirty(): Map<string, Answering> {
  const answering = (index: number): Answering => (key, place) => {
    if (place === WRONG) return index < 24 ? after(key) : index < 28 ? key : index === 28 ? null : after(after(key));
    return index < 24 || place % 2 === 0 ? key : after(key);
  };
  return new Map(Array.from({ length: 30 }, (_, index) => [`Student ${String(index + 1).padStart(2, "0")}`, answering(index)]));
}

/** From the question to what a correction of its key would change. */
async function tries(page: Page, right: string, isMended: boolean): Promise<Locator> {
  await article(page).getByRole("button", { name: "Correct the key…" }).click();
  const dialog = dialogOf(page);
  await dialog.getByRole("radio", { name: "Another option is right" }).check();
  await option(dialog, right).check();
  await dialog.getByRole("checkbox", { name: "Change the key in the question bank too" }).setChecked(isMended);
  await dialog.getByRole("button", { name: "See what it changes" }).click();
  await expect(dialog.getByRole("heading", { name: "What this changes" })).toBeFocused();
  return dialog;
}

async function isFinished(page: Page): Promise<void> {
  await expect(corrections(page).locator("[data-correction]").first()).toHaveAttribute("data-finished", "true");
}

const ofReport = (page: Page) => page.getByRole("article", { name: LABEL, exact: true });

test("whoever gains by a corrected key is told so, whoever would lose hears of nothing, and all of it is taken back", async ({ browser, hall, request }) => {
  const gains: Answering = (key, place) => (place === WRONG ? after(key) : place === 0 ? null : key);
  const answers = new Map<string, Answering>([["Gina Gains", gains], ["Lars Loses", allRight], ["Sam Same", (key, place) => (place === WRONG ? null : key)]]);
  const { school, sessions, key, right } = await sat(browser, hall, request, answers);
  await school.release();
  const { page } = school;
  await page.goto(`${results(school)}&view=questions`);
  // Of three students' answers nothing is claimed, and the key can be corrected all the same.
  await expect(article(page)).not.toContainText("Is the key wrong?");
  const dialog = await tries(page, right, false);
  await expect(dialog.locator("[data-trial] dd")).toHaveText(["1", "0", "2"]);
  await expect(dialog).toContainText("1 result would fall, and stays as it is.");
  await expect(dialog).toContainText("The results are released: students see the new one at once");
  const largest = dialog.getByRole("row").filter({ hasText: "Gina Gains" });
  await expect(largest).toContainText(/\+\d/);
  await expect(dialog.getByRole("row").filter({ hasText: "Lars Loses" })).toHaveCount(0);
  // Nothing has been done by then.
  await dialog.getByRole("button", { name: "Back" }).click();
  await dialog.getByRole("textbox", { name: "Comment" }).fill("The book has it so");
  await dialog.getByRole("button", { name: "See what it changes" }).click();
  await dialog.getByRole("button", { name: "Correct 1 result" }).click();
  await expect(dialog).toBeHidden();
  await expect(corrections(page)).toContainText(`${LABEL}: ${right} is right in this sitting`);
  await expect(corrections(page)).toContainText("The book has it so");
  await isFinished(page);
  await check(page, "a correction in the list");

  const student = (await school.device()).page;
  await student.goto(`/report/${sessions.get("Gina Gains")}`);
  await expect(student.getByText(/^This result was changed, because the key of a question was corrected\. The score was \d+ before\.$/)).toBeVisible();
  await expect(ofReport(student)).toContainText("The key of this question was corrected after the test.");
  await expect(ofReport(student).locator("li.correct")).toContainText(right);
  await expect(student.getByText("The book has it so")).toHaveCount(0);
  await check(student, "the report of one who gained");
  await student.getByRole("link", { name: "Sheet for parents" }).click();
  await expect(student.getByText("This result was changed, because the key of a question was corrected.")).toBeVisible();

  await student.goto(`/report/${sessions.get("Lars Loses")}`);
  await expect(ofReport(student).locator("li.correct")).toContainText(key);
  await expect(student.getByText("This result was changed")).toHaveCount(0);
  await expect(student.getByText("was corrected")).toHaveCount(0);

  // Staff see which results are not the first ones, and why.
  await page.getByRole("link", { name: "Students (3)" }).click();
  await expect(page.getByRole("row").filter({ hasText: "Gina Gains" })).toContainText("2. result · Key corrected");
  await expect(page.getByRole("row").filter({ hasText: "Lars Loses" })).not.toContainText("result");
  await check(page, "a changed result among the students");
  await page.getByRole("button", { name: /^2\. result · Key corrected: Results of Gina Gains/ }).click();
  await expect(page.getByRole("dialog", { name: "Results of Gina Gains" }).getByRole("row").last()).toContainText("The book has it so");
  await page.keyboard.press("Escape");

  await corrections(page).getByRole("button", { name: /^Take back/ }).click();
  const sure = page.getByRole("dialog", { name: "Take this correction back?" });
  await check(page, "before a correction is taken back");
  await sure.getByRole("button", { name: "Take the correction back" }).click();
  await expect(corrections(page)).toContainText("Taken back by");
  await isFinished(page);
  await expect(page.getByRole("row").filter({ hasText: "Gina Gains" })).toContainText("3. result · Change taken back");
  await student.goto(`/report/${sessions.get("Gina Gains")}`);
  await expect(student.getByText("This result was changed, because an earlier change was taken back.")).toBeVisible();
  await expect(ofReport(student)).not.toContainText("was corrected");
});

test("a wrong key of a class of thirty is found by its figures, corrected, released and exported from the pages alone", WITH_PICTURES, async ({ browser, hall, request }) => {
  const { school, key, right } = await sat(browser, hall, request, thirty());
  const { page } = school;
  const begun = Date.now();
  await page.goto("/staff/results");
  await page.getByRole("link", { name: "Final exam in mathematics" }).click();
  await page.getByRole("link", { name: "Questions (10)" }).click();
  await expect(article(page)).toContainText(`Is the key wrong? 24 chose ${right}, and only 4 were right. Students who did well in the rest`);
  await expect(page.getByRole("article").filter({ hasText: "Is the key wrong?" })).toHaveCount(1);
  const dialog = await tries(page, right, true);
  await expect(dialog.locator("[data-trial] dd")).toHaveText(["24", "0", "6"]);
  await expect(dialog).toContainText("4 results would fall, and stay as they are.");
  await takePicture(page, "staff-correction");
  await dialog.getByRole("button", { name: "Correct 24 results" }).click();
  await isFinished(page);
  await expect(article(page)).toContainText("Key corrected");
  await expect(article(page)).toContainText("28 of 30 were right");
  await expect(article(page)).not.toContainText("Is the key wrong?");
  await page.getByRole("link", { name: "To the sitting" }).click();
  await page.getByRole("button", { name: "Release results (30)" }).click();
  await page.getByRole("dialog").getByRole("button", { name: /^Release/ }).click();
  await expect(page.getByText("The results of 30 candidates are released.")).toBeVisible();
  await page.getByRole("link", { name: "See the results" }).click();
  const saving = page.waitForEvent("download");
  await page.getByRole("link", { name: "Save 30 results as csv" }).click();
  const table = readFileSync(await (await saving).path(), "utf8").split("\n");
  console.log(`a wrong key of a class of thirty, from the choice of the sitting to the file: ${((Date.now() - begun) / 1_000).toFixed(1)} s`);

  expect(table.find((line) => line.includes("Student 01"))).toContain("800");
  expect(table.filter((line) => line.includes("Student "))).toHaveLength(30);
  // The question itself was mended in the same step, and the log says so.
  const { questions } = await call(page, "GET", `/api/manager/results?sittingId=${school.sitting.id}`);
  const keys = await keysOf(page);
  expect([keys.get(questions[WRONG].id), questions[WRONG].correct]).toEqual([right, right]);
  const { editLog } = await call(page, "GET", "/api/review/edit?grade=5");
  expect(editLog[0].changes).toEqual([{ field: "Answer", before: key, after: right }]);
});

test("before a release a question that looks wrong is named, and one click leads to it", async ({ browser, hall, request }) => {
  const { school, right } = await sat(browser, hall, request, thirty());
  const { page } = school;
  await page.goto(`/staff/sittings/${school.sitting.id}`);
  await page.getByRole("button", { name: "Release results (30)" }).click();
  const dialog = page.getByRole("dialog", { name: "Release the results of 30 candidates?" });
  await expect(dialog.getByText("A question looks wrong. Look at it before students see their results:")).toBeVisible();
  await expect(dialog.getByRole("listitem")).toHaveText([new RegExp(`^${LABEL}\\.\\s+24 chose ${right}, and only 4 were right\\.`)]);
  await check(page, "a release with a question that looks wrong");
  await dialog.getByRole("link", { name: LABEL }).click();
  await expect(article(page).getByRole("heading", { name: LABEL })).toBeFocused();
  await expect(article(page)).toContainText("Is the key wrong?");
  // Nothing has been released on the way, and a key that was corrected is no doubt any more.
  const trial = await tries(page, right, false);
  await trial.getByRole("button", { name: "Correct 24 results" }).click();
  await isFinished(page);
  await page.getByRole("link", { name: "To the sitting" }).click();
  const looked = page.waitForResponse(/\/api\/manager\/results\/figures\?sittingId=/);
  await page.getByRole("button", { name: "Release results (30)" }).click();
  await (await looked).finished();
  await expect(dialog.getByText("Looking whether")).toHaveCount(0);
  await expect(dialog.getByRole("listitem")).toHaveCount(0);
});

test("a release waits for the look at its questions, but not for long, and one by the clock is warned of on the page", async ({ browser, hall, request }) => {
  const { school, right } = await sat(browser, hall, request, thirty());
  const { page } = school;
  let letGo = () => {};
  const gate = new Promise<void>((done) => (letGo = done));
  await page.route(/\/api\/manager\/results\/figures\?/, async (route) => {
    await gate;
    await route.continue();
  });
  await page.goto(`/staff/sittings/${school.sitting.id}`);
  await page.getByRole("button", { name: "Release results (30)" }).click();
  const dialog = page.getByRole("dialog", { name: "Release the results of 30 candidates?" });
  const sure = dialog.getByRole("button", { name: "Release results (30)" });
  await expect(sure).toBeDisabled();
  await expect(sure).toBeEnabled({ timeout: 15_000 });
  await expect(dialog.getByText("You can release the results without waiting for it.")).toBeVisible();
  letGo();
  await expect(dialog.getByRole("listitem")).toHaveText([new RegExp(`^${LABEL}\\.\\s+24 chose ${right}, and only 4 were right\\.`)]);
  await expect(sure).toBeEnabled();
  await page.keyboard.press("Escape");

  const atTime = new Date(Date.now() + 48 * 3_600_000).toISOString();
  const altering = await altered(page, new RegExp(`/api/admin/sittings/${school.sitting.id}$`), ({ sitting, ...rest }) => ({ ...rest, sitting: { ...sitting, results: atTime } }));
  await page.reload();
  const card = page.getByRole("region", { name: "Results" });
  await expect(card.getByText("A question looks wrong. Look at it before students see their results:")).toBeVisible();
  await expect(card.getByRole("link", { name: LABEL })).toBeVisible();
  altering.stop();
});

test("a reload or a power cut in the middle of a correction loses nothing of it", async ({ browser, hall, request }) => {
  const { school, right } = await sat(browser, hall, request, thirty());
  const { page } = school;
  await page.goto(`${results(school)}&view=questions`);
  const dialog = await tries(page, right, false);
  // The page sees the server in the middle of its work for as long as this says so.
  const middle = await altered(page, /\/api\/manager\/corrections\?sittingId=/, ({ corrections }) => ({
    corrections: corrections.map((one: object) => ({ ...one, progress: { done: 12, total: 30, finished: false } })),
  }));
  await dialog.getByRole("button", { name: "Correct 24 results" }).click();
  await expect(corrections(page)).toContainText("12 of 30 results done");
  await hall.kill();
  await hall.start();
  await page.reload();
  await expect(corrections(page)).toContainText("12 of 30 results done");
  await expect(corrections(page).getByRole("progressbar")).toHaveAttribute("value", "12");
  await check(page, "a correction under way");
  middle.stop();
  await isFinished(page);
  await expect(corrections(page)).not.toContainText("results done");
  // The figures follow without a click.
  await expect(article(page)).toContainText("28 of 30 were right");
  const { rows } = await call(page, "GET", `/api/manager/results?sittingId=${school.sitting.id}`);
  expect(rows.filter(({ version }: { version: number }) => version === 2).length).toBeGreaterThanOrEqual(24);
  expect(rows.every(({ version }: { version: number }) => version <= 2)).toBe(true);
});

test("if an answer is lost, the correction is sent once more and made once", async ({ browser, hall, request }) => {
  const { school, right } = await sat(browser, hall, request, thirty());
  const { page } = school;
  await page.goto(`${results(school)}&view=questions`);
  const dialog = await tries(page, right, true);
  const way = await lost(page, /\/api\/manager\/corrections$/);
  await dialog.getByRole("button", { name: "Correct 24 results" }).click();
  await expect(dialog.getByRole("alert")).toContainText("The exam server can’t be reached.");
  way.stop();
  await dialog.getByRole("button", { name: "Correct 24 results" }).click();
  await expect(dialog).toBeHidden();
  await isFinished(page);
  await expect(corrections(page).locator("[data-correction]")).toHaveCount(1);
  const { rows } = await call(page, "GET", `/api/manager/results?sittingId=${school.sitting.id}`);
  expect(Math.max(...rows.map(({ version }: { version: number }) => version))).toBe(2);
});

test("what was refused is said in words, and what somebody else has corrected is seen before anything is done", async ({ browser, hall, request }) => {
  const { school, right } = await sat(browser, hall, request, thirty());
  const { page } = school;
  await page.goto(`${results(school)}&view=questions`);
  const { questions } = await call(page, "GET", `/api/manager/results?sittingId=${school.sitting.id}`);
  const scope = { sittingId: school.sitting.id };
  const dialog = await tries(page, right, false);
  await call(page, "POST", "/api/manager/corrections", { questionId: questions[WRONG].id, kind: "all", scope });
  await dialog.getByRole("button", { name: "Correct 24 results" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Somebody else has corrected this question meanwhile.");
  await expect(dialog.getByRole("heading", { name: "What this changes" })).toBeFocused();
  await page.keyboard.press("Escape");

  // Somebody has edited the question in the bank: nothing is corrected by letters that mean something else there.
  await page.reload();
  await article(page).getByRole("button", { name: "Correct the key…" }).click();
  await dialog.getByRole("radio", { name: "Another option is right" }).check();
  await option(dialog, right).check();
  await call(page, "POST", "/api/review/edit", { questionId: questions[WRONG].id, grade: 5, updates: { question: "Something else" }, comment: "" });
  await dialog.getByRole("button", { name: "See what it changes" }).click();
  await dialog.getByRole("button", { name: /^Correct/ }).last().click();
  await expect(dialog.getByRole("alert")).toContainText("Somebody has changed the question in the bank meanwhile, so nothing was corrected.");
  await check(page, "a refused correction");
  await page.keyboard.press("Escape");

  await page.route(/\/api\/manager\/corrections\?dryRun=true/, (route) => route.fulfill({ status: 403, json: { error: "Not assigned to this grade" } }));
  await page.reload();
  await article(page).getByRole("button", { name: "Correct the key…" }).click();
  await dialog.getByRole("radio", { name: "The question does not count" }).check();
  await expect(dialog).toContainText("so mend the question there yourself");
  await dialog.getByRole("button", { name: "See what it changes" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("Only managers of all grades of this test, and admins, may correct its keys.");
});

test("by the keyboard alone, on a phone, a tablet and a laptop, in both languages", async ({ browser, hall, request }) => {
  const { school, right } = await sat(browser, hall, request, thirty());
  for (const [width, height, locale] of [[390, 780, "vi-VN"], [820, 1_180, "en-GB"], [1_366, 768, "vi-VN"]] as const) {
    const { page, context } = await school.device({ viewport: { width, height }, locale });
    await context.addCookies(await school.page.context().cookies());
    await page.goto(`${results(school)}&view=questions`);
    const button = page.getByRole("button", { name: /^(Correct the key…|Sửa đáp án…) (Question|Câu) 4$/ });
    await check(page, `a doubtful key, ${width} px`);
    await button.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await expect(dialog).toBeVisible();
    await dialog.getByRole("radio").first().focus();
    await page.keyboard.press("Space");
    await check(page, `what was wrong, ${width} px`);
    await option(dialog, right).focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("Enter");
    await expect(dialog.getByRole("heading", { level: 3 })).toBeFocused();
    await expect(dialog.locator("[data-trial] dd")).toHaveText(["24", "0", "6"]);
    await check(page, `what it changes, ${width} px`);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(button).toBeFocused();
    await context.close();
  }
});
