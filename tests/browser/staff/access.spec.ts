// Who may sit a template, as those set it who keep it; and the marks of questions that are kept for exams or are for practice.

import type { Page } from "@playwright/test";
import { check } from "../accessible";
import { altered } from "../answers";
import { expect, test } from "../hall";
import { School } from "../sitting";
import { call, signInAsAdmin, template } from "../student";

const SIZES = [
  { width: 390, height: 844 },
  { width: 820, height: 1180 },
  { width: 1366, height: 768 },
];
const rules = (page: Page) => page.getByRole("group", { name: "Who may sit it" }).first();
const messages = (page: Page) => page.getByRole("region", { name: "Messages", exact: true });
const stored = async (page: Page, id: string) => (await call(page, "GET", `/api/manager/test-templates/${id}`)).template;
const marks = (page: Page) => call(page, "GET", "/api/admin/questions/secure?grade=5");

async function everywhere(page: Page, state: string): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await check(page, `${state} at ${size.width}`);
  }
}

test("a new template is for accounts, once each, and whoever makes it is told so in a sentence", async ({ page }) => {
  await signInAsAdmin(page);
  await page.goto("/staff/templates/new");
  await page.getByRole("checkbox", { name: "5", exact: true }).check();
  await page.getByRole("textbox", { name: /^Name/ }).fill("Class test");
  await expect(rules(page).getByText("Everyone who is signed in can sit it, once; answers are shown as soon as a test is handed in.")).toBeVisible();
  await everywhere(page, "the form of a new template");

  // With an end, whoever hands in first can't tell the others.
  await page.getByRole("textbox", { name: "Closes" }).fill("2036-06-01T18:00");
  await expect(page.getByLabel("Students see which answers were right")).toHaveValue("after-closing");
  await page.getByRole("textbox", { name: "Opens" }).fill("2036-06-02T08:00");
  await page.getByRole("spinbutton", { name: /^Attempts/ }).fill("21");
  await page.getByLabel("Code", { exact: true }).fill("abc");
  await page.getByRole("button", { name: "Draw the questions" }).click();
  for (const fault of ["It has to close after it opens.", "A whole number from 1 to 20, or nothing.", "4 to 20 letters from A to Z and digits, without spaces."]) {
    await expect(page.getByText(fault)).toBeVisible();
  }
  await everywhere(page, "the form with what is wrong");
  await page.getByRole("textbox", { name: "Opens" }).fill("2036-06-01T08:00");
  await page.getByRole("spinbutton", { name: /^Attempts/ }).fill("2");
  await page.getByRole("button", { name: "Make one" }).click();
  await expect(page.getByLabel("Code", { exact: true })).toHaveValue(/^[A-Z2-9]{6}$/);
  await page.getByRole("button", { name: "Draw the questions" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Class test" })).toBeVisible();
  const sentence = /^Everyone who is signed in can sit it, twice, from .+ until .+, with a code; answers are shown when it has closed\.$/;
  await expect(page.locator("[data-rules]")).toHaveText(sentence);
  await page.getByRole("button", { name: "Share" }).click();
  await expect(page.getByRole("dialog").locator("[data-rules]")).toHaveText(sentence);
  await check(page, "the link with its rules");
  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  expect(await stored(page, id)).toMatchObject({ access: { who: "signed-in", attempts: 2 }, showAnswers: "after-closing", practice: false });
});

test("a template of before says that everyone may sit it, and is given to classes, which can be undone", async ({ page }) => {
  await signInAsAdmin(page);
  for (const name of ["5A", "5B", "6A"]) await call(page, "POST", "/api/admin/classes", { name, grade: Number(name[0]) });
  const id = await template(page, "Practice");
  await page.goto(`/staff/templates/${id}?view=settings`);
  await expect(page.locator("[data-rules]")).toHaveText(/^Anyone who has the link can sit it, as often as they like;/);
  await rules(page).getByRole("radio", { name: /^The people of some classes/ }).check();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Choose at least one class.")).toBeVisible();
  await page.getByLabel("Find classes").fill("5");
  await page.getByRole("checkbox", { name: /^5B/ }).check();
  await everywhere(page, "classes of a template");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.locator("[data-rules]")).toHaveText(/^The people of 1 class can sit it, as often as they like;/);
  expect((await stored(page, id)).access.classIds).toHaveLength(1);
  await page.keyboard.press("Control+z");
  await expect(page.locator("[data-rules]")).toHaveText(/^Anyone who has the link/);
});

test("all questions of a template are kept for exams at once", async ({ page }) => {
  await signInAsAdmin(page);
  const id = await template(page, "Final paper");
  await page.goto(`/staff/templates/${id}?view=settings`);
  await page.getByRole("button", { name: "Keep all its questions for exams" }).click();
  const dialog = page.getByRole("dialog", { name: "Keep 10 questions for exams?" });
  await expect(dialog).toBeVisible();
  await check(page, "asked before questions are kept");
  await dialog.getByRole("button", { name: "Keep all its questions for exams" }).click();
  await expect(messages(page).getByText("10 questions are kept for exams.")).toBeVisible();
  const { standardQuestions } = await stored(page, id);
  expect((await marks(page)).secure).toEqual(standardQuestions.map((question: { id: string }) => question.id).sort());
});

test("questions are marked in their list, found by their marks, and the marks are taken back", async ({ page }) => {
  await signInAsAdmin(page);
  await page.goto("/staff/questions?grade=5&state=pending");
  const list = page.getByRole("grid");
  await list.getByRole("row").nth(1).getByRole("checkbox").check();
  await list.getByRole("row").nth(2).getByRole("checkbox").check();
  await everywhere(page, "selected questions");
  await page.getByRole("button", { name: "Keep for exams", exact: true }).click();
  await expect(messages(page).getByText("2 questions are kept for exams.")).toBeVisible();
  expect((await marks(page)).secure).toHaveLength(2);
  await page.getByRole("combobox", { name: "Mark", exact: true }).selectOption("Kept for exams");
  await expect(page).toHaveURL(/mark=secure/);
  await expect(list.getByRole("row")).toHaveCount(3);
  await messages(page).getByRole("button", { name: /^Undo/ }).click();
  await expect.poll(async () => (await marks(page)).secure).toEqual([]);
  await expect(page.getByRole("grid")).toHaveCount(0);
});

test("a question is for practice only if somebody says so, where it is written, edited and imported", async ({ page }) => {
  await signInAsAdmin(page);
  await page.goto("/staff/questions/new?grade=5");
  const practice = page.getByRole("checkbox", { name: "Practice: anyone may read it with its answer" });
  await expect(practice).not.toBeChecked();
  await page.getByRole("checkbox", { name: "Kept for exams" }).check();
  await expect(practice).toBeDisabled();
  await everywhere(page, "marks of a new question");

  const [first] = (await call(page, "GET", "/api/review/questions?grade=5")).questions as { id: string }[];
  await page.goto(`/staff/questions?grade=5&question=${first!.id}`);
  await expect(page.getByRole("region", { name: /^Question/ })).toBeVisible();
  await page.keyboard.press("e");
  await practice.check();
  await practice.uncheck();
  await page.getByRole("button", { name: /^Save 1 change/ }).click();
  await expect(messages(page).getByText(/^“.+” is not for practice any more\.$/)).toBeVisible();
  expect((await marks(page)).noPractice).toEqual([first!.id]);

  await page.goto("/staff/questions/import");
  await expect(page.getByRole("checkbox", { name: /^Practice: anyone may read these questions/ })).not.toBeChecked();
  await everywhere(page, "the import");
});

test("a sitting says before its day that its paper has practice questions, and leads to its template", async ({ browser, hall }) => {
  const { page, sitting } = await School.open(browser, hall, [{ name: "Ada Lovelace", email: "ada@school.example" }]);
  const path = new RegExp(`/api/admin/sittings/${sitting.id}$`);
  await altered(page, path, (body) => ({ ...body, sitting: { ...body.sitting, practiceQuestions: 3 } }));
  await page.goto(`/staff/sittings/${sitting.id}`);
  await expect(page.getByText("3 questions of the paper are for practice: anyone may have read them with their answers.")).toBeVisible();
  await everywhere(page, "practice questions in a paper");
  await page.getByRole("link", { name: "Keep them for exams" }).click();
  await expect(page).toHaveURL(`/staff/templates/${sitting.templateId}?view=settings`);
  await expect(page.getByRole("button", { name: "Keep all its questions for exams" })).toBeVisible();
});
