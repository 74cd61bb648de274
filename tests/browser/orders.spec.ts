// Options in an order of the student's own, and the forms of a sitting: the page shows letters by position, and the server
// has those of the bank, whatever way an answer takes.

import type { Page } from "@playwright/test";
import { check } from "./accessible";
import { altered, firstPosted } from "./answers";
import { expect, test } from "./hall";
import { School, finish, ready, standing } from "./sitting";
import { OFTEN, at, call, handIn, kept, linkOf, report, saving, signInAsAdmin, start, stored } from "./student";

const LETTERS = ["A", "B", "C", "D"];
const QUESTIONS = 10;
const TARGETS = { 1: 4, 2: 3, 3: 3, 4: 0, 5: 0 };

const textOf = (letter: string) => `Option ${letter} of the bank`;

/** From now on each option of a template, and of a report, says which it is in the bank. */
async function plain(page: Page): Promise<void> {
  const named = (question: { options: string[] }) => ({ ...question, options: question.options.map((_, index) => textOf(LETTERS[index] ?? "")) });
  await altered(page, /\/api\/(test-templates\/[^/?]+|report\/[^/]+\/questions)(\?.*)?$/, (body) => {
    for (const list of ["standardQuestions", "session1Questions", "questions"]) if (Array.isArray(body[list])) body[list] = body[list].map(named);
    const bands = body.session2QuestionsByBand ?? {};
    for (const band of Object.keys(bands)) bands[band] = bands[band].map(named);
    return body;
  });
}

/** The option that the page shows under this letter. */
const option = (page: Page, letter: string) => page.getByRole("radio", { name: new RegExp(`^${letter} `) });
const chosenValue = (page: Page) => page.locator("[name=option]:checked");
const out = (page: Page) => page.locator("label.out input").evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value).sort());
const said = (page: Page, sentence: string) => expect(page.locator("[role=status]").getByText(sentence, { exact: true })).toBeAttached();

/** Checks that the options stand in this order, under letters that go by position. */
async function stands(page: Page, order: string): Promise<void> {
  const rows = page.locator("fieldset label");
  await expect(rows.locator("b")).toHaveText(LETTERS.slice(0, order.length));
  await expect(rows.locator(".option")).toHaveText([...order].map(textOf));
}

/** The ids of the questions whose texts the browser has stored. */
const keptTexts = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const opened = indexedDB.open("examhall");
    await new Promise((resolve) => (opened.onsuccess = resolve));
    const asked = opened.result.transaction("texts").objectStore("texts").getAll();
    await new Promise((resolve) => (asked.onsuccess = resolve));
    opened.result.close();
    return asked.result.flatMap(({ questions }) => Object.keys(questions));
  });

/** Goes on to the question with this number. */
async function turnTo(page: Page, number: number): Promise<void> {
  for (let turn = 1; turn < number; turn += 1) {
    await at(page, turn);
    await page.keyboard.press("ArrowRight");
  }
  await at(page, number);
}

test("chosen by mouse and keys, crossed out, reloaded, on another device, without a network, and in the report", async ({ page, browser, hall }) => {
  test.setTimeout(150_000);
  const admin = await (await browser.newContext({ baseURL: hall.url, locale: "en-GB" })).newPage();
  await signInAsAdmin(admin);
  const body = { name: "Shuffled", grades: [5], mode: "standard", durationMinutes: 20, standardTargets: TARGETS, shuffleOptions: true };
  const { template } = await call(admin, "POST", "/api/admin/test-templates", body);
  await plain(page);
  const [starting] = await firstPosted(page, /\/api\/live$/);
  await start(page, `/t/${template.id}`);
  const begun = await starting;
  const place = (begun.questionIds as string[]).findIndex((id) => begun.optionOrder?.[id]?.length === LETTERS.length);
  expect(place, JSON.stringify(begun.optionOrder)).not.toBe(-1);
  const id = begun.questionIds[place] as string;
  const order = begun.optionOrder[id] as string;
  const [first = "", second = "", third = "", fourth = ""] = order;
  const asStored = async () => {
    const answer = await page.request.get(`${hall.url}/api/live/${begun.sessionId}`, { headers: { Authorization: `Bearer ${begun.token}` } });
    return (await answer.json()).answers.find(({ questionId }: { questionId: string }) => questionId === id);
  };

  await turnTo(page, place + 1);
  await stands(page, order);
  await page.locator("fieldset label").first().click();
  await said(page, "Answer A chosen.");
  await expect(chosenValue(page)).toHaveValue(first);
  await saving(page, "saved");
  expect(await asStored()).toMatchObject({ selected: first });
  await page.keyboard.press("b");
  await said(page, "Answer B chosen.");
  await expect(option(page, "B")).toBeChecked();
  await expect(option(page, "B")).toHaveValue(second);
  await page.keyboard.press("Shift+C");
  await said(page, "Answer C is crossed out.");
  await page.locator("fieldset label").last().click({ button: "right" });
  await said(page, "Answer D is crossed out.");
  await expect.poll(() => out(page)).toEqual([third, fourth].sort());
  await expect(page.getByRole("button", { name: "Cross out answer D" })).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByRole("radio", { name: /^C .*crossed out/ })).toHaveValue(third);
  await page.keyboard.press("Shift+B");
  await expect(page.locator(".notice")).toContainText("B is your answer.");
  await check(page, "options in an order of one's own");
  await saving(page, "saved");
  expect(await asStored()).toMatchObject({ selected: second, eliminated: [third, fourth].sort() });

  await page.reload();
  await at(page, place + 1);
  await stands(page, order);
  await expect(chosenValue(page)).toHaveValue(second);
  await expect.poll(() => out(page)).toEqual([third, fourth].sort());

  const other = await (await browser.newContext({ baseURL: hall.url, locale: "en-GB" })).newPage();
  await plain(other);
  await other.goto(await linkOf(page));
  await turnTo(other, place + 1);
  await stands(other, order);
  await expect(option(other, "B")).toBeChecked();
  await saving(other, "saved");
  await kept(other);
  await other.context().setOffline(true);
  await other.keyboard.press("d");
  await said(other, "Answer D chosen.");
  await saving(other, "offline");
  await other.reload();
  await at(other, place + 1);
  await stands(other, order);
  await expect(option(other, "D")).toBeChecked();
  await other.context().setOffline(false);
  await saving(other, "saved");
  await expect.poll(asStored).toMatchObject({ selected: fourth });

  // And back: this device shows what the other one has answered, under the same letter.
  await page.getByRole("button", { name: "Continue here" }).click();
  await at(page, place + 1);
  await stands(page, order);
  await expect(option(page, "D")).toBeChecked();
  await page.getByRole("button", { name: "Help" }).click();
  await page.getByRole("combobox").selectOption("vi");
  await page.keyboard.press("Escape");
  await stands(page, order);
  await page.keyboard.press("a");
  await said(page, "Đã chọn câu trả lời A.");
  await expect(page.getByRole("button", { name: "Gạch bỏ câu trả lời C" })).toHaveAttribute("aria-pressed", "true");
  await check(page, "options in an order of one's own, in Vietnamese");
  await page.getByRole("button", { name: "Trợ giúp" }).click();
  await page.getByRole("combobox").selectOption("en");
  await page.keyboard.press("Escape");
  await saving(page, "saved");

  for (let turn = place; turn < QUESTIONS; turn += 1) await page.keyboard.press("ArrowRight");
  await handIn(page);
  await report(page);
  const session = (await stored(page)) as any;
  const line = session.result.answers.find(({ questionId }: { questionId: string }) => questionId === id);
  expect(line.selected).toBe(first);
  expect(session.optionOrder[id]).toBe(order);
  const rows = page.locator("article").nth(place).locator("li");
  await expect(rows.locator("b")).toHaveText(LETTERS);
  await expect(rows.locator(".option")).toHaveText([...order].map(textOf));
  await expect(rows.first()).toContainText("Your answer");
  await expect(rows.nth(order.indexOf(line.correct))).toContainText("Right answer");
  await expect(page.getByText("master copy")).toHaveCount(0);

  // Staff read beside it what each letter is in the master copy.
  await plain(admin);
  await admin.goto(`/report/${begun.sessionId}`);
  const master = admin.locator("article").nth(place).locator("li");
  await expect(master.locator("b")).toHaveText(LETTERS);
  for (const [position, letter] of [...order].entries()) {
    const beside = master.nth(position).getByText("in the master copy");
    if (letter === LETTERS[position]) await expect(beside).toHaveCount(0);
    else await expect(beside).toHaveText(`(${letter} in the master copy)`);
  }
  await check(admin, "report with the letters of the master copy");
  await admin.getByRole("combobox").selectOption("vi");
  const moved = [...order].findIndex((letter, position) => letter !== LETTERS[position]);
  await expect(master.nth(moved)).toContainText(`(${order[moved]} trong đề gốc)`);
  await check(admin, "report with the letters of the master copy, in Vietnamese");
});

test("an adaptive test has orders of its own in the second part too", async ({ page, browser, hall }) => {
  test.setTimeout(120_000);
  const admin = await (await browser.newContext({ baseURL: hall.url })).newPage();
  await signInAsAdmin(admin);
  const bands = Object.fromEntries(["90-100", "80-90", "70-80", "60-70", "below-60"].map((band) => [band, TARGETS]));
  const body = { name: "Shuffled in two parts", grades: [5], mode: "adaptive", durationMinutes: 70, session1Targets: TARGETS, session2TargetsByBand: bands, shuffleOptions: true };
  const { template } = await call(admin, "POST", "/api/admin/test-templates", body);
  await plain(page);
  const [starting] = await firstPosted(page, /\/api\/live$/);
  await start(page, `/t/${template.id}`);
  const begun = await starting;
  const state = async () => (await page.request.get(`${hall.url}/api/live/${begun.sessionId}`, { headers: { Authorization: `Bearer ${begun.token}` } })).json();
  expect(Object.keys(begun.optionOrder ?? {}).length).toBeGreaterThan(0);
  await turnTo(page, QUESTIONS);
  await page.keyboard.press("ArrowRight");
  await page.locator("main").getByRole("button", { name: "Go on to part 2" }).click();
  await page.getByRole("button", { name: "Yes, go on to part 2" }).click();
  await expect(page.getByText("Part 2 of 2")).toBeVisible();

  const second = await state();
  expect(second.optionOrder).toMatchObject(begun.optionOrder);
  const place = (second.questionIds as string[]).findIndex((id) => second.optionOrder[id]?.length === LETTERS.length);
  expect(place, JSON.stringify(second.optionOrder)).not.toBe(-1);
  const order = second.optionOrder[second.questionIds[place]] as string;
  await turnTo(page, place + 1);
  await stands(page, order);
  await page.keyboard.press("a");
  await said(page, "Answer A chosen.");
  await expect(option(page, "A")).toHaveValue(order.charAt(0));
  await saving(page, "saved");
  const { answers } = await state();
  expect(answers.find(({ questionId }: { questionId: string }) => questionId === second.questionIds[place])).toMatchObject({ selected: order.charAt(0) });
  await page.reload();
  await at(page, place + 1);
  await stands(page, order);
  await expect(option(page, "A")).toBeChecked();
});

test("whichever form a link gives, all of its questions are there, and stay without a network", async ({ browser, hall }) => {
  test.setTimeout(240_000);
  const admin = await (await browser.newContext({ baseURL: hall.url })).newPage();
  await signInAsAdmin(admin);
  const body = { name: "Parallel", grades: [5], mode: "standard", durationMinutes: 20, standardTargets: TARGETS, forms: 2, parallelForms: true };
  const { template } = await call(admin, "POST", "/api/admin/test-templates", body);
  expect(template.formQuestions.length).toBeGreaterThan(0);
  const seen = new Set<string>();
  // One run in half a million gets the same form each time.
  for (let time = 0; time < 20 && seen.size < 2; time += 1) {
    const context = await browser.newContext({ baseURL: hall.url, locale: "en-GB" });
    const page = await context.newPage();
    await start(page, `/t/${template.id}`);
    const form = /Form ([AB])/.exec(await page.locator(".facts").innerText())?.[1] ?? "none";
    const isNew = !seen.has(form);
    seen.add(form);
    if (isNew) {
      await kept(page);
      // The other form is none of this student's business.
      await expect.poll(async () => (await keptTexts(page)).length, OFTEN).toBe(QUESTIONS);
      await context.setOffline(true);
      await page.reload();
    }
    for (let number = 1; number <= QUESTIONS; number += 1) {
      await at(page, number);
      await expect(page.locator("#question-text")).toBeVisible();
      await expect(page.getByText("This question can’t be shown.")).toHaveCount(0);
      await page.keyboard.press("ArrowRight");
    }
    await context.close();
  }
  expect([...seen].sort()).toEqual(["A", "B"]);
});

test("neighbours in a sitting have different forms, which stand in the waiting room, in the head and in the report", async ({ browser, hall }) => {
  test.setTimeout(150_000);
  const admin = await (await browser.newContext({ baseURL: hall.url })).newPage();
  await signInAsAdmin(admin);
  const body = { name: "Two forms", grades: [5], mode: "standard", durationMinutes: 20, standardTargets: TARGETS, forms: 2 };
  const { template } = await call(admin, "POST", "/api/admin/test-templates", body);
  const class_ = [{ name: "Ada Lovelace", room: "B12", seat: "14" }, { name: "Bo Tran", room: "B12", seat: "15" }];
  const school = await School.open(browser, hall, class_, { templateId: template.id, results: "now" });
  const ada = await school.entered("Ada Lovelace");
  const bo = await school.entered("Bo Tran", { locale: "en-GB", viewport: { width: 360, height: 740 } });
  await Promise.all([ready(ada.page), ready(bo.page)]);
  const forms = await Promise.all([ada, bo].map(({ page }) => page.locator("dt", { hasText: /^Form$/ }).locator("xpath=following-sibling::dd").innerText()));
  expect([...forms].sort()).toEqual(["A", "B"]);
  await check(bo.page, "the waiting room with a form, on a phone");
  // Before the beginning nothing is said of the questions.
  for (const { page } of [ada, bo]) expect(Object.keys(await standing(page))).not.toContain("optionOrder");
  await school.begin();
  for (const [index, { page }] of [ada, bo].entries()) {
    await at(page, 1);
    await expect(page.locator(".facts")).toContainText(`Form ${forms[index]}`);
    const { form, questionIds, optionOrder = {} } = await standing(page);
    expect(form).toBe(forms[index]);
    const order = optionOrder[questionIds[0]] ?? "ABCD";
    await expect.poll(() => page.locator("[name=option]").evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value))).toEqual([...order].slice(0, await page.locator("[name=option]").count()));
    await page.keyboard.press("a");
    await saving(page, "saved");
    expect((await standing(page)).answers[0]).toMatchObject({ questionId: questionIds[0], selected: order[0] });
  }
  await check(bo.page, "a question with a form, on a phone");
  const letter = bo.page.locator("header .form");
  await expect(letter).toBeHidden();
  // On its side a phone has no room for the other facts.
  await bo.page.setViewportSize({ width: 640, height: 360 });
  await expect(bo.page.locator(".facts")).toBeHidden();
  await expect(letter).toBeVisible();
  await check(bo.page, "a question with a form, on a phone on its side");
  await bo.page.setViewportSize({ width: 360, height: 740 });
  const [ofAda, ofBo] = await Promise.all([standing(ada.page), standing(bo.page)]);
  expect([...ofAda.questionIds].sort()).toEqual([...ofBo.questionIds].sort());
  expect(ofAda.questionIds).not.toEqual(ofBo.questionIds);

  await ada.page.getByRole("button", { name: "Help" }).click();
  await ada.page.getByRole("combobox").selectOption("vi");
  await ada.page.keyboard.press("Escape");
  await expect(ada.page.locator(".facts")).toContainText(`Đề ${forms[0]}`);

  // Without a network the page still knows its form and its order.
  const values = () => bo.page.locator("[name=option]").evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value).join(""));
  const before = await values();
  await kept(bo.page);
  await bo.context.setOffline(true);
  await bo.page.reload();
  await at(bo.page, 1);
  expect(await values()).toBe(before);
  await expect(bo.page.locator(".facts")).toContainText(`Form ${forms[1]}`);
  await bo.context.setOffline(false);
  await saving(bo.page, "saved");
  await finish(bo.page);
  await report(bo.page);
  await expect(bo.page.getByText(new RegExp(` · Form ${forms[1]}$`))).toBeVisible();
});
