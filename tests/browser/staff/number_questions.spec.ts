// Questions that ask for a number: written, doubted, edited, restored and found by teachers, and drawn by a template.

import type { Browser, Page } from "@playwright/test";
import { check } from "../accessible";
import { expect, test, type Hall } from "../hall";
import { call } from "../student";
import { signIn } from "./people";

const NEW = "/staff/questions/new?grade=5";
const GRADE = "/staff/questions?grade=5";
/** Of the sample bank, in each grade. */
const NUMBERS = 20;
const CHOICES = 120;

async function head(browser: Browser, hall: Hall, address = NEW): Promise<Page> {
  return (await signIn(browser, hall, "head@school.example", "Head", address)).page;
}

const form = (page: Page) => page.getByRole("form", { name: "New question" });
const field = (page: Page, name: string) => form(page).getByRole("textbox", { name, exact: true });
const preview = (page: Page) => page.getByRole("region", { name: "As students see it" });
const opened = (page: Page, id: string) => page.getByRole("region", { name: `Question ${id.slice(0, 8)}` });
const notice = (page: Page, text: string | RegExp) => page.getByRole("region", { name: "Messages" }).getByText(text);
const list = (page: Page) => page.getByRole("grid", { name: /^Questions \(/ });
const bank = async (page: Page) => (await call(page, "GET", "/api/review/questions?grade=5")).questions as Record<string, unknown>[];
const named = async (page: Page, question: string) => (await bank(page)).find((one) => one["question"] === question);

/** A number that is stored, with what a test is about. */
async function stored(page: Page, fields: Record<string, unknown>): Promise<string> {
  return (await call(page, "POST", "/api/admin/questions", { grade: 5, difficulty: 2, type: "number", options: [], ...fields }, 201)).id;
}

test("a number is written beside what students see, and is stored as it is meant", async ({ browser, hall }) => {
  const page = await head(browser, hall);
  const question = "How long is the line, in cm?";
  await field(page, "Question").fill(question);
  await form(page).getByRole("button", { name: "A number", exact: true }).click();
  await expect(field(page, "Option A")).toHaveCount(0);
  await field(page, "Number").fill("1/3");
  await field(page, "Tolerance").fill("-1");
  await field(page, "Unit").fill("5 cm");
  for (const way of ["Decimal (0.5)", "Fraction (1/2)", "Mixed number (2 1/2)"]) await form(page).getByRole("checkbox", { name: way }).uncheck();
  await page.keyboard.press("Control+Enter");
  await expect(field(page, "Number")).toBeFocused();
  await expect(field(page, "Number")).toHaveAccessibleDescription(/^This fraction has no end as a decimal/);
  for (const name of ["Number", "Tolerance", "Unit"]) await expect(field(page, name)).toHaveAttribute("aria-invalid", "true");
  await expect(form(page).getByText("One way of writing at least has to count.")).toBeVisible();
  await check(page, "a number that cannot be stored");

  await field(page, "Number").fill("12,5");
  // A slip would be seen beside the field.
  await expect(form(page).locator("fieldset [data-number]")).toHaveAttribute("data-number", "12.5");
  await field(page, "Tolerance").fill("0.5");
  await field(page, "Unit").fill("cm");
  await form(page).getByRole("checkbox", { name: "Decimal (0.5)" }).check();
  const box = preview(page).getByRole("textbox", { name: "Your answer cm" });
  await expect(box).toBeVisible();
  await expect(preview(page).getByRole("radio")).toHaveCount(0);
  await expect(form(page).getByText("± 0.5")).toBeVisible();
  await page.keyboard.press("Control+Enter");
  // The unit may be meant in both places.
  await expect(form(page).getByText("Not saved yet: look at 1 place")).toBeVisible();
  await expect(field(page, "Unit")).toBeFocused();
  await expect(field(page, "Unit")).toHaveAccessibleDescription(/^The question says cm too/);
  expect(await named(page, question)).toBeUndefined();
  await check(page, "a unit that is said twice");
  await form(page).getByRole("button", { name: "Save all the same" }).click();
  await expect(notice(page, /is stored\.$/)).toBeVisible();
  const written = (await named(page, question))!;
  expect(written).toMatchObject({ type: "number", options: [], answer: "12.5", tolerance: "0.5", unit: "cm", forms: ["decimal"], language: "en" });
  const key = opened(page, String(written["id"])).locator("[data-key]");
  await expect(key.locator("[data-number]").first()).toHaveAttribute("data-number", "12.5");
  await expect(key).toContainText("± 0.5");
  await expect(key).toContainText("only as: Decimal (0.5)");
});

test("what was tried as options is there again, and the next question is of the same type", async ({ browser, hall }) => {
  const page = await head(browser, hall);
  await field(page, "Question").fill("How many?");
  await field(page, "Option A").fill("7");
  await form(page).getByRole("button", { name: "A number", exact: true }).click();
  await field(page, "Number").fill("7");
  await page.reload();
  await expect(field(page, "Number")).toHaveValue("7");
  await form(page).getByRole("button", { name: "Multiple choice", exact: true }).click();
  await expect(field(page, "Option A")).toHaveValue("7");
  await form(page).getByRole("button", { name: "A number", exact: true }).click();
  await page.keyboard.press("Control+Shift+Enter");
  await expect(notice(page, /is stored\.$/)).toBeVisible();
  await expect(field(page, "Question")).toHaveValue("");
  await expect(field(page, "Number")).toHaveValue("");
  expect(await named(page, "How many?")).toMatchObject({ answer: "7", options: [] });
});

test("a number is edited, is in the history by its fields, and an earlier one is restored", async ({ browser, hall }) => {
  const page = await head(browser, hall, GRADE);
  const question = "How heavy is it?";
  const id = await stored(page, { question, answer: "12.5", unit: "kg", forms: ["decimal"] });
  await page.goto(`${GRADE}&question=${id}`);
  await page.getByRole("heading", { name: `Question ${id.slice(0, 8)}` }).waitFor();
  await page.keyboard.press("e");
  const edit = page.getByRole("form", { name: `Edit ${id.slice(0, 8)}` });
  // The type is chosen once.
  await expect(edit.getByRole("button", { name: "Multiple choice" })).toHaveCount(0);
  await edit.getByRole("textbox", { name: "Number", exact: true }).fill("13");
  await edit.getByRole("textbox", { name: "Unit", exact: true }).fill("g");
  await edit.getByRole("checkbox", { name: "Fraction (1/2)" }).check();
  await expect(edit.locator("[data-changes]")).toContainText("What this edit changes: 3 fields");
  await check(page, "the edit of a number");
  await page.keyboard.press("Control+Enter");
  await expect(notice(page, /^“.+” is edited\.$/)).toBeVisible();
  expect(await named(page, question)).toMatchObject({ answer: "13", unit: "g", forms: ["decimal", "fraction"] });

  await page.getByText("History", { exact: true }).press("Enter");
  const history = opened(page, id).locator("details");
  await expect(history.locator("[data-field=Unit]").first()).toContainText("kg");
  await expect(history.locator("[data-field=Forms]").first()).toContainText("Fraction (1/2)");
  await history.getByRole("button", { name: /^Restore this version/ }).click();
  const dialog = page.getByRole("dialog", { name: /^Restore the version/ });
  await expect(dialog.locator("[data-field=Answer]")).toContainText("12.5");
  await check(page, "an earlier number");
  await dialog.getByRole("button", { name: "Restore this version" }).click();
  await expect(notice(page, /^“.+” is as it was\.$/)).toBeVisible();
  expect(await named(page, question)).toMatchObject({ answer: "12.5", tolerance: "0", unit: "kg", forms: ["decimal"] });
});

test("two people who edit one number overwrite nothing of each other", async ({ browser, hall }) => {
  const page = await head(browser, hall, GRADE);
  const question = "How wide is it?";
  const id = await stored(page, { question, answer: "3" });
  await page.goto(`${GRADE}&question=${id}`);
  await page.getByRole("heading", { name: `Question ${id.slice(0, 8)}` }).waitFor();
  await page.keyboard.press("e");
  await page.getByRole("form", { name: `Edit ${id.slice(0, 8)}` }).getByRole("textbox", { name: "Number", exact: true }).fill("4");
  await call(page, "POST", "/api/review/edit", { questionId: id, grade: 5, comment: "", updates: { tolerance: "1" } });
  await page.keyboard.press("Control+Enter");
  const race = page.getByRole("dialog", { name: "Somebody has changed this meanwhile" });
  await expect(race.locator("[data-field=Tolerance]")).toBeVisible();
  expect(await named(page, question)).toMatchObject({ answer: "3", tolerance: "1" });
});

test("numbers are found among the questions, and a template draws them where it is asked to", async ({ browser, hall }) => {
  const page = await head(browser, hall, GRADE);
  await expect(list(page)).toHaveAttribute("aria-rowcount", String(CHOICES + NUMBERS + 1));
  const type = page.getByRole("combobox", { name: "Type of question" });
  await type.selectOption("A number");
  await expect(list(page)).toHaveAttribute("aria-rowcount", String(NUMBERS + 1));
  await expect(page).toHaveURL(/type=number/);
  await check(page, "the numbers of a grade");
  await page.reload();
  await expect(list(page)).toHaveAttribute("aria-rowcount", String(NUMBERS + 1));
  await type.selectOption("Multiple choice");
  await expect(list(page)).toHaveAttribute("aria-rowcount", String(CHOICES + 1));

  await page.goto("/staff/templates/new");
  await page.getByRole("checkbox", { name: "5", exact: true }).check();
  await page.getByRole("textbox", { name: /^Name/ }).fill("Number test");
  const more = page.locator("summary").filter({ hasText: "More choices" });
  await more.click();
  await expect(page.getByText(`0 of ${CHOICES} are approved`)).toBeVisible();
  await page.getByRole("combobox", { name: "Types of questions" }).selectOption("Numbers to type");
  await expect(page.getByText(`0 of ${NUMBERS} are approved`)).toBeVisible();
  await expect(more).toContainText("Numbers to type");
  await check(page, "a template of numbers");
  await page.getByRole("button", { name: "Draw the questions" }).click();
  await expect(page).toHaveURL(/\/staff\/templates\/(?!new)/);
  const { templates } = await call(page, "GET", "/api/admin/test-templates");
  const { id } = (templates as { id: string; name: string }[]).find(({ name }) => name === "Number test")!;
  const { template } = await call(page, "GET", `/api/manager/test-templates/${id}`);
  expect(template.types).toBe("number");
  const drawn = template.standardQuestions as { type: string }[];
  expect(drawn.length).toBeGreaterThan(0);
  expect(drawn.filter((one) => one.type !== "number")).toEqual([]);
  // A number has no options to unfold.
  await page.goto(`/staff/templates/${id}?view=choose`);
  await expect(page.locator("li[data-place] summary")).toHaveText(drawn.map(() => "Key and explanation"));
});

test("in Vietnamese a number is read as it is written there", async ({ browser, hall }) => {
  const page = await head(browser, hall);
  await page.evaluate(() => localStorage.setItem("examhall-language", "vi"));
  await page.reload();
  await page.getByRole("button", { name: "Điền số", exact: true }).click();
  await page.getByRole("textbox", { name: "Câu hỏi", exact: true }).fill("Một nửa của 1 là bao nhiêu?");
  await expect(page.getByRole("combobox", { name: "Cách đọc chữ số" })).toHaveValue("vi");
  await page.getByRole("textbox", { name: "Số", exact: true }).fill("0,5");
  await expect(page.locator("fieldset [data-number]")).toHaveAttribute("data-number", "0,5");
  await check(page, "a new number in Vietnamese");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByText(/^Đã lưu \S+/)).toBeVisible();
  expect(await named(page, "Một nửa của 1 là bao nhiêu?")).toMatchObject({ answer: "0.5", language: "vi", forms: ["decimal", "fraction", "mixed"] });
});

for (const size of [
  { width: 390, height: 844 },
  { width: 1_366, height: 768 },
]) {
  test(`nothing moves while somebody types a number, at ${size.width} px`, async ({ browser, hall }) => {
    const page = await head(browser, hall);
    await page.setViewportSize(size);
    await form(page).getByRole("button", { name: "A number", exact: true }).click();
    // Bars that stay in sight cover a part of whatever is scrolled behind them, which axe would call too small.
    for (const part of [form(page).locator(".foot"), page.getByRole("toolbar")]) await part.evaluate((node) => node.style.setProperty("position", "static"));
    await check(page, "an empty number");
    await field(page, "Number").focus();
    await page.evaluate(() => {
      const watch = { moved: [] as string[] };
      Object.assign(window, { watch });
      const isBeside = (node: Node | null) => (node instanceof Element ? node : node?.parentElement)?.closest(".preview") != null;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as unknown as { sources: { node: Node | null }[] }[]) {
          const others = entry.sources.filter(({ node }) => !isBeside(node));
          watch.moved.push(...others.map(({ node }) => (node instanceof Element ? node.outerHTML : String(node?.textContent)).slice(0, 120)));
        }
      }).observe({ type: "layout-shift" });
    });
    await page.keyboard.type("-12.25", { delay: 20 });
    await expect(form(page).locator("fieldset [data-number]")).toHaveAttribute("data-number", "-12.25");
    expect(await page.evaluate(() => (window as unknown as { watch: { moved: string[] } }).watch.moved)).toEqual([]);
  });
}
