// What a template chooses: by topic, approved questions alone, some sources, an order; and by hand, with pins, by mouse and by keyboard.

import type { Page } from "@playwright/test";
import { check, fits } from "../accessible";
import { expect, test } from "../hall";
import { call, signInAsAdmin } from "../student";

const USUAL = { 1: 4, 2: 3, 3: 3, 4: 4, 5: 6 };
const FEW = { 1: 2, 2: 1, 3: 1, 4: 0, 5: 1 };
const BANDS = ["90-100", "80-90", "70-80", "60-70", "below-60"];

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const more = (page: Page) => page.locator("summary").filter({ hasText: "More choices" });
const topic = (page: Page, name: string) => page.getByRole("spinbutton", { name: `${name}, by topic`, exact: true });
const rows = (page: Page) => page.locator("li[data-place]");
const inBank = (page: Page) => page.getByRole("region", { name: "In the bank" });
const part = (page: Page, name: string) => page.getByRole("navigation", { name: "Parts of the template" }).getByRole("link", { name });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

async function stored(page: Page, id: string): Promise<any> {
  return (await call(page, "GET", `/api/manager/test-templates/${id}`)).template;
}

const idsOf = (questions: { id: string }[]) => questions.map(({ id }) => id);

async function made(page: Page, fields: Record<string, unknown> = {}): Promise<string> {
  const body = { name: "Spring test", grades: [5], mode: "standard", durationMinutes: 30, standardTargets: FEW, ...fields };
  return (await call(page, "POST", "/api/admin/test-templates", body)).template.id;
}

async function choosing(page: Page, id: string): Promise<void> {
  await page.goto(`/staff/templates/${id}?view=choose`);
  await expect(inBank(page).getByText(/questions found/)).toBeVisible();
}

async function newTemplate(page: Page, name: string): Promise<void> {
  await page.goto("/staff/templates/new");
  await page.getByRole("checkbox", { name: "5", exact: true }).check();
  await page.getByRole("textbox", { name: /^Name/ }).fill(name);
}

test("who opens nothing sees the form of difficulties, and sends what it always sent", async ({ page }) => {
  await signInAsAdmin(page);
  await newTemplate(page, "Plain test");
  await expect(more(page)).toBeVisible();
  await expect(page.getByText("By topic")).toHaveCount(0);
  const sending = page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/api/manager/test-templates"));
  await page.getByRole("button", { name: "Draw the questions" }).click();
  expect((await sending).postDataJSON()).toEqual({
    name: "Plain test",
    grades: [5],
    mode: "standard",
    durationMinutes: 30,
    calculator: "none",
    standardTargets: USUAL,
    access: { who: "signed-in", classIds: [], attempts: 1, opensAt: null, closesAt: null, code: null },
    practice: false,
  });
  await expect(heading(page, "Plain test")).toBeVisible();
});

test("a template asks for topics beside difficulties, and then for topics alone", async ({ page }) => {
  await signInAsAdmin(page);
  await newTemplate(page, "Topic test");
  await more(page).click();
  // The bank of grade 5 has 33 questions on fractions, and none of them is easy.
  await expect(page.getByText("of 33 (0 · 7 · 8 · 6 · 12)")).toBeVisible();
  await check(page, "more choices");
  await topic(page, "Decimals").fill("14");
  await button(page, "One more of Money").click();
  await button(page, "One more of Money").click();
  await button(page, "One fewer of Money").click();
  await expect(topic(page, "Money")).toHaveValue("1");
  await expect(page.getByText("15 questions by topic, but 20 by difficulty")).toBeVisible();
  await page.getByRole("button", { name: "Draw the questions" }).click();
  await expect(heading(page, "New template")).toBeVisible();
  await check(page, "totals that differ");
  await topic(page, "Money").fill("6");
  await expect(page.getByText("by topic, but")).toHaveCount(0);
  // Of decimals there are none of difficulties 2 and 5: 4 easy, 3 medium and 4 harder ones, beside 6 hard ones about money.
  await expect(page.getByText("3 of 20 can’t be found: the bank has too few questions of these topics that are of these difficulties too")).toBeVisible();
  await page.getByRole("checkbox", { name: /^The numbers by difficulty hold too/ }).uncheck();
  await expect(page.getByText("can’t be found")).toHaveCount(0);
  await expect(page.getByRole("spinbutton", { name: "Hard, Questions", exact: true })).toHaveCount(0);
  await topic(page, "Money").fill("7");
  await expect(page.getByText("Money: 1 of 7 can’t be found")).toBeVisible();
  await page.getByRole("button", { name: "Draw the questions" }).click();
  await expect(heading(page, "Topic test")).toBeVisible();
  const gaps = page.getByRole("region", { name: "The paper is not what the settings ask for" });
  await expect(gaps.getByRole("listitem")).toHaveText(["Money: 1 of 7 could not be found"]);
  const id = page.url().split("/").pop() as string;
  const template = await stored(page, id);
  const of = (name: string) => template.standardQuestions.filter(({ topic }: { topic: string }) => topic === name).length;
  expect([of("Decimals"), of("Money"), template.standardQuestions.length]).toEqual([14, 6, 20]);
  // Its settings are unfolded, since they are not the usual ones; the numbers by difficulty come back with their box.
  await part(page, "Settings").click();
  await expect(topic(page, "Decimals")).toHaveValue("14");
  await topic(page, "Decimals").fill("");
  await topic(page, "Money").fill("");
  await expect(page.getByRole("spinbutton", { name: "Hard, Questions", exact: true })).toHaveValue("6");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Topic test is saved.")).toBeVisible();
  expect(Object.keys((await stored(page, id)).topicTargets ?? {})).toEqual([]);
  await page.getByRole("button", { name: "Undo" }).last().click();
  await expect(topic(page, "Decimals")).toHaveValue("14");
  await expect(page.getByRole("spinbutton", { name: "Hard, Questions", exact: true })).toHaveCount(0);
});

test("approved questions alone, and those of some sources, are what the numbers are out of", async ({ page }) => {
  await signInAsAdmin(page);
  const bank = (await call(page, "GET", "/api/review/questions?grade=5")).questions as { id: string; topic: string; difficulty: number }[];
  const money = bank.filter(({ topic }) => topic === "Money").slice(0, 2);
  for (const { id } of money) await call(page, "POST", "/api/review/submit", { questionId: id, grade: 5, status: "approved" });
  await newTemplate(page, "Approved test");
  await more(page).click();
  await page.getByRole("checkbox", { name: /^Only approved questions/ }).check();
  await expect(page.getByText("2 of 120 are approved")).toBeVisible();
  await expect(page.getByText("of 2 (0 · 0 · 0 · 0 · 2)")).toBeVisible();
  await expect(page.getByText("Hard: 4 of 6 can’t be found")).toBeVisible();
  await page.getByRole("checkbox", { name: /^sample/ }).check();
  await page.getByRole("combobox", { name: /^Order of the questions/ }).selectOption("Easy ones first");
  await expect(more(page)).toContainText("Only approved questions · 1 source · Easy ones first");
  for (const difficulty of ["Easy", "Easy to medium", "Medium", "Medium to hard"]) await page.getByRole("spinbutton", { name: `${difficulty}, Questions`, exact: true }).fill("0");
  await page.getByRole("spinbutton", { name: "Hard, Questions", exact: true }).fill("2");
  await page.getByRole("button", { name: "Draw the questions" }).click();
  await expect(heading(page, "Approved test")).toBeVisible();
  const template = await stored(page, page.url().split("/").pop() as string);
  expect(idsOf(template.standardQuestions).sort()).toEqual(idsOf(money).sort());
  expect(template).toMatchObject({ approvedOnly: true, sources: ["sample"], order: "easy-first" });
});

test("a list is chosen by hand from the bank, sorted by keys, buttons and dragging, and stored when it is saved", async ({ page }) => {
  // High enough for the whole list, so that a question can be dragged from its end to its top.
  await page.setViewportSize({ width: 1_366, height: 1_600 });
  await signInAsAdmin(page);
  // The bank has hard questions alone about data, so none of them is drawn.
  const id = await made(page, { standardTargets: { 1: 2, 2: 2, 3: 1 } });
  const before = idsOf((await stored(page, id)).standardQuestions);
  await choosing(page, id);
  await expect(rows(page)).toHaveCount(5);
  await check(page, "choosing by hand");
  await inBank(page).getByRole("combobox", { name: "Topic" }).selectOption("Data");
  await inBank(page).getByRole("combobox", { name: "Difficulty" }).selectOption("Hard");
  await inBank(page).getByRole("searchbox").fill("no such words");
  await expect(inBank(page).getByText("0 questions found.")).toBeVisible();
  await inBank(page).getByRole("searchbox").fill("");
  await expect(inBank(page).getByText("6 questions found.")).toBeVisible();
  await inBank(page).getByRole("button", { name: /^Add: result \d, Data/ }).first().click();
  await expect(page.getByText("Added. The list has 6 questions.")).toBeAttached();
  // The button that was pressed has become the one that takes the question out, and has the focus.
  await expect(inBank(page).locator("button:focus")).toHaveText("Take out");
  await expect(rows(page).nth(5)).toContainText("Data");
  const bank = (await call(page, "GET", "/api/review/questions?grade=5")).questions as { id: string; topic: string }[];
  // By keys: the question that has the focus goes up twice, and the focus with it.
  await button(page, "Take out question 6").focus();
  await page.keyboard.press("Alt+ArrowUp");
  await expect(page.getByText("The question is now number 5 of 6.")).toBeAttached();
  await page.keyboard.press("Alt+ArrowUp");
  await expect(button(page, "Take out question 4")).toBeFocused();
  await expect(rows(page).nth(3)).toContainText("Data");
  // By buttons.
  await button(page, "Move question 4 down").click();
  await expect(button(page, "Move question 5 down")).toBeFocused();
  await expect(rows(page).nth(4)).toContainText("Data");
  // The first one goes no further, and its button keeps the focus.
  await button(page, "Move question 1 up").focus();
  await page.keyboard.press("Enter");
  await expect(button(page, "Move question 1 up")).toBeFocused();
  // By dragging: to the top.
  const [handle, top] = [await rows(page).nth(4).locator(".handle").boundingBox(), await rows(page).nth(0).boundingBox()];
  if (handle === null || top === null) throw new Error("no list");
  await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2);
  await page.mouse.down();
  await page.mouse.move(handle.x + handle.width / 2, top.y + 4, { steps: 8 });
  await page.mouse.up();
  await expect(rows(page).nth(0)).toContainText("Data");
  await button(page, "Take out question 6").click();
  await expect(rows(page)).toHaveCount(5);
  expect(idsOf((await stored(page, id)).standardQuestions)).toEqual(before);
  await button(page, "Save the list").click();
  await expect(page.getByText("The list is saved: 5 questions.")).toBeVisible();
  const after = idsOf((await stored(page, id)).standardQuestions);
  expect(after.slice(1)).toEqual(before.slice(0, 4));
  expect(bank.find((question) => question.id === after[0])?.topic).toBe("Data");
  await page.keyboard.press("Control+z");
  await expect(page.getByText("Undone.")).toBeVisible();
  expect(idsOf((await stored(page, id)).standardQuestions)).toEqual(before);
  await expect(rows(page).nth(0)).not.toContainText("Data");
});

test("what is pinned stays when the rest is drawn anew, and comes into a copy", async ({ page }) => {
  await signInAsAdmin(page);
  const id = await made(page);
  const before = idsOf((await stored(page, id)).standardQuestions);
  await choosing(page, id);
  await button(page, "Pin question 2").click();
  await expect(button(page, "Pin question 2")).toHaveAttribute("aria-pressed", "true");
  await button(page, "Pin question 5").click();
  await button(page, "Save the list").click();
  await expect(page.getByText("The list is saved: 5 questions.")).toBeVisible();
  const pinned = [before[1], before[4]].sort();
  expect([...(await stored(page, id)).pinned].sort()).toEqual(pinned);
  await part(page, "Paper").click();
  await expect(page.getByText("Pinned", { exact: true })).toHaveCount(2);
  await page.getByRole("button", { name: "Draw anew" }).click();
  const asking = page.getByRole("dialog", { name: "Draw all questions anew that are not pinned?" });
  await expect(asking).toContainText("2 pinned questions stay.");
  await check(page, "drawing anew what is not pinned");
  await asking.getByRole("button", { name: "Draw 3 questions anew" }).click();
  await expect(page.getByText("All questions that are not pinned are drawn anew.")).toBeVisible();
  const drawn = await stored(page, id);
  expect(drawn.standardQuestions).toHaveLength(5);
  expect(idsOf(drawn.standardQuestions)).toEqual(expect.arrayContaining(pinned));
  await expect(page.getByText("Pinned", { exact: true })).toHaveCount(2);
  await page.getByRole("link", { name: "Duplicate" }).click();
  await expect(page.getByText("the same 2 pinned questions")).toBeVisible();
  await page.getByRole("button", { name: "Draw the questions" }).click();
  await expect(heading(page, "Copy of Spring test")).toBeVisible();
  const copy = await stored(page, page.url().split("/").pop() as string);
  expect([...copy.pinned].sort()).toEqual(pinned);
  expect(idsOf(copy.standardQuestions)).toEqual(expect.arrayContaining(pinned));
});

test("a list that is not saved asks before it is left, and says what others did and why it was refused", async ({ page }) => {
  await signInAsAdmin(page);
  const id = await made(page);
  await choosing(page, id);
  await button(page, "Take out question 1").click();
  await expect(button(page, "Take out question 1")).toBeFocused();
  await part(page, "Paper").click();
  const unsaved = page.getByRole("dialog");
  await expect(unsaved).toBeVisible();
  await check(page, "a list that is not saved");
  await page.keyboard.press("Escape");
  await expect(rows(page)).toHaveCount(4);
  // Meanwhile somebody else changes another field.
  await call(page, "PUT", `/api/manager/test-templates/${id}`, { durationMinutes: 45 });
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(page.getByText("If you save, this list becomes what you see here.")).toBeVisible();
  await expect(rows(page)).toHaveCount(4);
  await page.route("**/questions", (route) => route.fulfill({ status: 400, json: { error: "Invalid questionIds" } }), { times: 1 });
  await button(page, "Save the list").click();
  await expect(page.getByRole("alert").filter({ hasText: "A question of it may have been retired meanwhile" })).toBeVisible();
  for (let left = 4; left > 0; left -= 1) await button(page, "Take out question 1").click();
  await expect(page.getByText("The list is empty. Add questions from the bank.")).toBeVisible();
  await button(page, "Save the list").click();
  await expect(page.getByRole("alert").filter({ hasText: "A list has 1 to 200 questions." })).toBeVisible();
  await button(page, "Discard the changes").click();
  await expect(rows(page)).toHaveCount(5);
  await part(page, "Paper").click();
  await expect(page.getByRole("heading", { name: "Question 5", exact: true })).toBeVisible();
});

test("a question of a grade that the template has no longer is marked, and has to go before the list is saved", async ({ page }) => {
  await signInAsAdmin(page);
  const id = await made(page, { grades: [5, 6], standardTargets: { 1: 40 } });
  await call(page, "PUT", `/api/manager/test-templates/${id}`, { grades: [5] });
  const strangers = (await stored(page, id)).standardQuestions.filter(({ grade }: { grade: number }) => grade === 6).length;
  expect(strangers).toBeGreaterThan(0);
  await choosing(page, id);
  await expect(page.getByText("Not in the bank of these grades")).toHaveCount(strangers);
  await button(page, "Move question 1 down").click();
  await button(page, "Save the list").click();
  await expect(page.getByRole("alert").filter({ hasText: "not in the bank of the template’s grades any more" })).toBeVisible();
});

test("the second stage is not offered what the first one has", async ({ page }) => {
  await signInAsAdmin(page);
  const id = await made(page, { mode: "adaptive", session1Targets: FEW, session2TargetsByBand: Object.fromEntries(BANDS.map((band) => [band, FEW])) });
  await page.goto(`/staff/templates/${id}?view=choose&list=80-90`);
  await expect(inBank(page).getByText("115 questions found.")).toBeVisible();
  await expect(inBank(page).getByText("5 questions of the other stage are left out")).toBeVisible();
  await button(page, "Pin question 1").click();
  await page.getByRole("navigation", { name: "Lists" }).getByRole("link", { name: /^Stage 1/ }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await button(page, "Save the list").click();
  await expect(page.getByText("The list is saved: 5 questions.")).toBeVisible();
  await page.getByRole("navigation", { name: "Lists" }).getByRole("link", { name: /^Stage 1/ }).click();
  await expect(page.getByRole("region", { name: "Stage 1", exact: true })).toBeVisible();
  await expect(button(page, "Pin question 1")).toHaveAttribute("aria-pressed", "false");
  await page.getByRole("navigation", { name: "Lists" }).getByRole("link", { name: /^80–90/ }).click();
  await expect(button(page, "Pin question 1")).toHaveAttribute("aria-pressed", "true");
});

test("on a phone, a tablet and a desktop nothing is cut off, and a finger drags", async ({ browser, hall, page: head }) => {
  await signInAsAdmin(head);
  const id = await made(head);
  const context = await browser.newContext({ baseURL: hall.url, viewport: { width: 390, height: 844 }, locale: "vi-VN", hasTouch: true });
  await context.addCookies(await head.context().cookies());
  const page = await context.newPage();
  for (const width of [390, 820, 1_366]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(`/staff/templates/${id}?view=choose`);
    await expect(page.getByText(/^Tìm thấy 120 câu\./)).toBeVisible();
    await check(page, `choosing, ${width} px`);
    await page.goto("/staff/templates/new");
    await page.getByRole("checkbox", { name: "5", exact: true }).check();
    await page.locator("summary").filter({ hasText: "Lựa chọn thêm" }).click();
    await expect(page.getByText("có 33 (0 · 7 · 8 · 6 · 12)")).toBeVisible();
    await check(page, `the form, ${width} px`);
  }
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`/staff/templates/${id}?view=choose`);
  await expect(page.getByText(/^Tìm thấy 120 câu\./)).toBeVisible();
  await fits(page, "choosing, 320 px");
  // Below one another, the two parts lead to each other.
  await page.getByRole("button", { name: "Đến ngân hàng" }).click();
  await expect(page.getByRole("heading", { name: "Trong ngân hàng" })).toBeFocused();
  await page.getByRole("button", { name: "Đến danh sách" }).click();
  await expect(page.getByRole("heading", { level: 2, name: "Câu hỏi" })).toBeFocused();
  // What a finger does on the handle is no scrolling.
  expect(await rows(page).first().locator(".handle").evaluate((node) => getComputedStyle(node).touchAction)).toBe("none");
});
