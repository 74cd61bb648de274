// A paper in forms: asked for, looked at, printed with its keys; in a sitting by seats, on slips and at the desk; and in its results.

import type { Page } from "@playwright/test";
import { execFileSync } from "node:child_process";
import { check, settled } from "../accessible";
import { expect, test } from "../hall";
import { School } from "../sitting";
import { call, signInAsAdmin } from "../student";
import { after, entered, handsIn, keysOf } from "./answered";

const FEW = { 1: 4, 2: 3, 3: 3, 4: 0, 5: 0 };

interface FormList {
  form: string;
  questions: string[];
  optionOrder?: Record<string, string>;
  correct: Record<string, string>;
}

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const more = (page: Page) => page.locator("summary").filter({ hasText: "More choices" });
const count = (page: Page) => page.getByRole("combobox", { name: /^How many forms/ });
const tabs = (page: Page) => page.getByRole("navigation", { name: "Forms" });
const parts = (page: Page) => page.getByRole("navigation", { name: "Parts of the template" });
const paper = (page: Page, letter: string) => page.getByRole("region", { name: `Form ${letter}`, exact: true });
const idOf = (page: Page) => new URL(page.url()).pathname.split("/").at(-1) ?? "";

async function stored(page: Page, id: string): Promise<any> {
  return (await call(page, "GET", `/api/manager/test-templates/${id}`)).template;
}

async function made(page: Page, fields: Record<string, unknown> = {}): Promise<string> {
  const body = { name: "Spring test", grades: [5], mode: "standard", durationMinutes: 20, standardTargets: FEW, ...fields };
  return (await call(page, "POST", "/api/admin/test-templates", body)).template.id;
}

/** The letter under which a form shows the right option. */
function keyOn({ optionOrder = {}, correct }: FormList, id: string): string {
  const right = correct[id] ?? "";
  const order = optionOrder[id];
  return order === undefined ? right : "ABCD".charAt(order.indexOf(right));
}

/** What a form says of its keys when they are shown, in its order. */
function saidOf(list: FormList): string[] {
  return list.questions.map((id) => {
    const [shown, right] = [keyOn(list, id), list.correct[id]];
    return shown === right ? `Right answer: ${shown}` : `Right answer: ${shown} (${right} in the master copy)`;
  });
}

/** Opens a template whose second form has options in another order at least once. */
async function opened(page: Page, id: string, query = ""): Promise<FormList[]> {
  const { formLists } = (await stored(page, id)) as { formLists: FormList[] };
  expect(Object.keys(formLists[1]?.optionOrder ?? {}).length).toBeGreaterThan(0);
  await page.goto(`/staff/templates/${id}${query}`);
  await expect(parts(page)).toBeVisible();
  return formLists;
}

test("a template asks for forms, is told that they need one list, and takes them back", async ({ page }) => {
  await signInAsAdmin(page);
  await page.goto("/staff/templates/new");
  await page.getByRole("checkbox", { name: "5", exact: true }).check();
  await page.getByRole("textbox", { name: /^Name/ }).fill("Test in forms");
  await more(page).click();
  await expect(page.getByRole("checkbox", { name: /^Parallel questions/ })).toHaveCount(0);
  await count(page).selectOption("4 (A, B, C, D)");
  await page.getByRole("checkbox", { name: /^Parallel questions/ }).check();
  // Four times nine are more easy questions than the bank has.
  await page.getByRole("spinbutton", { name: "Easy, Questions", exact: true }).fill("9");
  await expect(page.getByText(/^At least \d+ places will have a question that another form has too/)).toBeVisible();
  await page.getByRole("spinbutton", { name: "Easy, Questions", exact: true }).fill("1");
  await page.getByRole("checkbox", { name: /^Shuffle the options for each student/ }).check();
  await expect(more(page)).toContainText("4 forms · Parallel questions · Options shuffled");
  await check(page, "a form with forms");

  await page.getByRole("radio", { name: /^Adaptive/ }).check();
  await expect(page.getByText("Forms need one list of questions, and an adaptive test has several.")).toBeVisible();
  await expect(count(page)).toHaveAttribute("aria-invalid", "true");
  await page.getByRole("button", { name: "Draw the questions" }).click();
  await expect(count(page)).toBeFocused();
  await check(page, "forms of an adaptive test");
  await count(page).selectOption("1");
  await expect(page.getByText("Forms need one list")).toHaveCount(0);
  await page.getByRole("radio", { name: /^Standard/ }).check();
  await count(page).selectOption("4");
  await page.getByRole("button", { name: "Draw the questions" }).click();
  await expect(heading(page, "Test in forms")).toBeVisible();
  const id = idOf(page);
  const drawn = await stored(page, id);
  expect(drawn).toMatchObject({ forms: 4, parallelForms: true, shuffleOptions: true });
  await expect(tabs(page).getByRole("link")).toHaveText(["Form A", "Form B", "Form C", "Form D", "All forms"]);
  await expect(page.getByText("On the screen each student sees the options in an order of their own.")).toBeVisible();

  await parts(page).getByRole("link", { name: "Settings" }).click();
  await expect(count(page)).toHaveValue("4");
  await count(page).selectOption("1");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Test in forms is saved.")).toBeVisible();
  await expect(parts(page).getByRole("link", { name: "Keys" })).toHaveCount(0);
  expect((await stored(page, id)).forms ?? 1).toBe(1);
  await page.getByRole("button", { name: "Undo" }).last().click();
  await expect(count(page)).toHaveValue("4");
  await expect(parts(page).getByRole("link", { name: "Keys" })).toBeVisible();
  // What somebody has printed holds again.
  expect((await stored(page, id)).formLists).toEqual(drawn.formLists);
});

test("each form is looked at with its own letters, and questions are swapped in the first", async ({ page }) => {
  await signInAsAdmin(page);
  const id = await made(page, { forms: 2 });
  const [a, b] = (await opened(page, id)) as [FormList, FormList];
  const said = (letter: string) => paper(page, letter).locator("strong");
  await page.getByRole("button", { name: "Show keys" }).click();
  await expect(said("A")).toHaveText(saidOf(a));
  await expect(page.getByText("Form A is the master copy")).toBeVisible();
  await tabs(page).getByRole("link", { name: "Form B" }).click();
  await expect(page).toHaveURL(/form=B/);
  await expect(said("B")).toHaveText(saidOf(b));
  // The letter of the key stands beside the text of the right option.
  const turned = b.questions.findIndex((one) => keyOn(b, one) !== b.correct[one]);
  const place = page.locator(`li[data-place="${turned + 1}"]`);
  const right = (await stored(page, id)).standardQuestions.find((one: { id: string }) => one.id === b.questions[turned]);
  const letter = keyOn(b, right.id);
  await settled(page);
  const shown = await place.locator("ul li").nth("ABCD".indexOf(letter)).textContent();
  await tabs(page).getByRole("link", { name: "Form A" }).click();
  const inMaster = page.locator(`li[data-place="${a.questions.indexOf(right.id) + 1}"]`);
  await settled(page);
  const master = await inMaster.locator("ul li").nth("ABCD".indexOf(right.answer)).textContent();
  expect(shown?.slice(1)).toBe(master?.slice(1));
  expect([shown?.charAt(0), master?.charAt(0)]).toEqual([letter, right.answer]);
  await expect(page.getByRole("button", { name: "Swap question 1", exact: true })).toBeVisible();
  await tabs(page).getByRole("link", { name: "Form B" }).click();
  await expect(page.getByRole("button", { name: "Swap question 1", exact: true })).toHaveCount(0);
  await expect(page.getByText("Questions are swapped and pinned in form A")).toBeVisible();
  await check(page, "form B");
  await tabs(page).getByRole("link", { name: "All forms" }).click();
  for (const list of [a, b]) await expect(said(list.form)).toHaveText(saidOf(list));
  await check(page, "all forms");
  // Where both are shown, the key swaps in form A alone.
  await paper(page, "B").getByRole("heading", { name: "Question 1", exact: true }).focus();
  await page.keyboard.press("s");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await paper(page, "A").getByRole("heading", { name: "Question 1", exact: true }).focus();
  await page.keyboard.press("s");
  await page.getByRole("dialog").getByRole("button", { name: /candidate 1,/ }).click();
  await expect(page.getByText("Question 1 is swapped.")).toBeVisible();
  const [first] = a.questions;
  const { formLists } = (await stored(page, id)) as { formLists: FormList[] };
  expect(formLists.flatMap(({ questions }) => questions)).not.toContain(first);
  await page.getByRole("button", { name: "Undo" }).last().click();
  await expect.poll(async () => (await stored(page, id)).formLists).toEqual([a, b]);
});

test("keys of all forms stand on one page, with the places of the first form and the ids of parallel questions", async ({ page }) => {
  await signInAsAdmin(page);
  const id = await made(page, { forms: 3, parallelForms: true });
  const lists = await opened(page, id, "?view=keys");
  const table = page.getByRole("table", { name: "Keys of all forms" });
  await expect(table.getByRole("columnheader")).toHaveText(["No.", "Form A", "Form B", "Form C"]);
  await expect(table.locator("tbody tr")).toHaveCount(10);
  for (const [column, list] of lists.entries()) {
    const cells = table.locator(`tbody td:nth-child(${column + 2})`);
    await expect(cells.locator("b")).toHaveText(list.questions.map((one) => keyOn(list, one)));
    const beside = list.questions.map((one) => (lists[0]!.questions.includes(one) ? String(lists[0]!.questions.indexOf(one) + 1) : one));
    await expect(cells.locator("small [aria-hidden]")).toHaveText(column === 0 ? [] : beside);
    const spoken = list.questions.map((one) => (lists[0]!.questions.includes(one) ? `question ${lists[0]!.questions.indexOf(one) + 1} of form A` : `parallel question ${one}`));
    await expect(cells.locator("small .hidden")).toHaveText(column === 0 ? [] : spoken);
  }
  expect((await stored(page, id)).formQuestions.length).toBeGreaterThan(0);
  await check(page, "keys of all forms");
  await page.emulateMedia({ media: "print" });
  await expect(table).toBeVisible();
  await expect(page.getByRole("heading", { name: "Keys of all forms" })).toBeVisible();
  await expect(page.getByRole("button")).toHaveCount(0);
});

test("a form is printed with its letter, and all of them at once with the keys at the end", async ({ page }) => {
  await signInAsAdmin(page);
  const id = await made(page, { forms: 2 });
  const [a, b] = (await opened(page, id, "?form=B")) as [FormList, FormList];
  await expect(paper(page, "B")).toBeVisible();
  // On the screen the tab says it.
  await expect(page.getByRole("heading", { name: "Form B", exact: true })).toBeHidden();
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("heading", { name: "Form B", exact: true })).toBeVisible();
  await expect(page.getByText("Name: ____")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Key to Spring test, form B" })).toBeVisible();
  await expect(page.getByRole("table").locator("tbody b")).toHaveText(b.questions.map((one) => keyOn(b, one)));
  await page.emulateMedia({ media: "screen" });

  await tabs(page).getByRole("link", { name: "All forms" }).click();
  await expect(page.getByRole("table")).toBeHidden();
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("heading", { name: "Form A", exact: true })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Spring test · Form B", exact: true })).toBeVisible();
  await expect(page.getByText("Name: ____")).toHaveCount(2);
  const breaks = (selector: string) => page.locator(selector).evaluateAll((nodes) => nodes.map((node) => getComputedStyle(node).breakBefore));
  expect(await breaks(".papers > section")).toEqual(["auto", "right"]);
  await expect(paper(page, "B").locator("h2[data-row]").first()).toHaveText(/^B · Question 1$/);
  expect(await breaks("section.keys")).toEqual(["page"]);
  await expect(page.getByRole("table").locator("tbody td:nth-child(2) b")).toHaveText(a.questions.map((one) => keyOn(a, one)));
});

test("a sitting gives forms by seats, says where seats are missing, and prints them on slips", async ({ page }) => {
  await signInAsAdmin(page);
  const templateId = await made(page, { forms: 4 });
  const startsAt = new Date(Date.now() + 48 * 3_600_000).toISOString();
  const { sitting } = await call(page, "POST", "/api/admin/sittings", { name: "Finals", templateId, startsAt, rooms: [{ name: "B12", proctors: ["rita@school.example"] }] });
  const seats = ["1", "2", "3", "4", "window"];
  const candidates = seats.map((seat, index) => ({ email: `${index}@school.example`, name: `Student ${index}`, room: "B12", seat }));
  await call(page, "PUT", `/api/admin/sittings/${sitting.id}/candidates`, { candidates });
  const roster = (await call(page, "GET", `/api/admin/sittings/${sitting.id}/candidates`)).candidates as { name: string; form: string }[];
  const forms = new Map(roster.map(({ name, form }) => [name, form]));
  expect(new Set([0, 1, 2, 3].map((index) => forms.get(`Student ${index}`))).size).toBe(4);
  await page.goto(`/staff/sittings/${sitting.id}`);
  const people = page.getByRole("grid", { name: "People" });
  await expect(people.getByRole("columnheader", { name: "Form" })).toBeVisible();
  for (const [name, form] of forms) await expect(people.getByRole("row", { name: new RegExp(name) }).locator(".chip", { hasText: new RegExp(`^${form}$`) })).toBeVisible();
  await expect(page.getByText("1 candidate without a seat number: neighbours could get the same form.")).toBeVisible();
  await expect(page.getByText("by seats: neighbours have different ones where", { exact: false })).toBeVisible();
  await check(page, "a sitting in forms");
  await people.getByRole("row", { name: /Student 1/ }).click();
  await expect(page.getByRole("dialog").getByText("by the seat", { exact: true })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Entry slips…" }).click();
  const slips = page.getByRole("dialog", { name: "Entry slips" });
  await expect(slips.getByText("Each slip names the form of its seat.", { exact: false })).toContainText("1 candidate without a seat number");
  await check(page, "slips with forms");
  const [file] = await Promise.all([page.waitForEvent("download"), slips.getByRole("button", { name: "Download 5 slips" }).click()]);
  const printed = execFileSync("pdftotext", ["-raw", await file.path(), "-"]).toString();
  for (const form of forms.values()) expect(printed).toContain(`Form ${form}`);
  // A seat for the last one, and nothing of forms is left to do.
  await people.getByRole("row", { name: /Student 4/ }).click();
  await page.getByRole("dialog").getByLabel("Seat").fill("5");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("neighbours could get the same form")).toHaveCount(0);
  // Single numbers do not say who sits in front of whom, and a seat can be given twice.
  const inLine = page.getByText("Seats are single numbers: those in front and behind could get the same form.", { exact: false });
  const shared = page.getByText("2 candidates share a seat with somebody in their room, and get the same form.");
  await expect(inLine).toBeVisible();
  const inRows = candidates.map((one, index) => ({ ...one, seat: `A${Math.min(index + 1, 4)}` }));
  await call(page, "PUT", `/api/admin/sittings/${sitting.id}/candidates`, { candidates: inRows });
  await page.reload();
  await expect(shared).toBeVisible();
  await expect(inLine).toHaveCount(0);
  await page.getByRole("link", { name: "Keys of all forms" }).click();
  await expect(page.getByRole("table", { name: "Keys of all forms" })).toBeVisible();
});

test("the desk shows forms, and results say what a student saw beside the master copy", async ({ browser, hall, page: head, request }) => {
  test.setTimeout(120_000);
  await signInAsAdmin(head);
  const templateId = await made(head, { forms: 2 });
  const school = await School.open(browser, hall, [{ name: "Ada", room: "B12", seat: "1" }, { name: "Bo", room: "B12", seat: "2" }], { templateId, rooms: [{ name: "B12" }] });
  const { page } = school;
  const keys = await keysOf(page);
  const names = ["Ada", "Bo"];
  const attempts = await Promise.all(names.map((name) => entered(request, school, name)));
  await page.goto(`/staff/sittings/${school.sitting.id}/desk?step=watch`);
  const tile = (name: string) => page.locator("li.tile", { hasText: name });
  const roster = (await call(page, "GET", `${school.path}/candidates`)).candidates as { name: string; form: string }[];
  expect(roster.map(({ form }) => form).sort()).toEqual(["A", "B"]);
  for (const { name, form } of roster) await expect(tile(name).getByRole("button")).toHaveAccessibleName(new RegExp(`Form ${form}`));
  await tile("Bo").getByRole("button").click();
  await expect(page.locator(".drawer dl").first()).toContainText(/Form\s*[AB]/);
  await check(page, "the desk with forms");
  await school.begin();
  for (const attempt of attempts) await handsIn(request, attempt, keys, after);

  const onB = roster.find(({ form }) => form === "B")!.name;
  const results = await call(page, "GET", `/api/manager/results?sittingId=${school.sitting.id}`);
  const row = results.rows.find(({ student }: { student: string }) => student === onB);
  const { optionOrder } = row;
  // A question whose wrong answer and whose right one had other letters, as nearly all have.
  const at = results.questions.findIndex(({ id, correct }: { id: string; correct: string }) => {
    const order = optionOrder[id] as string | undefined;
    return order !== undefined && [correct, after(correct)].every((letter) => "ABCD".charAt(order.indexOf(letter)) !== letter);
  });
  expect(at).toBeGreaterThanOrEqual(0);
  const { id, correct, number } = results.questions[at];
  const seen = (letter: string) => `${"ABCD".charAt(optionOrder[id].indexOf(letter))} (${letter} in the master copy)`;
  await page.goto(`/staff/results?sittingId=${school.sitting.id}`);
  const students = page.getByRole("grid", { name: "Students (2)" });
  await expect(students.getByRole("columnheader", { name: "Form" })).toBeVisible();
  await check(page, "results with forms");
  await page.getByRole("link", { name: "Answers of everyone" }).click();
  await expect(page.getByText("Questions have the numbers and letters of the master copy, form A", { exact: false })).toHaveCount(1);
  const map = page.getByRole("grid", { name: "Answers of each student to each question" });
  await page.getByRole("button", { name: "By name" }).click();
  await map.focus();
  await page.keyboard.press("Control+Home");
  for (let step = -1; step < names.indexOf(onB); step += 1) await page.keyboard.press("ArrowDown");
  for (let step = -1; step < at; step += 1) await page.keyboard.press("ArrowRight");
  await expect(map.locator("[role=row] > *")).toHaveText(`${onB}, question ${number}: ${seen(after(correct))}, wrong; right is ${seen(correct)}`);
  await check(page, "answers with forms");
  await page.getByRole("link", { name: /^Questions \(/ }).click();
  await expect(page.getByText("Questions have the numbers and letters of the master copy, form A", { exact: false })).toHaveCount(1);
});

test("on a phone, a tablet and a desktop nothing is cut off, in Vietnamese", async ({ browser, hall, page: head }) => {
  await signInAsAdmin(head);
  const id = await made(head, { forms: 8, parallelForms: true });
  const context = await browser.newContext({ baseURL: hall.url, viewport: { width: 390, height: 844 }, locale: "vi-VN", hasTouch: true });
  await context.addCookies(await head.context().cookies());
  const page = await context.newPage();
  for (const width of [390, 820, 1_366]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(`/staff/templates/${id}?form=H`);
    await expect(page.getByRole("region", { name: "Đề H", exact: true })).toBeVisible();
    await check(page, `form H, ${width} px`);
    await page.goto(`/staff/templates/${id}?view=keys`);
    await expect(page.getByRole("table", { name: "Đáp án các mã đề" })).toBeVisible();
    await check(page, `keys, ${width} px`);
    await page.goto(`/staff/templates/${id}?view=settings`);
    await expect(page.getByRole("combobox", { name: /^Số mã đề/ })).toHaveValue("8");
    await check(page, `settings, ${width} px`);
  }
});
