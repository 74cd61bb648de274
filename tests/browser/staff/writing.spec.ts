// Writing questions: new ones with formulas and pictures, drafts that outlive a reload, a sign-out and a server that is away, two tabs,
// earlier versions, retiring; and that the page is accessible at three widths and moves nothing while somebody types.

import type { Browser, Locator, Page } from "@playwright/test";
import { check, isAccessible } from "../accessible";
import { lost } from "../answers";
import { takePicture, WITH_PICTURES } from "../documentation";
import { expect, test, type Hall } from "../hall";
import { call } from "../student";
import { hired, signIn } from "./people";

const NEW = "/staff/questions/new?grade=5";
const GRADE = "/staff/questions?grade=5";
const FIRST = "g5-001";
const WIDTHS = [
  { width: 390, height: 844 },
  { width: 820, height: 1_180 },
  { width: 1_366, height: 768 },
];
/** From one option to the next. */
const TABS_MAX = 4;

async function head(browser: Browser, hall: Hall, address = NEW): Promise<Page> {
  return (await signIn(browser, hall, "head@school.example", "Head", address)).page;
}

const form = (page: Page) => page.getByRole("form", { name: "New question" });
const field = (page: Page, name: string) => form(page).getByRole("textbox", { name, exact: true });
const notice = (page: Page, text: string | RegExp) => page.getByRole("region", { name: "Messages" }).getByText(text);
const bank = async (page: Page) => (await call(page, "GET", "/api/review/questions?grade=5")).questions as Record<string, unknown>[];
const named = async (page: Page, question: string) => (await bank(page)).find((one) => one["question"] === question);
const drafts = (page: Page) => page.locator("details", { hasText: "Not saved yet" });
const opened = (page: Page, id: string) => page.getByRole("region", { name: `Question ${id.slice(0, 8)}` });

/** Fills what a question needs, beside its text. */
async function answerOptions(page: Page, options: string[], right: string): Promise<void> {
  for (const [index, option] of options.entries()) await field(page, `Option ${"ABCD".charAt(index)}`).fill(option);
  await form(page).getByRole("radio", { name: `${right} is right` }).check();
}

/** Goes on with the Tab key until this has the focus. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  const isThere = () => wanted.evaluate((node) => node === document.activeElement);
  for (let step = 0; step < TABS_MAX && !(await isThere()); step += 1) await page.keyboard.press("Tab");
  await expect(wanted).toBeFocused();
}

/** Pastes a picture that the page draws, as a screenshot is pasted. */
async function pastePicture(page: Page, type = "image/png"): Promise<void> {
  await field(page, "Question").evaluate(async (target, type) => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 320, height: 200 });
    const context = canvas.getContext("2d")!;
    context.fillStyle = "#fff";
    context.fillRect(0, 0, 320, 200);
    context.strokeRect(60, 40, 200, 120);
    const drawn = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    const clipboard = new DataTransfer();
    clipboard.items.add(new File([drawn!], "picture", { type }));
    target.dispatchEvent(new ClipboardEvent("paste", { clipboardData: clipboard, bubbles: true, cancelable: true }));
  }, type);
}

test("a question with a fraction and a picture is written, stored, and followed by the next one", WITH_PICTURES, async ({ browser, hall }) => {
  const page = await head(browser, hall, GRADE);
  await page.getByRole("link", { name: "New question" }).click();
  await expect(field(page, "Question")).toBeFocused();
  await page.keyboard.type("What is ");
  await page.keyboard.press("Control+m");
  const bar = page.getByRole("toolbar", { name: "Formulas and signs" });
  await expect(bar.getByRole("button", { name: "Fraction" })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.type("1");
  await expect(field(page, "Question")).toHaveValue("What is $\\frac{1}{}$");
  // What was inserted is taken back as what was typed is.
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await expect(field(page, "Question")).toHaveValue("What is ");
  await bar.getByRole("button", { name: "Fraction" }).click();
  await page.keyboard.type("1");
  for (let step = 0; step < 2; step += 1) await page.keyboard.press("ArrowRight");
  await page.keyboard.type("4");
  await page.keyboard.press("End");
  await page.keyboard.type(" of the shaded part?");
  await expect(field(page, "Question")).toHaveValue("What is $\\frac{1}{4}$ of the shaded part?");
  await expect(page.getByRole("region", { name: "As students see it" }).locator("#question-text mfrac")).toBeVisible();

  await pastePicture(page);
  await expect(form(page).getByText(/^The picture is stored, 320 × 200/)).toBeVisible();
  await expect(field(page, "Address of a picture")).toHaveValue(/^\/media\/[0-9a-f]{64}$/);
  await answerOptions(page, ["1 cm²", "2 cm²", "3 cm²", "4 cm²"], "B");
  await form(page).getByRole("combobox", { name: "Topic", exact: true }).fill("Areas");
  await form(page).getByRole("combobox", { name: "Source" }).fill("Book, page 7");
  await form(page).getByRole("combobox", { name: "Difficulty" }).selectOption("4");
  // A picture without its description is not stored.
  await page.keyboard.press("Control+Enter");
  await expect(form(page).getByText("Not saved: 1 place has to be mended first.")).toBeVisible();
  await expect(field(page, "What the picture shows, in words")).toBeFocused();
  await check(page, "a question that is not saved");
  await page.keyboard.type("A shaded rectangle.");
  await takePicture(page, "write-question");
  await page.keyboard.press("Control+Shift+Enter");
  await expect(notice(page, /^“.+” is stored\.$/)).toBeVisible();
  const stored = (await named(page, "What is $\\frac{1}{4}$ of the shaded part?"))!;
  expect(stored).toMatchObject({ topic: "Areas", difficulty: 4, source: "Book, page 7", answer: "B", imageDescription: "A shaded rectangle." });
  const picture = await page.evaluate(async (image) => {
    const { status, headers } = await fetch(image);
    return [status, headers.get("Content-Type")];
  }, String(stored["image"]));
  expect(picture).toEqual([200, "image/png"]);

  // The next one begins where this one belongs, and with nothing else of it.
  await expect(field(page, "Question")).toHaveValue("");
  await expect(field(page, "Question")).toBeFocused();
  await expect(form(page).getByRole("combobox", { name: "Topic", exact: true })).toHaveValue("Areas");
  await expect(form(page).getByRole("combobox", { name: "Source" })).toHaveValue("Book, page 7");
  await expect(form(page).getByRole("combobox", { name: "Difficulty" })).toHaveValue("4");
  await expect(field(page, "Address of a picture")).toHaveValue("");
  await page.goto(GRADE);
  await expect(page.getByRole("grid", { name: /^Questions/ })).toBeVisible();
  await expect(drafts(page)).toHaveCount(0);
});

test("what cannot be set, two equal options and a picture that does not come are marked and not saved", async ({ browser, hall }) => {
  const page = await head(browser, hall);
  const count = (await bank(page)).length;
  await field(page, "Question").fill("What is $\\fraq{1}{2}$?");
  await answerOptions(page, ["1", "2", "3", " 1"], "B");
  await form(page).getByRole("button", { name: /^Save Ctrl|^Save$/ }).click();
  await expect(form(page).getByText("Two options are equal")).toBeVisible();
  await expect(field(page, "Option A")).toHaveAttribute("aria-invalid", "true");
  await field(page, "Option D").fill("4");
  await field(page, "Address of a picture").fill("/media/nowhere.png");
  await field(page, "What the picture shows, in words").fill("A half.");
  await page.keyboard.press("Control+Enter");
  await expect(form(page).getByText("Not saved: 2 places have to be mended first.")).toBeVisible();
  await expect(field(page, "Question")).toBeFocused();
  await expect(field(page, "Question")).toHaveAccessibleDescription(/This formula can’t be read: /);
  await expect(form(page).getByRole("button", { name: "Save all the same" })).toHaveCount(0);
  await field(page, "Question").fill("What is $\\frac{1}{2}$ of \\sqrt{4}?");
  await field(page, "Address of a picture").fill("");
  await page.keyboard.press("Control+Enter");
  // This one may be meant.
  await expect(form(page).getByText("Not saved yet: look at 1 place")).toBeVisible();
  expect(await bank(page)).toHaveLength(count);
  await form(page).getByRole("button", { name: "Save all the same" }).click();
  await expect(notice(page, /is stored\.$/)).toBeVisible();
  expect(await bank(page)).toHaveLength(count + 1);
});

test("a picture that the server does not take says why, and its sending can be seen", async ({ browser, hall }) => {
  const page = await head(browser, hall);
  await pastePicture(page, "image/gif");
  await expect(form(page).getByRole("alert").filter({ hasText: "This is no picture that can be used." })).toBeVisible();
  await form(page).locator("input[type=file]").setInputFiles({ name: "broken.png", mimeType: "image/png", buffer: Buffer.from("no picture") });
  await expect(form(page).getByText("The picture can’t be read.")).toBeVisible();
  await page.route("**/api/review/pictures", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await route.continue().catch(() => {});
  });
  await pastePicture(page);
  await expect(form(page).getByRole("progressbar", { name: "Sending the picture…" })).toBeVisible();
  await form(page).getByRole("button", { name: "Stop" }).click();
  await expect(form(page).getByRole("progressbar")).toHaveCount(0);
  await expect(field(page, "Address of a picture")).toHaveValue("");
});

test("a draft outlives a reload, a server that is away, and a sign-out; and nobody else sees it", async ({ browser, hall }) => {
  const page = await head(browser, hall);
  await field(page, "Question").fill("How many?");
  await page.reload();
  await expect(field(page, "Question")).toHaveValue("How many?");
  await answerOptions(page, ["1", "2", "3", "4"], "C");
  await hall.kill();
  await page.keyboard.press("Control+Enter");
  await expect(form(page).getByText("The exam server can’t be reached.")).toBeVisible();
  await field(page, "Explanation").fill("Count them.");
  await hall.start();
  await page.keyboard.press("Control+Enter");
  await expect(notice(page, /is stored\.$/)).toBeVisible();
  expect((await named(page, "How many?"))!["explanation"]).toBe("Count them.");

  await page.goto(NEW);
  await field(page, "Question").fill("A secret of the head?");
  await page.goto(GRADE);
  await drafts(page).locator("summary").click();
  await expect(drafts(page)).toContainText("A secret of the head?");
  await check(page, "the list of drafts");
  // Somebody else at the same computer.
  const draft = await page.evaluate(() => Object.keys(localStorage).find((name) => name.startsWith("examhall-question-draft")));
  expect(draft).toContain("head%40school.example");
  await hired(page, browser, hall, "reviewer", [5]);
  await page.goto("/auth/sign-out");
  const other = await signIn(browser, hall, "reviewer@school.example", "Reviewer", GRADE);
  const copied = await page.evaluate(() => JSON.stringify(localStorage));
  await other.page.evaluate((copied) => Object.assign(localStorage, JSON.parse(copied)), copied);
  await other.page.reload();
  await expect(other.page.getByRole("grid", { name: /^Questions/ })).toBeVisible();
  await expect(drafts(other.page)).toHaveCount(0);
});

test("an answer that never came stores a question once, and what was typed since is an edit", async ({ browser, hall }) => {
  const page = await head(browser, hall);
  const count = (await bank(page)).length;
  await field(page, "Question").fill("Stored once?");
  await answerOptions(page, ["1", "2", "3", "4"], "C");
  const way = await lost(page, "**/api/admin/questions");
  await page.keyboard.press("Control+Enter");
  await expect(form(page).getByText("The exam server can’t be reached.")).toBeVisible();
  way.stop();
  await field(page, "Explanation").fill("Typed later.");
  await page.keyboard.press("Control+Enter");
  await expect(notice(page, /^The question was stored before, as “.+”/)).toBeVisible();
  expect(await bank(page)).toHaveLength(count + 1);
  await expect(page.getByRole("region", { name: /^Question/ })).toBeVisible();
  await page.keyboard.press("e");
  const edit = page.getByRole("form", { name: /^Edit (?!g5-)\S+/ });
  await expect(edit.getByRole("textbox", { name: "Explanation" })).toHaveValue("Typed later.");
  await page.keyboard.press("Control+Enter");
  await expect(notice(page, /is edited\.$/)).toBeVisible();
  expect((await named(page, "Stored once?"))!["explanation"]).toBe("Typed later.");
});

test("two tabs with one draft overwrite nothing of each other", async ({ browser, hall }) => {
  const page = await head(browser, hall);
  await field(page, "Question").fill("Begun?");
  await expect(page).toHaveURL(/draft=/);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await expect(field(other, "Question")).toHaveValue("Begun?");
  await field(page, "Question").fill("Of the first tab?");
  await field(other, "Question").fill("Of the second tab?");
  await expect(notice(other, /^Another tab has saved, changed or discarded this draft\./)).toBeVisible();
  await page.reload();
  await other.reload();
  await expect(field(page, "Question")).toHaveValue("Of the first tab?");
  await expect(field(other, "Question")).toHaveValue("Of the second tab?");
});

test("a reviewer's question waits for another person, who sees its history and restores a version", async ({ browser, hall }) => {
  const page = await head(browser, hall, GRADE);
  const reviewer = (await hired(page, browser, hall, "reviewer", [5], NEW)).page;
  await expect(form(reviewer).getByRole("checkbox", { name: "Kept for exams" })).toHaveCount(0);
  await field(reviewer, "Question").fill("First words?");
  await answerOptions(reviewer, ["1", "2", "3", "4"], "A");
  await reviewer.keyboard.press("Control+Enter");
  await expect(notice(reviewer, /is stored\.$/)).toBeVisible();
  const { id } = (await named(page, "First words?")) as { id: string };
  // Who may approve it stands where the button is for others.
  await expect(reviewer.locator("section.opened [data-own]")).toContainText("another person has to approve it: a reviewer or manager of the grade, or another admin.");
  await expect(reviewer.locator("section.opened").getByRole("button", { name: /^Approve/ })).toHaveCount(0);
  await reviewer.keyboard.press("a");

  await call(page, "POST", "/api/review/edit", { questionId: id, grade: 5, comment: "", updates: { question: "Second words?", topic: "Other" } });
  await page.goto(`${GRADE}&question=${id}`);
  await page.getByText("History", { exact: true }).press("Enter");
  const history = opened(page, id).locator("details");
  await expect(history.locator("[data-field=Question] del").first()).toContainText("First");
  // A question that was written here has no version before that.
  await expect(history.getByText("Before all edits")).toHaveCount(0);
  await history.getByRole("button", { name: /^Restore this version/ }).click();
  const dialog = page.getByRole("dialog", { name: /^Restore the version/ });
  await expect(dialog.locator("[data-field=Topic]")).toContainText("Other");
  await check(page, "an earlier version");
  await takePicture(page, "restore-version");
  // Somebody edits it in this moment.
  await call(reviewer, "POST", "/api/review/edit", { questionId: id, grade: 5, comment: "", updates: { explanation: "Theirs." } });
  await dialog.getByRole("button", { name: "Restore this version" }).click();
  const race = page.getByRole("dialog", { name: "Somebody has changed this meanwhile" });
  await expect(race).toContainText("Theirs.");
  await race.getByRole("button", { name: "Look at it again" }).click();
  await expect(history.locator("[data-field=Explanation]").first()).toContainText("Theirs.");
  await history.getByRole("button", { name: /^Restore this version/ }).last().click();
  await page.getByRole("dialog", { name: /^Restore the version/ }).getByRole("button", { name: "Restore this version" }).click();
  await expect(notice(page, "“Second words?” is as it was.")).toBeVisible();
  expect(await named(page, "First words?")).toMatchObject({ id, explanation: "" });
});

test("a question is duplicated, kept for exams, retired and brought back", async ({ browser, hall }) => {
  const page = await head(browser, hall, `${GRADE}&question=${FIRST}`);
  const before = (await bank(page)).find(({ id }) => id === FIRST)!;
  await expect(opened(page, FIRST)).toBeVisible();
  await page.keyboard.press("d");
  await expect(field(page, "Question")).toHaveValue(String(before["question"]));
  await field(page, "Question").fill("A twin?");
  await form(page).getByRole("checkbox", { name: "Kept for exams" }).check();
  await page.keyboard.press("Control+Enter");
  await expect(notice(page, /is stored\.$/)).toBeVisible();
  const { id } = (await named(page, "A twin?")) as { id: string };
  expect((await call(page, "GET", "/api/admin/questions/secure?grade=5")).secure).toEqual([id]);
  await page.keyboard.press("e");
  const edit = page.getByRole("form", { name: `Edit ${id.slice(0, 8)}` });
  await expect(edit.getByRole("checkbox", { name: "Kept for exams" })).toBeChecked();
  await edit.getByRole("checkbox", { name: "Kept for exams" }).uncheck();
  await edit.getByRole("button", { name: /^Save 1 change/ }).click();
  await expect(notice(page, "“A twin?” is not kept for exams any more.")).toBeVisible();

  await page.getByRole("button", { name: "Retire the question" }).click();
  await check(page, "asked before a question is retired");
  await page.getByRole("dialog", { name: "Retire “A twin?”?" }).getByRole("button", { name: "Retire it" }).click();
  await expect(notice(page, "“A twin?” is retired.")).toBeVisible();
  await expect.poll(() => named(page, "A twin?")).toBeUndefined();
  await page.goto("/staff/questions/retired?grade=5");
  await expect(page.getByText("A twin?")).toBeVisible();
  await check(page, "the retired questions");
  await page.getByRole("button", { name: "Bring back “A twin?”" }).click();
  await expect(page.getByText("No question of this grade is retired.")).toBeVisible();
  expect(await named(page, "A twin?")).toMatchObject({ id });
});

test("templates that have a question keep it from being retired, and are named", async ({ browser, hall }) => {
  const page = await head(browser, hall, GRADE);
  const body = { name: "Spring & more", grades: [5], mode: "standard", durationMinutes: 60, standardTargets: { 1: 2 } };
  const { template } = await call(page, "POST", "/api/admin/test-templates", body);
  const [question] = template.standardQuestions as { id: string }[];
  await page.goto(`${GRADE}&question=${question!.id}`);
  await page.getByRole("button", { name: "Retire the question" }).click();
  await page.getByRole("button", { name: "Retire it" }).click();
  const dialog = page.getByRole("dialog", { name: /^Retire “.+”\?$/ });
  await expect(dialog.getByText("These templates have the question.")).toBeVisible();
  await dialog.getByRole("link", { name: "Spring & more" }).click();
  await expect(page).toHaveURL(/\/staff\/templates\?find=Spring/);
  await expect(page.getByRole("link", { name: "Spring & more" })).toBeVisible();
});

for (const size of WIDTHS) {
  test(`the form is accessible in all its states, and moves nothing while somebody types, at ${size.width} px`, async ({ browser, hall }) => {
    const page = await head(browser, hall);
    await page.setViewportSize(size);
    await expect(field(page, "Question")).toBeVisible();
    // Bars that stay in sight cover a part of whatever is scrolled behind them, which axe would call too small.
    for (const part of ["toolbar", "foot"] as const) {
      const bar = part === "foot" ? form(page).locator(".foot") : page.getByRole("toolbar");
      await bar.evaluate((node) => node.style.setProperty("position", "static"));
    }
    await check(page, "an empty form");
    const preview = page.getByRole("region", { name: "As students see it" });
    await field(page, "Question").fill("What is $\\frac{1}{2}$ of 10?");
    await answerOptions(page, ["1", "2", "$\\sqrt{25}$", "4"], "C");
    for (const screen of ["Phone", "Desktop"]) {
      await preview.getByRole("button", { name: screen }).click();
      await check(page, screen);
    }
    for (const theme of ["Cream", "Dark", "High contrast", "Light"]) {
      await preview.getByRole("button", { name: theme }).click();
      await isAccessible(page, theme);
    }
    await page.evaluate(() => {
      const watch = { moved: [] as string[] };
      Object.assign(window, { watch });
      const isBeside = (node: Node | null) => (node instanceof Element ? node : node?.parentElement)?.closest(".preview") != null;
      // Also what comes so long after a key that browsers no longer put it down to it.
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as unknown as { sources: { node: Node | null }[] }[]) {
          const others = entry.sources.filter(({ node }) => !isBeside(node));
          watch.moved.push(...others.map(({ node }) => (node instanceof Element ? node.outerHTML : String(node?.textContent)).slice(0, 120)));
        }
      }).observe({ type: "layout-shift" });
    });
    await field(page, "Option A").focus();
    await page.keyboard.type("$\\fraq{1}{2}$", { delay: 20 });
    await expect(field(page, "Option A")).toHaveAccessibleDescription(/This formula can’t be read: /);
    await isAccessible(page, "a formula that can't be read");
    expect(await page.evaluate(() => (window as unknown as { watch: { moved: string[] } }).watch.moved)).toEqual([]);
  });
}

test("by the keyboard alone and in Vietnamese, a question is written and stored", async ({ browser, hall }) => {
  const page = await head(browser, hall);
  await page.evaluate(() => localStorage.setItem("examhall-language", "vi"));
  await page.reload();
  await expect(page.getByRole("heading", { level: 1, name: "Câu hỏi mới" })).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Câu hỏi", exact: true })).toBeFocused();
  await page.keyboard.type("Diện tích hình vuông cạnh 3");
  await page.keyboard.press("Control+m");
  await expect(page.getByRole("button", { name: "Phân số" })).toBeFocused();
  await page.keyboard.press("End");
  await expect(page.getByRole("button", { name: "Ki-lô-mét trên giờ" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("textbox", { name: "Câu hỏi", exact: true })).toBeFocused();
  await page.keyboard.type(" cm?");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  for (const [index, option] of ["3", "6", "9", "12"].entries()) {
    await tabTo(page, page.getByRole("textbox", { name: `Phương án ${"ABCD".charAt(index)}` }));
    await page.keyboard.type(option);
  }
  await check(page, "a new question in Vietnamese");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByText(/^Đã lưu \S+/)).toBeVisible();
  expect(await named(page, "Diện tích hình vuông cạnh 3 cm?")).toMatchObject({ answer: "A", options: ["3", "6", "9", "12"] });
});
