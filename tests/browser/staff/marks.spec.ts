// Marks of a school's own: a scale chosen for the school, in a template and in a sitting, and its marks in results and reports.

import type { APIRequestContext, Browser, Page } from "@playwright/test";
import { check } from "../accessible";
import { expect, test, type Hall } from "../hall";
import { School } from "../sitting";
import { call, signInAsAdmin, template } from "../student";
import { after, allRight, entered, handsIn, keysOf, type Answering } from "./answered";
import { signIn } from "./people";

const TEN = { type: "numbers", basis: "percent", worst: 0, best: 10, step: 0.5, rounding: "nearest", pass: 5 };
const LETTERS = {
  type: "labels",
  basis: "percent",
  labels: [{ label: "A", from: 90 }, { label: "B", from: 80 }, { label: "C", from: 70 }, { label: "D", from: 60 }, { label: "F", from: 0 }],
  pass: "D",
};
/** Of ten questions, the first ones are right. */
const firstOnes = (count: number): Answering => (right, place) => (place < count ? right : after(right));
const ANSWERS: Record<string, Answering> = { "Ada All": allRight, "Hal Half": firstOnes(5), "Lou Less": firstOnes(4) };
const NAMES = Object.keys(ANSWERS);

const scale = (page: Page) => page.getByRole("combobox", { name: /^(Marks|Điểm quy đổi)$/ });
const examples = (page: Page) => page.getByRole("table", { name: /^(For example|Ví dụ)$/ });
const example = (page: Page, result: string) => examples(page).getByRole("row").filter({ has: page.getByRole("rowheader", { name: result, exact: true }) });
const messages = (page: Page) => page.getByRole("region", { name: "Messages", exact: true });
const row = (page: Page, name: string) => page.getByRole("grid").getByRole("row").filter({ hasText: name });
const results = (school: School) => `/staff/results?sittingId=${school.sitting.id}`;
const idOf = (page: Page) => new URL(page.url()).pathname.split("/").at(-1) ?? "";

async function ofSchool(page: Page): Promise<any> {
  return (await call(page, "GET", "/api/admin/school")).markScale ?? null;
}

async function ofTemplate(page: Page, id: string): Promise<any> {
  return (await call(page, "GET", `/api/manager/test-templates/${id}`)).template.markScale;
}

async function ofSitting(page: Page, id: string): Promise<any> {
  return (await call(page, "GET", `/api/admin/sittings/${id}`)).sitting.markScale ?? null;
}

/** A sitting that all of these have handed in, with the id of each test. */
async function sat(browser: Browser, hall: Hall, request: APIRequestContext, changes: Record<string, unknown>): Promise<{ school: School; sessions: Map<string, string> }> {
  const school = await School.open(browser, hall, NAMES.map((name, index) => ({ name, room: "B12", seat: String(index + 1) })), changes);
  const keys = await keysOf(school.page);
  const attempts = await Promise.all(NAMES.map(async (name) => [name, await entered(request, school, name)] as const));
  await school.begin();
  for (const [name, attempt] of attempts) await handsIn(request, attempt, keys, ANSWERS[name] ?? allRight);
  return { school, sessions: new Map(attempts.map(([name, { sessionId }]) => [name, sessionId])) };
}

test("the school chooses a ready-made scale, sees what it makes of results, and takes it back", async ({ browser, hall }) => {
  const { page } = await signIn(browser, hall, "head@school.example", "Head", "/staff/school");
  const form = page.getByRole("form", { name: "Settings" });
  await expect(scale(page)).toHaveValue("none");
  await expect(examples(page)).toHaveCount(0);
  await scale(page).selectOption("0 to 10, best 10");
  await expect(example(page, "100 %")).toContainText(/10\.0\s*passed/);
  await expect(example(page, "40 %")).toContainText(/4\.0\s*not passed/);
  await expect(form.getByText("0 to 10, best 10, in steps of 0.5; pass mark 5; by right answers.")).toBeVisible();
  await check(page, "a ready-made scale");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(messages(page).getByText("The settings of the school are saved.")).toBeVisible();
  expect(await ofSchool(page)).toEqual(TEN);
  await messages(page).getByRole("button", { name: "Undo" }).click();
  await expect(messages(page).getByText("Undone.")).toBeVisible();
  await expect.poll(() => ofSchool(page)).toBeNull();
  await expect(scale(page)).toHaveValue("none");
});

test("a school makes a scale of its own, and what is wrong with it is said where it is", async ({ browser, hall }) => {
  const { page } = await signIn(browser, hall, "head@school.example", "Head", "/staff/school");
  const form = page.getByRole("form", { name: "Settings" });
  await scale(page).selectOption("1 to 6, best 1");
  await scale(page).selectOption("A scale of your own…");
  const box = (name: RegExp) => form.getByRole("textbox", { name });
  await expect(box(/^Best mark/)).toHaveValue("1");
  await form.getByRole("combobox", { name: "In steps of" }).selectOption("0.5");
  await box(/^Pass mark/).fill("7");
  await expect(form.getByText("The pass mark must lie between the worst and the best mark.")).toBeVisible();
  await expect(examples(page)).toHaveCount(0);
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form.getByText(/^Something above can’t be saved/)).toBeVisible();
  await check(page, "a pass mark outside the scale");
  expect(await ofSchool(page)).toBeNull();
  await box(/^Pass mark/).fill("4,5");
  await expect(example(page, "50 %")).toContainText(/3\.5\s*passed/);

  await form.getByRole("radio", { name: "Words or letters" }).check();
  await box(/^Word or letter 1$/).fill("Fine");
  await box(/^From \(%\), Word or letter 1$/).fill("33.5");
  await form.getByRole("button", { name: "One more" }).click();
  await expect(form.getByText("Write a word or a letter.")).toBeVisible();
  await box(/^Word or letter 2$/).fill("Fair");
  await expect(form.getByText("Write a number of this scale, with two decimals at most.")).toBeVisible();
  await box(/^From \(%\), Word or letter 2$/).fill("40");
  await expect(form.getByText("It must be lower than the one above.")).toBeVisible();
  await check(page, "words in the wrong order");
  await box(/^From \(%\), Word or letter 2$/).fill("20");
  await box(/^Word or letter 3$/).fill("Again");
  await form.getByRole("combobox", { name: "Passed" }).selectOption("Passed from Fair on");
  await expect(example(page, "20 %")).toContainText(/Fair\s*passed/);
  await form.getByRole("button", { name: "Save" }).click();
  await expect(messages(page).getByText("The settings of the school are saved.")).toBeVisible();
  expect(await ofSchool(page)).toEqual({
    type: "labels",
    basis: "percent",
    labels: [{ label: "Fine", from: 33.5 }, { label: "Fair", from: 20 }, { label: "Again", from: 0 }],
    pass: "Fair",
  });
  await page.reload();
  await expect(scale(page)).toHaveValue("own");
  await expect(box(/^Word or letter 2$/)).toHaveValue("Fair");
});

test("a template has the school's scale, one of its own or none, and a sitting begins with it", async ({ page }) => {
  await signInAsAdmin(page);
  await call(page, "PATCH", "/api/admin/school", { markScale: TEN });
  await page.goto("/staff/templates/new");
  await page.getByRole("checkbox", { name: "5", exact: true }).check();
  await page.getByRole("textbox", { name: /^Name/ }).fill("Spring test");
  await expect(scale(page)).toHaveValue("school");
  await scale(page).selectOption("A to F");
  await expect(example(page, "60 %")).toContainText(/D\s*passed/);
  await page.getByRole("button", { name: "Draw the questions" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Spring test" })).toBeVisible();
  const id = idOf(page);
  expect(await ofTemplate(page, id)).toEqual(LETTERS);

  await page.goto(`/staff/templates/${id}?view=settings`);
  await expect(scale(page)).toHaveValue("letters");
  await scale(page).selectOption("None: the score alone");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Spring test is saved.")).toBeVisible();
  expect(await ofTemplate(page, id)).toBeNull();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(scale(page)).toHaveValue("letters");
  expect(await ofTemplate(page, id)).toEqual(LETTERS);

  await page.goto(`/staff/sittings/new?templateId=${id}`);
  await expect(scale(page)).toHaveValue("template");
  await page.getByLabel("Name").fill("Of the template");
  await page.getByLabel("Room", { exact: true }).fill("B12");
  await page.getByRole("button", { name: "Plan this sitting" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Of the template" })).toBeVisible();
  expect(await ofSitting(page, idOf(page))).toEqual(LETTERS);
  await expect(page.locator("[data-marks]")).toContainText("A, B, C, D, F; pass mark D; by right answers");

  // Another template says nothing, so the school decides; and whoever plans a sitting decides before either.
  const silent = await template(page, "Silent");
  await page.goto(`/staff/sittings/new?templateId=${silent}`);
  await page.getByLabel("Name").fill("Of the school");
  await page.getByLabel("Room", { exact: true }).fill("B12");
  await page.getByRole("button", { name: "Plan this sitting" }).click();
  await expect(page.locator("[data-marks]")).toContainText("0 to 10, best 10");
  expect(await ofSitting(page, idOf(page))).toEqual(TEN);
  await page.goto(`/staff/sittings/new?templateId=${silent}`);
  await page.getByLabel("Name").fill("Its own");
  await page.getByLabel("Room", { exact: true }).fill("B12");
  await scale(page).selectOption("None: the score alone");
  await page.getByRole("button", { name: "Plan this sitting" }).click();
  await expect(page.locator("[data-marks]")).toContainText("none");
  expect(await ofSitting(page, idOf(page))).toBeNull();
});

test("marks stand beside scores in results and, once these are released, in reports; another scale holds at once", async ({ browser, hall, request }) => {
  const { school, sessions } = await sat(browser, hall, request, { markScale: TEN });
  const { page } = school;
  const student = (await school.device()).page;
  const report = (name: string) => `/report/${sessions.get(name)}`;

  // Nobody is told a mark before the release.
  await student.goto(report("Ada All"));
  await expect(student.getByRole("heading", { name: "The results are not out yet" })).toBeVisible();
  const held = await student.request.get(`/api/sessions/${sessions.get("Ada All")}`);
  expect(held.status()).toBe(403);
  expect(await held.text()).not.toContain("mark");
  await expect(student.locator("[data-mark]")).toHaveCount(0);
  await expect(student.getByText("10.0")).toHaveCount(0);

  // Those who manage the sitting see it, as they see the score.
  await page.goto(results(school));
  await expect(row(page, "Ada All")).toContainText(/800.*10\.0.*10\/10/);
  await expect(row(page, "Hal Half")).toContainText("5.0");
  await expect(row(page, "Hal Half")).not.toContainText("not passed");
  await expect(row(page, "Lou Less")).toContainText(/not passed\s*4\.0/);
  const names = () => page.getByRole("grid").getByRole("rowheader").allTextContents();
  const heading = page.getByRole("columnheader", { name: /^Mark/ });
  await heading.getByRole("button").click();
  await expect.poll(names).toEqual(["Lou Less", "Hal Half", "Ada All"]);
  await heading.getByRole("button").click();
  await expect.poll(names).toEqual(["Ada All", "Hal Half", "Lou Less"]);
  await check(page, "marks in results");

  await page.getByRole("group", { name: "Compare by" }).getByRole("button", { name: "Mark", exact: true }).click();
  const spread = page.getByRole("table", { name: "Marks", exact: true });
  await expect(spread.getByRole("row").filter({ hasText: "5.0" })).toHaveText(/^\s*5\.0\s*1\s*$/);
  await expect(page.getByText("2 of 3", { exact: true })).toBeVisible();
  await expect(page.getByText("6.3", { exact: true })).toBeVisible();
  await spread.getByRole("button", { name: "4.0", exact: true }).click();
  await expect(page.getByText("1 of 3 students", { exact: true })).toBeVisible();
  await expect.poll(names).toEqual(["Lou Less"]);
  await check(page, "the spread of marks");
  await page.reload();
  await expect(spread.getByRole("button", { name: "4.0", exact: true })).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page.getByText("3 students", { exact: true })).toBeVisible();

  await school.release();
  await expect(student.locator("[data-mark]")).toHaveText(/^Mark\s*10\.0$/);
  await expect(student.getByText("That is a pass.")).toBeVisible();
  await check(student, "a report with a mark");
  await student.goto(report("Lou Less"));
  await expect(student.locator("[data-mark]")).toHaveText(/^Mark\s*4\.0$/);
  await expect(student.getByText("Not a pass this time. What was not right yet can be practised.")).toBeVisible();
  await student.getByRole("link", { name: "Sheet for parents" }).click();
  await expect(student.locator("[data-mark]")).toHaveText(/^Mark\s*4\.0$/);
  await expect(student.getByText("The mark is the school’s own")).toBeVisible();
  await expect(student.getByText("It is no school mark")).toHaveCount(0);
  await check(student, "a sheet for parents with a mark");

  await page.getByRole("link", { name: "To the sitting" }).click();
  await page.getByRole("button", { name: "Change the marks…" }).click();
  await expect(scale(page)).toHaveValue("ten");
  await scale(page).selectOption("A to F");
  await expect(page.getByText("All results of this sitting get the marks of this scale at once")).toBeVisible();
  await check(page, "another scale for a sitting");
  await page.locator("[data-marks]").getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("The marks are changed.")).toBeVisible();
  await expect(page.locator("[data-marks]")).toContainText("A, B, C, D, F");
  await student.goto(report("Lou Less"));
  await expect(student.locator("[data-mark]")).toHaveText(/^Mark\s*F$/);

  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.locator("[data-marks]")).toContainText("0 to 10, best 10");
  expect(await ofSitting(page, school.sitting.id)).toEqual(TEN);

  // Without a scale everything is as it was before there were any.
  await page.getByRole("button", { name: "Change the marks…" }).click();
  await scale(page).selectOption("None: the score alone");
  await page.locator("[data-marks]").getByRole("button", { name: "Save" }).click();
  await expect(page.locator("[data-marks]")).toContainText("none");
  await student.goto(report("Lou Less"));
  await expect(student.getByRole("heading", { level: 1, name: "Test report" })).toBeVisible();
  await expect(student.locator("[data-mark]")).toHaveCount(0);
  await page.goto(results(school));
  await expect(row(page, "Lou Less")).toBeVisible();
  await expect(page.getByRole("columnheader", { name: /^Mark/ })).toHaveCount(0);
});

test("two people change a sitting's marks and its name at once, and both are shown", async ({ browser, hall }) => {
  const school = await School.open(browser, hall, [{ name: "Ada" }], { markScale: TEN });
  const { page } = school;
  await page.goto(`/staff/sittings/${school.sitting.id}`);
  await page.getByRole("button", { name: "Change the marks…" }).click();
  await scale(page).selectOption("A to F");
  await school.change({ markScale: null });
  await page.locator("[data-marks]").getByRole("button", { name: "Save" }).click();
  const meeting = page.getByRole("dialog", { name: "Somebody has changed this sitting" });
  await expect(meeting.getByRole("row").filter({ has: page.getByRole("rowheader", { name: "Marks" }) })).toContainText(/0 to 10.*none.*A, B, C, D, F/);
  await check(page, "two scales");
  await meeting.getByRole("button", { name: "Save mine" }).click();
  await expect(page.locator("[data-marks]")).toContainText("A, B, C, D, F");
  expect(await ofSitting(page, school.sitting.id)).toEqual(LETTERS);
});

test("on a phone, a tablet and a desktop nothing is cut off, in Vietnamese, with a decimal comma", async ({ browser, hall, request }) => {
  test.setTimeout(180_000);
  const { school, sessions } = await sat(browser, hall, request, { markScale: TEN });
  await school.release();
  const templateId = school.sitting.templateId as string;
  for (const width of [390, 820, 1_366]) {
    const { page, context } = await school.device({ viewport: { width, height: 844 }, locale: "vi-VN" });
    await context.addCookies(await school.page.context().cookies());
    for (const address of ["/staff/school", `/staff/templates/${templateId}?view=settings`, `/staff/sittings/new?templateId=${templateId}`]) {
      await page.goto(address);
      await scale(page).selectOption("Từ 0 đến 10, cao nhất là 10");
      await expect(example(page, "50 %")).toContainText(/5,0\s*đạt/);
      await scale(page).selectOption("Thang điểm riêng…");
      await check(page, `numbers of one's own at ${address}, ${width} px`);
      await page.getByRole("radio", { name: "Chữ hoặc xếp loại" }).check();
      await check(page, `words of one's own at ${address}, ${width} px`);
    }
    await page.goto(`/staff/sittings/${school.sitting.id}`);
    await expect(page.locator("[data-marks]")).toContainText("làm tròn đến 0,5; mức đạt 5");
    await page.getByRole("button", { name: "Đổi thang điểm quy đổi…" }).click();
    await expect(example(page, "90 %")).toContainText("9,0");
    await check(page, `the marks of a sitting, ${width} px`);
    await page.goto(`${results(school)}&by=mark`);
    await expect(page.getByRole("table", { name: "Các mức điểm quy đổi" }).getByRole("button", { name: "4,0", exact: true })).toBeVisible();
    await expect(row(page, "Ada All")).toContainText("10,0");
    await check(page, `marks in results, ${width} px`);
    await page.goto(`/report/${sessions.get("Lou Less")}`);
    await expect(page.locator("[data-mark]")).toHaveText(/^Điểm quy đổi\s*4,0$/);
    await expect(page.getByText("Lần này chưa đạt.")).toBeVisible();
    await check(page, `a report with a mark, ${width} px`);
    await context.close();
  }
});
