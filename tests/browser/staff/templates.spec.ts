// The pages of templates: built, read, swapped, shared and checked for fairness, by mouse and by keyboard, for managers and admins.

import type { Browser, Page } from "@playwright/test";
import { check, fits } from "../accessible";
import { takePicture, takesPictures, WITH_PICTURES } from "../documentation";
import { expect, test, type Hall } from "../hall";
import { School } from "../sitting";
import { call, signInAsAdmin } from "../student";
import { hired } from "./people";

const USUAL = { 1: 4, 2: 3, 3: 3, 4: 4, 5: 6 };
const BANDS = ["90-100", "80-90", "70-80", "60-70", "below-60"];
/** The lists of a student who has chosen no template: the better the first stage, the harder the second one. */
const MIXES = [[0, 1, 3, 6, 10], [1, 2, 4, 6, 7], [2, 3, 5, 5, 5], [3, 4, 5, 5, 3], [6, 5, 5, 3, 1]];
const targets = (mix: number[]) => Object.fromEntries(mix.map((count, level) => [level + 1, count]));
const HARDER = Object.fromEntries(MIXES.map((mix, index) => [BANDS[index], targets(mix)]));
const ALIKE = Object.fromEntries(BANDS.map((band) => [band, { 1: 4, 2: 4, 3: 4, 4: 4, 5: 4 }]));

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name });
const list = (page: Page) => page.getByRole("grid", { name: "Templates" });
const questionAt = (page: Page, place: number) => page.locator(`li[data-place="${place}"]`);
const tabs = (page: Page) => page.getByRole("navigation", { name: "Lists" });
const dialog = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name });

/** The text of a question as it is stored; the page shows its mathematics instead. */
async function stored(page: Page, id: string): Promise<any> {
  return (await call(page, "GET", `/api/manager/test-templates/${id}`)).template;
}

async function made(page: Page, fields: Record<string, unknown> = {}): Promise<string> {
  const body = { name: "Spring test", grades: [5], mode: "standard", durationMinutes: 30, standardTargets: USUAL, ...fields };
  return (await call(page, "POST", "/api/admin/test-templates", body)).template.id;
}

const adaptive = (page: Page, bands: object, name = "Autumn test") =>
  made(page, { name, mode: "adaptive", durationMinutes: 70, session1Targets: USUAL, session2TargetsByBand: bands });

async function opened(page: Page, id: string, query = ""): Promise<void> {
  await page.goto(`/staff/templates/${id}${query}`);
  await expect(page.getByRole("navigation", { name: "Parts of the template" })).toBeVisible();
}

/** The head of the school, and a manager of grade 5 on their page of templates. */
async function managed(browser: Browser, hall: Hall, page: Page): Promise<Page> {
  await signInAsAdmin(page);
  const manager = (await hired(page, browser, hall, "manager", [5])).page;
  await expect.poll(async () => (await (await manager.request.get("/api/me")).json()).grades, { timeout: 20_000 }).toEqual([5]);
  await manager.goto("/staff/templates");
  return manager;
}

test("a manager builds an adaptive template, and is told what is uneven and what is missing while typing", async ({ browser, hall, page: head }) => {
  const page = await managed(browser, hall, head);
  await expect(page.getByText("There is no template yet.")).toBeVisible();
  await check(page, "no templates");
  await page.locator("main").getByRole("link", { name: "New template" }).first().click();
  await expect(heading(page, "New template")).toBeVisible();
  // There is one grade to choose, and it is chosen.
  await expect(page.getByRole("checkbox", { name: "5", exact: true })).toBeChecked();
  await expect(page.getByRole("main").getByRole("checkbox")).toHaveCount(1);
  await expect(page.getByText("of 30", { exact: true })).toBeVisible();
  await page.getByRole("radio", { name: /^Adaptive/ }).check();
  // A second list repeats no question of stage 1, so that six of thirty are not there for it.
  await expect(page.getByText("of 24", { exact: true })).toHaveCount(5);
  await check(page, "the form");
  const hard = page.getByRole("spinbutton", { name: "Hard, Stage 2 after 80 to 90 %", exact: true });
  await hard.fill("9");
  await expect(page.getByRole("status").filter({ hasText: "80–90 %: 2 questions too many" })).toBeVisible();
  await page.getByRole("button", { name: "Draw the questions" }).click();
  await expect(page.getByText("Give it a name.")).toBeVisible();
  await expect(page.getByRole("textbox", { name: /^Name/ })).toBeFocused();
  await check(page, "the form with faults");
  await page.getByRole("textbox", { name: /^Name/ }).fill("Autumn test");
  await hard.fill("7");
  await expect(page.getByText("too many")).toHaveCount(0);
  await expect(page.locator("[data-verdict=trap]")).toContainText(/One more point at the edge of \d\d % can cost a student \d+ points/);
  // Every edge is named with its lists, so that nobody finds them one after the other.
  await expect(page.locator("[data-verdict=trap]").getByRole("listitem")).toHaveCount(4);
  await expect(page.getByRole("listitem").filter({ hasText: "60 %, between “Stage 2 after 60 to 70 %” and “Stage 2 after less than 60 %”: up to 20 points" })).toBeVisible();
  await page.getByRole("button", { name: "Make the lists more alike" }).click();
  await expect(page.locator("[data-verdict=slight]")).toContainText("Fair enough: one more point in stage 1 can cost a student 4 points of the score at most");
  await expect(hard).toHaveValue("6");
  await expect(page.locator(":focus").locator("[data-verdict=slight]")).toBeVisible();
  await check(page, "the form with lists that are more alike");
  for (const band of ["90 % or more", "80 to 90 %", "70 to 80 %", "60 to 70 %", "less than 60 %"]) {
    await page.getByRole("spinbutton", { name: `Hard, Stage 2 after ${band}`, exact: true }).fill("30");
  }
  await expect(page.getByText("Hard: 6 of 30 can’t be found").first()).toBeVisible();
  await expect(page.getByText("too many").or(page.getByText("too few")).first()).toBeVisible();
  for (const [band, count] of [["90 % or more", 7], ["80 to 90 %", 6], ["70 to 80 %", 5], ["60 to 70 %", 4], ["less than 60 %", 4]] as const) {
    await page.getByRole("spinbutton", { name: `Hard, Stage 2 after ${band}`, exact: true }).fill(String(count));
  }
  await page.getByRole("button", { name: "Draw the questions" }).click();
  await expect(heading(page, "Autumn test")).toBeVisible();
  await expect(page.getByText(/Grade 5 · Adaptive · 70 minutes · 40 questions/)).toBeVisible();
  await expect(tabs(page).getByRole("link")).toHaveText(["Stage 1 (20)", "90–100 % (20)", "80–90 % (20)", "70–80 % (20)", "60–70 % (20)", "Below 60 % (20)"]);
  await check(page, "a paper");
  await tabs(page).getByRole("link", { name: /^60–70/ }).click();
  await expect(page).toHaveURL(/list=60-70/);
  await page.reload();
  await expect(tabs(page).getByRole("link", { name: /^60–70/ })).toHaveAttribute("aria-current", "page");
});

test("what the bank could not give is said in words, and a template that is made can be undone", async ({ page }) => {
  await signInAsAdmin(page);
  await page.goto("/staff/templates/new");
  await expect(page.getByText("Choose a grade to see how many questions the bank has.")).toBeVisible();
  await page.getByRole("checkbox", { name: "5", exact: true }).check();
  await page.getByRole("checkbox", { name: "6", exact: true }).check();
  await expect(page.getByText("of 60", { exact: true })).toBeVisible();
  await page.getByRole("checkbox", { name: "6", exact: true }).uncheck();
  await page.getByRole("spinbutton", { name: "Hard, Questions", exact: true }).fill("32");
  await expect(page.getByText("Hard: 2 of 32 can’t be found")).toBeVisible();
  await page.getByRole("textbox", { name: /^Name/ }).fill("Hard test");
  await page.getByRole("spinbutton", { name: /^Minutes/ }).fill("601");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Whole minutes, from 1 to 600.")).toBeVisible();
  await page.getByRole("spinbutton", { name: /^Minutes/ }).fill("60");
  await page.keyboard.press("Enter");
  await expect(heading(page, "Hard test")).toBeVisible();
  const gaps = page.getByRole("region", { name: "The paper is not what the settings ask for" });
  await expect(gaps).toContainText("Questions, Hard: 2 of 32 could not be found");
  await check(page, "a paper with gaps");
  await page.keyboard.press("Control+z");
  await expect(heading(page, "Templates")).toBeVisible();
  await expect(page.getByText("There is no template yet.")).toBeVisible();
});

test("the server’s refusals stand at their fields, and nothing typed is lost", async ({ page }) => {
  await signInAsAdmin(page);
  await page.goto("/staff/templates/new");
  await page.getByRole("checkbox", { name: "5", exact: true }).check();
  await page.getByRole("textbox", { name: /^Name/ }).fill("Refused");
  await page.route("**/api/manager/test-templates", (route) => route.fulfill({ status: 400, json: { error: "Invalid name" } }), { times: 1 });
  await page.getByRole("button", { name: "Draw the questions" }).click();
  await expect(page.getByText("The exam server does not accept this.")).toBeVisible();
  await expect(page.getByRole("textbox", { name: /^Name/ })).toHaveAttribute("aria-invalid", "true");
  await page.route("**/api/manager/test-templates", (route) => route.abort(), { times: 1 });
  await page.getByRole("button", { name: "Draw the questions" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "can’t be reached" })).toBeVisible();
  await expect(page.getByRole("textbox", { name: /^Name/ })).toHaveValue("Refused");
  await page.getByRole("button", { name: "Draw the questions" }).click();
  await expect(heading(page, "Refused")).toBeVisible();
});

test("the list is searched, sorted and opened by the keyboard, with its filters in the address", async ({ page }) => {
  await signInAsAdmin(page);
  await made(page, { name: "Kiểm tra giữa kỳ", grades: [6] });
  await adaptive(page, ALIKE);
  await made(page);
  await page.goto("/staff/templates");
  await expect(list(page).getByRole("row")).toHaveCount(4);
  await expect(list(page).getByRole("row").filter({ hasText: "Autumn test" })).toContainText(/5.*Adaptive.*70.*40/);
  await check(page, "the list");
  await page.getByRole("searchbox", { name: "Find" }).fill("giua");
  await expect(list(page).getByRole("row")).toHaveCount(2);
  await expect(page).toHaveURL(/find=giua/);
  await page.getByRole("searchbox", { name: "Find" }).fill("");
  await page.getByRole("combobox", { name: "Kind" }).selectOption("Adaptive");
  await page.getByRole("combobox", { name: "Grade" }).selectOption("6");
  await expect(page.getByText("No template fits these filters.")).toBeVisible();
  await check(page, "nothing fits");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(list(page).getByRole("row")).toHaveCount(4);
  await heading(page, "Templates").focus();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  await page.keyboard.press("Enter");
  await expect(heading(page, "Spring test")).toBeVisible();
  await expect(heading(page, "Spring test")).toBeFocused();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("kiem tra");
  await expect(dialog(page, /^Find a page/).getByRole("option").first()).toHaveText("Kiểm tra giữa kỳ");
  await page.keyboard.press("Enter");
  await expect(heading(page, "Kiểm tra giữa kỳ")).toBeVisible();
});

test("by the keyboard: a question is read, swapped and swapped back", async ({ page }) => {
  await signInAsAdmin(page);
  const id = await made(page);
  await opened(page, id);
  await expect(questionAt(page, 20)).toBeAttached();
  const before = (await stored(page, id)).standardQuestions;
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await expect(page.getByRole("heading", { name: "Question 2", exact: true })).toBeFocused();
  await expect(questionAt(page, 2).getByText(`Right answer: ${before[1].answer}`)).toBeHidden();
  await page.keyboard.press("Enter");
  await expect(questionAt(page, 2).getByText(`Right answer: ${before[1].answer}`)).toBeVisible();
  await page.keyboard.press("s");
  const swap = dialog(page, "Swap question 2");
  await expect(swap.getByRole("button", { name: /candidate 1,/ })).toBeVisible();
  await check(page, "candidates");
  await expect(swap.getByRole("region", { name: "In the paper now" })).toContainText(before[1].topic);
  await swap.getByRole("button", { name: /candidate 1,/ }).focus();
  await page.keyboard.press("j");
  await expect(swap.getByRole("button", { name: /candidate 2,/ })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Question 2 is swapped.")).toBeVisible();
  await expect(swap).toHaveCount(0);
  const after = (await stored(page, id)).standardQuestions;
  expect(after[1].id).not.toBe(before[1].id);
  expect(after[1].difficulty).toBe(before[1].difficulty);
  const others = (questions: { id: string }[]) => questions.map(({ id }) => id).filter((_, place) => place !== 1);
  expect(others(after)).toEqual(others(before));
  await expect(page.getByRole("heading", { name: "Question 2", exact: true })).toBeFocused();
  await page.keyboard.press("Control+z");
  await expect(page.getByText("Undone.")).toBeVisible();
  expect((await stored(page, id)).standardQuestions).toEqual(before);
  await page.getByRole("button", { name: "Show keys" }).click();
  await expect(page.getByText(/^Right answer: [A-D]/)).toHaveCount(20);
  await check(page, "all keys");
});

test("while somebody chooses, another admin swaps the same question, and then another one", async ({ browser, hall, page }) => {
  await signInAsAdmin(page);
  const id = await made(page);
  const other = (await hired(page, browser, hall, "admin", [])).page;
  await expect.poll(async () => (await other.request.get(`/api/manager/test-templates/${id}`)).status(), { timeout: 20_000 }).toBe(200);
  await opened(page, id);
  await opened(other, id);
  const [first, second, third] = (await stored(page, id)).standardQuestions.map(({ id }: { id: string }) => id);
  await page.getByRole("button", { name: "Swap question 1", exact: true }).click();
  await expect(dialog(page, "Swap question 1").getByRole("button", { name: /candidate 1,/ })).toBeVisible();
  await other.getByRole("button", { name: "Swap question 1", exact: true }).click();
  await dialog(other, "Swap question 1").getByRole("button", { name: /candidate 1,/ }).click();
  await expect(other.getByText("Question 1 is swapped.")).toBeVisible();
  const [theirs] = (await stored(page, id)).standardQuestions.map(({ id }: { id: string }) => id);
  expect(theirs).not.toBe(first);
  await dialog(page, "Swap question 1").getByRole("button", { name: "Take any of them" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Somebody else has swapped this question meanwhile." })).toBeVisible();
  await expect(dialog(page, "Swap question 1")).toHaveCount(0);
  // Nothing of theirs is undone, and the page shows it.
  expect((await stored(page, id)).standardQuestions[0].id).toBe(theirs);
  await other.getByRole("button", { name: "Swap question 2", exact: true }).click();
  await dialog(other, "Swap question 2").getByRole("button", { name: /candidate 1,/ }).click();
  await expect(other.getByText("Question 2 is swapped.")).toBeVisible();
  await page.getByRole("button", { name: "Swap question 3", exact: true }).click();
  await dialog(page, "Swap question 3").getByRole("button", { name: /candidate 1,/ }).click();
  await expect(page.getByText("Question 3 is swapped.")).toBeVisible();
  await expect(page.getByText("Somebody else has changed this template meanwhile. This is how it is now.")).toBeVisible();
  const now = (await stored(page, id)).standardQuestions.map(({ id }: { id: string }) => id);
  expect([now[1] === second, now[2] === third]).toEqual([false, false]);
});

test("the link is shared, with a code for the wall, and anyone sits the test", async ({ page, context, hall }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await signInAsAdmin(page);
  const id = await made(page);
  await opened(page, id);
  await page.getByRole("button", { name: "Share" }).click();
  const share = dialog(page, "The link for students");
  await expect(share.getByRole("textbox", { name: "Link" })).toHaveValue(`${hall.url}/t/${id}`);
  await expect(share.getByRole("img", { name: "QR code of the link" })).toBeVisible();
  await check(page, "sharing");
  await share.getByRole("button", { name: "Copy" }).click();
  await expect(page.getByText("The link is on the clipboard.")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${hall.url}/t/${id}`);
  await page.keyboard.press("Escape");
  const opening = context.waitForEvent("page");
  await page.getByRole("link", { name: "Sit it yourself" }).click();
  const test = await opening;
  await expect(test.getByRole("button", { name: "Start the test" })).toBeVisible();
  await test.close();
});

test("a paper names its flagged questions and counts the pending ones, and is announced in the calendar", async ({ page }) => {
  await signInAsAdmin(page);
  const id = await made(page);
  const [first, second] = (await stored(page, id)).standardQuestions.map(({ id }: { id: string }) => id);
  await call(page, "POST", "/api/review/submit", { questionId: first, grade: 5, status: "flagged", note: "Two options are right" });
  await call(page, "POST", "/api/review/submit", { questionId: second, grade: 5, status: "approved" });
  await opened(page, id);
  await expect(page.getByText("18 are pending")).toBeVisible();
  const flagged = page.getByRole("region", { name: "Flagged questions" });
  await expect(flagged).toContainText("1 question of this paper is flagged");
  await expect(flagged.getByRole("link", { name: first })).toHaveAttribute("href", `/staff/questions?grade=5&question=${first}`);
  await check(page, "a paper with a flagged question");
  await page.getByRole("link", { name: "Announce" }).click();
  await expect(page.getByLabel("Title")).toHaveValue("Spring test");
  await expect(page.getByRole("combobox", { name: /^Template/ })).toHaveValue(id);
  await expect(page.getByText("The test takes")).toHaveCount(0);
  await page.getByRole("button", { name: "Create" }).click();
  await expect(heading(page, "Spring test")).toBeVisible();
});

test("drawing anew asks first, and deleting too", async ({ page }) => {
  await signInAsAdmin(page);
  const id = await made(page);
  await opened(page, id);
  const before = (await stored(page, id)).standardQuestions;
  await page.getByRole("button", { name: "Draw anew" }).click();
  const asking = dialog(page, "Draw all questions anew?");
  await expect(asking).toContainText("Questions that were swapped by hand are lost");
  await check(page, "drawing anew");
  await asking.getByRole("button", { name: "Cancel" }).click();
  expect((await stored(page, id)).standardQuestions).toEqual(before);
  await page.getByRole("button", { name: "Draw anew" }).click();
  await asking.getByRole("button", { name: "Draw 20 questions anew" }).click();
  await expect(page.getByText("All questions are drawn anew.")).toBeVisible();
  expect((await stored(page, id)).standardQuestions).not.toEqual(before);
  await page.getByRole("button", { name: "Delete" }).click();
  await dialog(page, "Delete Spring test?").getByRole("button", { name: "Delete this template" }).click();
  await expect(heading(page, "Templates")).toBeVisible();
  await expect(page.getByText("Spring test is deleted.")).toBeVisible();
  await page.goto(`/staff/templates/${id}`);
  await expect(page.getByText("This template is not there any more.")).toBeVisible();
});

test("settings are saved and undone, keep the paper, and a copy starts from them", async ({ page }) => {
  await signInAsAdmin(page);
  const id = await made(page);
  await opened(page, id, "?view=settings");
  await expect(page.getByRole("textbox", { name: /^Name/ })).toHaveValue("Spring test");
  await check(page, "settings");
  await page.getByRole("textbox", { name: /^Name/ }).fill("Summer test");
  await page.getByRole("spinbutton", { name: "Hard, Questions", exact: true }).fill("5");
  // Meanwhile somebody else changes another field, which stays.
  await call(page, "PUT", `/api/manager/test-templates/${id}`, { durationMinutes: 45 });
  await page.getByRole("button", { name: "Save" }).click();
  await expect(heading(page, "Summer test")).toBeVisible();
  await expect(page.getByText(/45 minutes/)).toBeVisible();
  await expect(page.getByRole("region", { name: "The paper is not what the settings ask for" })).toContainText("Questions, Hard: 1 too many");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(heading(page, "Spring test")).toBeVisible();
  await expect(page.getByRole("spinbutton", { name: "Hard, Questions", exact: true })).toHaveValue("6");
  await expect(page.getByRole("region", { name: "The paper is not what the settings ask for" })).toHaveCount(0);
  await page.getByRole("link", { name: "Duplicate" }).click();
  await expect(page.getByRole("textbox", { name: /^Name/ })).toHaveValue("Copy of Spring test");
  await expect(page.getByRole("spinbutton", { name: /^Minutes/ })).toHaveValue("45");
  await page.getByRole("button", { name: "Draw the questions" }).click();
  await expect(heading(page, "Copy of Spring test")).toBeVisible();
});

test("a paper for which students wait is changed only by who says so, and never once it has begun", async ({ browser, hall }) => {
  const school = await School.open(browser, hall, [{ name: "Ada" }]);
  const { page } = school;
  const id = school.sitting.templateId as string;
  await opened(page, id);
  await page.getByRole("button", { name: "Draw anew" }).click();
  await dialog(page, "Draw all questions anew?").getByRole("button", { name: "Draw 10 questions anew" }).click();
  const waiting = dialog(page, "Students are waiting for this paper");
  await expect(waiting).toContainText("everyone who waits gets the new paper");
  await check(page, "doors are open");
  await waiting.getByRole("button", { name: "Leave it as it is" }).click();
  await expect(waiting).toHaveCount(0);
  await page.goto(`/staff/templates/${id}?view=settings`);
  await page.getByRole("spinbutton", { name: /^Minutes/ }).fill("25");
  await page.getByRole("button", { name: "Save" }).click();
  await waiting.getByRole("button", { name: "Change it all the same" }).click();
  await expect(page.getByText(/25 minutes/)).toBeVisible();
  // Those who wait can't become students of another kind of test.
  await page.getByRole("radio", { name: /^Adaptive/ }).check();
  await page.getByRole("button", { name: "Save" }).click();
  await waiting.getByRole("button", { name: "Change it all the same" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Its kind and its grades can’t be changed" })).toBeVisible();
  await school.begin();
  await page.goto(`/staff/templates/${id}`);
  await page.getByRole("button", { name: "Swap question 1", exact: true }).click();
  await page.getByRole("button", { name: /candidate 1,/ }).click();
  await expect(page.getByRole("alert").filter({ hasText: "A sitting with this template has begun" })).toBeVisible();
  await check(page, "a sitting has begun");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete this template" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "A sitting names this template." })).toBeVisible();
});

test("the fairness check finds the trap, and says where there is none", async ({ page }) => {
  await signInAsAdmin(page);
  const trapped = await adaptive(page, HARDER);
  await opened(page, trapped);
  await page.getByRole("link", { name: "Fairness" }).click();
  const sentence = /One more point at the edge of \d\d % can cost a student \d\d points, because the questions that follow are harder\./;
  await expect(page.locator("[data-verdict=trap]")).toContainText(sentence);
  await expect(page.getByRole("img", { name: /^Mean score and middle 80 per cent by ability: from \d+ at ability -4/ })).toBeVisible();
  await expect(page.getByRole("table").first().getByRole("row")).toHaveCount(10);
  const edges = page.getByRole("region", { name: "What points in stage 1 lead to" }).getByRole("table");
  await expect(edges.getByRole("row")).toHaveCount(5);
  await expect(edges.locator("tr.worst").first()).toContainText(/[-−]\d/);
  await check(page, "the fairness check");
  const ability = page.getByRole("slider");
  await ability.focus();
  await page.keyboard.press("Home");
  await expect(page.getByText(/^Ability -4: \d+ % of medium questions right$/)).toBeVisible();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByText(/^Ability -3\.75: /)).toBeVisible();
  await opened(page, await adaptive(page, ALIKE, "Fair test"), "?view=fairness");
  await expect(page.locator("[data-verdict=fair]")).toContainText("Fair: one more point in stage 1 never costs a student a point");
  await opened(page, await made(page), "?view=fairness");
  await expect(page.locator("[data-verdict=standard]")).toContainText("This paper tells students best apart who score about");
  await expect(page.getByRole("slider")).toHaveCount(0);
});

test("a reviewer is not offered templates, and a manager sees those of their grades alone", async ({ browser, hall, page }) => {
  const manager = await managed(browser, hall, page);
  await expect(manager.getByText("There is no template yet.")).toBeVisible();
  const ofSix = await made(page, { name: "Test of grade 6", grades: [6] });
  await made(page);
  await manager.reload();
  await expect(list(manager).getByRole("rowheader")).toHaveText(["Spring test"]);
  await manager.goto(`/staff/templates/${ofSix}`);
  await expect(manager.getByText("This template has a grade that is not assigned to you.")).toBeVisible();
  await check(manager, "not theirs");
  const reviewer = (await hired(page, browser, hall, "reviewer", [5])).page;
  await expect(reviewer.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Results" })).toBeVisible({ timeout: 20_000 });
  await expect(reviewer.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Templates" })).toHaveCount(0);
  await reviewer.goto("/staff/templates");
  await expect(reviewer.getByText("Managers of grades and administrators keep templates.")).toBeVisible();
});

test("nothing is cut off on a tablet, on a phone and enlarged, in Vietnamese and in forced colours", async ({ browser, hall, page: head }) => {
  await signInAsAdmin(head);
  const id = await adaptive(head, HARDER);
  const context = await browser.newContext({ baseURL: hall.url, viewport: { width: 820, height: 1_180 }, locale: "vi-VN" });
  await context.addCookies(await head.context().cookies());
  const page = await context.newPage();
  await page.goto("/staff/templates");
  await expect(heading(page, "Đề mẫu")).toBeVisible();
  await expect(page.getByRole("rowheader", { name: "Autumn test" })).toBeVisible();
  const pages = [
    ["/staff/templates", "rowheader"],
    ["/staff/templates/new", "radio"],
    [`/staff/templates/${id}`, "listitem"],
    [`/staff/templates/${id}?view=choose`, "searchbox"],
    [`/staff/templates/${id}?view=fairness`, "slider"],
    [`/staff/templates/${id}?view=settings`, "radio"],
  ] as const;
  for (const [address, role] of pages) {
    await page.setViewportSize({ width: 820, height: 1_180 });
    await page.goto(address);
    await expect(page.locator("main").getByRole(role).first()).toBeVisible();
    await check(page, `${address}, 820 px`);
    await page.setViewportSize({ width: 320, height: 640 });
    await fits(page, `${address}, 320 px, which is 1280 px at 400 %`);
    await page.setViewportSize({ width: 640, height: 400 });
    await fits(page, `${address}, 640 px, which is 1280 px at 200 %`);
  }
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`/staff/templates/${id}`);
  await page.getByRole("button", { name: "Đổi câu 1", exact: true }).click();
  await expect(page.getByRole("button", { name: /câu số 1\b/ })).toBeVisible();
  await check(page, "candidates on a phone");
  await page.emulateMedia({ forcedColors: "active" });
  await page.setViewportSize({ width: 1_280, height: 800 });
  for (const [address, role] of pages) {
    await page.goto(address);
    await expect(page.locator("main").getByRole(role).first()).toBeVisible();
    await check(page, `${address} in forced colours`);
  }
});

test("a list is printed with its key on a page of its own", async ({ page }) => {
  await signInAsAdmin(page);
  const id = await made(page);
  await opened(page, id);
  await expect(page.getByRole("heading", { name: "Key to Spring test" })).toBeHidden();
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("heading", { name: "Key to Spring test" })).toBeVisible();
  await expect(page.getByRole("table").getByRole("row")).toHaveCount(21);
  await expect(page.getByText("Name: ____")).toBeVisible();
  for (const name of ["Swap question 1", "Share", "Delete"]) await expect(page.getByRole("button", { name, exact: true })).toHaveCount(0);
  await expect(page.getByText("Key and explanation").first()).toBeHidden();
  await expect(questionAt(page, 20)).toBeVisible();
  // The key begins a page of its own.
  expect(await page.getByRole("heading", { name: "Key to Spring test" }).locator("xpath=..").evaluate((node) => getComputedStyle(node).breakBefore)).toBe("page");
});

if (takesPictures) {
  test("templates have their pictures", WITH_PICTURES, async ({ page }) => {
    await signInAsAdmin(page);
    const id = await adaptive(page, HARDER);
    await page.setViewportSize({ width: 1_280, height: 1_000 });
    const shoot = (name: string) => takePicture(page, name);
    await opened(page, id);
    await expect(questionAt(page, 2)).toBeVisible();
    await questionAt(page, 1).getByText("Key and explanation").click();
    await page.mouse.move(0, 0);
    await shoot("template-paper");
    await page.getByRole("button", { name: "Swap question 1", exact: true }).click();
    await expect(page.getByRole("button", { name: /candidate 1,/ })).toBeVisible();
    await shoot("template-swap");
    await opened(page, id, "?view=settings");
    await expect(page.getByText("of 24", { exact: true }).first()).toBeVisible();
    await page.getByRole("spinbutton", { name: "Hard, Stage 2 after 90 % or more", exact: true }).fill("12");
    await page.getByRole("group", { name: "Stage 1" }).scrollIntoViewIfNeeded();
    await page.mouse.move(0, 0);
    await shoot("template-form");
    await opened(page, id, "?view=fairness");
    await expect(page.getByRole("slider")).toBeVisible();
    await shoot("template-fairness");
  });
}
