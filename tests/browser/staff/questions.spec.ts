// Questions and their review: the inbox, decisions, edits, two people at once, statistics that look wrong, and the import of a bank.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { APIRequestContext, Browser, Page } from "@playwright/test";
import { check, fits } from "../accessible";
import { takePicture, WITH_PICTURES } from "../documentation";
import { expect, test, type Hall } from "../hall";
import { call, template } from "../student";
import { after } from "./answered";
import { hired, signIn } from "./people";

const GRADE = "/staff/questions?grade=5";
const FIRST = "g5-001";

/** The head of the school, who is the first to sign in, at the questions of grade 5. */
async function head(browser: Browser, hall: Hall, address = GRADE): Promise<Page> {
  return (await signIn(browser, hall, "head@school.example", "Head", address)).page;
}

const list = (page: Page) => page.getByRole("grid", { name: /^Questions \(/ });
const opened = (page: Page, id: string) => page.getByRole("region", { name: `Question ${id.slice(0, 8)}` });
const review = async (page: Page, id: string) => (await call(page, "GET", "/api/review/questions?grade=5")).reviews[id];
const stored = async (page: Page, id: string) => (await call(page, "GET", "/api/review/questions?grade=5")).questions.find((question: { id: string }) => question.id === id);
const notice = (page: Page, text: string | RegExp) => page.getByRole("region", { name: "Messages" }).getByText(text);
const act = (page: Page, name: "Approve" | "Flag" | "Back to pending" | "Edit") => page.locator("section.opened").getByRole("button", { name: new RegExp(`^${name}( [A-Z])?$`) });

test("a reviewer goes through an inbox by mouse, and each decision can be undone", async ({ browser, hall }) => {
  const { page } = await hired(await head(browser, hall), browser, hall, "reviewer", [5]);
  await page.getByRole("link", { name: "140 questions to review" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Questions of grade 5" })).toBeVisible();
  await expect(list(page)).toHaveAttribute("aria-rowcount", "141");
  await expect(page.getByRole("button", { name: "Pending 140" })).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByRole("link", { name: "Import", exact: true })).toHaveCount(0);
  await check(page, "the inbox");

  await list(page).getByRole("row").filter({ hasText: FIRST }).click();
  await expect(opened(page, FIRST)).toBeVisible();
  await expect(page).toHaveURL(/question=g5-001/);
  await expect(page.getByRole("heading", { name: `Question ${FIRST}` })).toBeFocused();
  const question = await stored(page, FIRST);
  await expect(opened(page, FIRST).getByRole("radio")).toHaveCount(question.options.length);
  await expect(opened(page, FIRST).locator("[data-key]")).toContainText(`Right: ${question.answer}`);
  await expect(opened(page, FIRST)).toContainText("No student has had this question in an exam yet.");
  await expect(act(page, "Back to pending")).toHaveCount(0);
  await expect(page.getByRole("checkbox", { name: "Statistics look wrong", exact: true })).toBeDisabled();
  await expect(page.getByText("Needs statistics, which come with the exams that students sit.")).toBeVisible();
  await check(page, "an open question");
  await act(page, "Approve").click();
  await expect(opened(page, "g5-002")).toBeVisible();
  await expect(page.getByRole("button", { name: "Approved 1" })).toBeVisible();
  expect(await review(page, FIRST)).toMatchObject({ status: "approved", reviewedBy: "reviewer@school.example" });
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(opened(page, FIRST)).toContainText("Pending");
  await expect.poll(async () => (await review(page, FIRST)).status).toBe("pending");

  await act(page, "Flag").click();
  await page.getByRole("button", { name: "Flag the question" }).click();
  await expect(page.getByText("Write what is wrong, so that somebody can mend it.")).toBeVisible();
  await check(page, "a flag without a note");
  await page.getByRole("textbox", { name: "What is wrong with it?" }).fill("Two options are right.");
  await page.getByRole("button", { name: "Flag the question" }).click();
  await expect(opened(page, "g5-002")).toBeVisible();
  await page.getByRole("button", { name: "Flagged 1" }).click();
  await expect(page).toHaveURL(/state=flagged/);
  await list(page).getByRole("row").filter({ hasText: FIRST }).click();
  await expect(opened(page, FIRST)).toContainText("Two options are right.");
  await act(page, "Back to pending").click();
  await expect(notice(page, /“.+” is pending again\.$/)).toBeVisible();
});

test("by the keyboard alone: from the list through decisions to an edit and back", async ({ browser, hall }) => {
  const page = await head(browser, hall);
  await expect(list(page)).toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(opened(page, "g5-002")).toBeVisible();
  await page.keyboard.press("k");
  await expect(opened(page, FIRST)).toBeVisible();
  await page.keyboard.press("a");
  await expect(opened(page, "g5-002")).toBeVisible();
  await page.keyboard.press("Control+z");
  await expect(opened(page, FIRST)).toBeVisible();
  await page.keyboard.press("f");
  await page.keyboard.type("Faulty, and a p in it");
  await page.keyboard.press("Control+Enter");
  await expect(opened(page, "g5-002")).toBeVisible();
  expect(await review(page, FIRST)).toMatchObject({ status: "flagged", note: "Faulty, and a p in it" });
  await page.keyboard.press("j");
  await expect(opened(page, "g5-003")).toBeVisible();
  await page.keyboard.press("e");
  const form = page.getByRole("form", { name: "Edit g5-003" });
  await expect(form.getByRole("textbox", { name: "Question", exact: true })).toBeFocused();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("What is $\\frac{1}{2}$ of 10?");
  await expect(form.locator("[data-changes]")).toContainText("What this edit changes: 1 field");
  await page.keyboard.press("Control+Enter");
  await expect(notice(page, /^“.+” is edited\.$/)).toBeVisible();
  await expect(opened(page, "g5-003").locator("#question-text math")).toBeVisible();
  // Nobody has decided on it, so there is nothing to take back.
  await page.keyboard.press("p");
  await page.keyboard.press("a");
  await expect(opened(page, "g5-004")).toBeVisible();
  await page.keyboard.press("k");
  await expect(opened(page, "g5-003")).toContainText("Approved");
  await page.keyboard.press("p");
  await expect(opened(page, "g5-004")).toBeVisible();
  await expect.poll(async () => (await review(page, "g5-003")).status).toBe("pending");
  await page.keyboard.press("Escape");
  await expect(page.locator("section.opened")).toHaveCount(0);
  await page.goBack();
  await expect(opened(page, "g5-004")).toBeVisible();
});

test("an edit shows its mathematics and its changes before it is saved, and is in the history", async ({ browser, hall }) => {
  const page = await head(browser, hall, `${GRADE}&question=${FIRST}`);
  const before = await stored(page, FIRST);
  await act(page, "Edit").click();
  const form = page.getByRole("form", { name: `Edit ${FIRST}` });
  await expect(form.getByRole("button", { name: "Save", exact: false })).toBeDisabled();
  await form.getByRole("textbox", { name: "Question", exact: true }).fill("What is $\\frac{1}{2} + \\frac{1}{4}$?");
  await expect(form.getByRole("region", { name: "As students see it" }).locator("#question-text mfrac")).toHaveCount(2);
  await form.getByRole("textbox", { name: "Option A" }).fill("$\\frac{3}{4}$");
  await form.getByRole("radio", { name: "A is right" }).check();
  await form.getByRole("textbox", { name: "Option B" }).fill("$\\frac{3}{4}$");
  await form.getByRole("textbox", { name: "Why?" }).fill("Clearer");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form.getByText("Two options are equal")).toBeVisible();
  await check(page, "an edit with a fault");
  await form.getByRole("textbox", { name: "Option B" }).fill(before.options[1]);
  await expect(form.locator("[data-field=Question] del").first()).toBeVisible();
  await check(page, "an edit");

  // What was typed is not lost when a request fails.
  await page.route("**/api/review/edit", (route) => route.abort());
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form.getByText("The exam server can’t be reached.")).toBeVisible();
  await expect(form.getByRole("textbox", { name: "Why?" })).toHaveValue("Clearer");
  await page.unroute("**/api/review/edit");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(notice(page, /^“.+” is edited\.$/)).toBeVisible();
  // A message stays while the pointer is on it.
  await page.getByRole("button", { name: "Undo" }).hover();
  expect(await stored(page, FIRST)).toMatchObject({ question: "What is $\\frac{1}{2} + \\frac{1}{4}$?", answer: "A" });
  await page.getByText("History", { exact: true }).press("Enter");
  const history = page.locator("section.opened details");
  await expect(history).toContainText("Clearer");
  await expect(history.locator("[data-field='Option A'] ins").first()).toContainText("frac");
  await check(page, "the history");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(notice(page, "Undone.")).toBeVisible();
  expect(await stored(page, FIRST)).toEqual(before);

  // A discarded edit can be had again.
  await act(page, "Edit").click();
  await form.getByRole("textbox", { name: "Explanation" }).fill("Half a thought");
  await form.getByRole("button", { name: "Discard" }).click();
  await page.getByRole("button", { name: "Undo" }).first().click();
  await expect(form.getByRole("textbox", { name: "Explanation" })).toHaveValue("Half a thought");
});

test("a broken formula and a picture that does not come are said at their places before they are saved", async ({ browser, hall }) => {
  const page = await head(browser, hall, `${GRADE}&question=${FIRST}`);
  const before = await stored(page, FIRST);
  await act(page, "Edit").click();
  const form = page.getByRole("form", { name: `Edit ${FIRST}` });
  const field = (name: string) => form.getByRole("textbox", { name, exact: true });
  await field("Question").fill("What is $\\frac{1}{2$ of 10?");
  await expect(field("Question")).toHaveAccessibleDescription(/This formula can’t be read: \\frac\{1\}\{2$/);
  await field("Question").fill("What is $\\frac{1}{2}$ of 10?");
  await expect(form.getByText("This formula can’t be read")).toHaveCount(0);
  await field("Option B").fill("$\\frac{3}{4}");
  await field("Address of a picture").fill("/pictures/nowhere.png");
  await field("Explanation").fill("Half of ten: \\sqrt{25}");
  await form.getByRole("button", { name: /^Save 4 changes/ }).click();
  // The picture is neither there nor described.
  await expect(form.getByText("Not saved: 2 places have to be mended first.")).toBeVisible();
  await expect(form.getByRole("button", { name: "Save all the same" })).toHaveCount(0);
  await expect(field("Option B")).toBeFocused();
  await expect(field("Option B")).toHaveAccessibleDescription(/A formula begins and ends with a dollar sign: \$\\frac\{3\}\{4\}/);
  await expect(field("Explanation")).toHaveAccessibleDescription(/A formula begins and ends with a dollar sign: /);
  await expect(field("Address of a picture")).toHaveAccessibleDescription("No picture comes from this address.");
  await check(page, "an edit with doubts");
  await field("Address of a picture").fill("picture.png");
  await expect(field("Address of a picture")).toHaveAccessibleDescription(/This is no address of a picture\./);
  await field("Address of a picture").fill("/icon.svg");
  await expect(field("Address of a picture")).toHaveAccessibleDescription("");
  await field("What the picture shows, in words").fill("A building.");
  await field("Option B").fill("$\\frac{3}{4}$");
  await form.getByRole("button", { name: /^Save 5 changes/ }).click();
  await expect(form.getByText("Not saved yet: look at 1 place that students would stumble over.")).toBeVisible();
  expect(await stored(page, FIRST)).toEqual(before);
  // Whoever means it can have it.
  await form.getByRole("button", { name: "Save all the same" }).click();
  await expect(notice(page, /^“.+” is edited\.$/)).toBeVisible();
  expect(await stored(page, FIRST)).toMatchObject({ explanation: "Half of ten: \\sqrt{25}", image: "/icon.svg" });
});

test("two who decide on one question at once overwrite nothing unseen", async ({ browser, hall }) => {
  const page = await head(browser, hall, `${GRADE}&question=${FIRST}`);
  const other = (await hired(page, browser, hall, "reviewer", [5], `${GRADE}&question=${FIRST}`)).page;
  await expect(act(page, "Approve")).toBeVisible();
  await expect(act(other, "Flag")).toBeVisible();
  await other.keyboard.press("f");
  await other.getByRole("textbox", { name: "What is wrong with it?" }).fill("No option is right.");
  await other.keyboard.press("Control+Enter");
  await expect(opened(other, "g5-002")).toBeVisible();
  // A message stays while the pointer is on it.
  await other.getByRole("button", { name: "Undo" }).hover();

  await act(page, "Approve").click();
  const dialog = page.getByRole("dialog", { name: "Somebody has changed this meanwhile" });
  await expect(dialog).toContainText("No option is right.");
  await expect(dialog).toContainText("Approve the question.");
  await check(page, "two decisions");
  expect((await review(page, FIRST)).status).toBe("flagged");
  await dialog.getByRole("button", { name: "Look at it again" }).click();
  await expect(opened(page, FIRST)).toContainText("by The reviewer");
  await act(page, "Approve").click();
  await expect(opened(page, "g5-002")).toBeVisible();
  expect((await review(page, FIRST)).status).toBe("approved");

  // What the reviewer undoes is not what they decided any more.
  await other.getByRole("button", { name: "Undo" }).click();
  await expect(other.getByText("Somebody else has changed this meanwhile.")).toBeVisible();
  expect((await review(page, FIRST)).status).toBe("approved");
});

test("two who edit one question at once see both edits, and can keep both", async ({ browser, hall }) => {
  const page = await head(browser, hall, `${GRADE}&question=${FIRST}`);
  await act(page, "Edit").click();
  const form = page.getByRole("form", { name: `Edit ${FIRST}` });
  await form.getByRole("textbox", { name: "Question", exact: true }).fill("Mine?");
  await call(page, "POST", "/api/review/edit", { questionId: FIRST, grade: 5, comment: "", updates: { explanation: "Theirs." } });
  await form.getByRole("button", { name: "Save" }).click();
  const dialog = page.getByRole("dialog", { name: "Somebody has changed this meanwhile" });
  await expect(dialog).toContainText("Theirs.");
  await expect(dialog).toContainText("Mine?");
  await check(page, "two edits");
  expect((await stored(page, FIRST)).question).not.toBe("Mine?");
  await dialog.getByRole("button", { name: "Add my changes to theirs" }).click();
  await expect(form.getByRole("textbox", { name: "Explanation" })).toHaveValue("Theirs.");
  await form.getByRole("button", { name: "Save 1 change" }).click();
  await expect(notice(page, /^“.+” is edited\.$/)).toBeVisible();
  expect(await stored(page, FIRST)).toMatchObject({ question: "Mine?", explanation: "Theirs." });

  // A decision asks too if the question was edited.
  await call(page, "POST", "/api/review/edit", { questionId: FIRST, grade: 5, comment: "", updates: { question: "Theirs?" } });
  await act(page, "Approve").click();
  await dialog.getByRole("button", { name: "Approve it as it is now" }).click();
  await expect(opened(page, "g5-002")).toBeVisible();
  expect((await review(page, FIRST)).status).toBe("approved");
});

/** Twenty tests of a template, all of whose students choose the option after the right one in its first question. */
async function sat(page: Page, request: APIRequestContext): Promise<string> {
  const templateId = await template(page, "Short paper");
  const { questions } = await call(page, "GET", "/api/review/questions?grade=5");
  const keys = new Map<string, string>(questions.map(({ id, answer }: { id: string; answer: string }) => [id, answer]));
  let first = "";
  for (let student = 0; student < 20; student += 1) {
    const key = `review${String(student).padStart(20, "x")}`;
    const begun = await request.post("/api/live", { data: { type: "start", templateId, key, annotations: { name: `Student ${student}` } } });
    const { sessionId, token } = await begun.json();
    const { questionIds, seq } = await (await request.get(`/api/live/${sessionId}`, { headers: { Authorization: `Bearer ${token}` } })).json();
    first = questionIds[0];
    const chosen = (id: string, place: number) => (place === 0 ? after(keys.get(id) ?? "") : keys.get(id));
    const answers = questionIds.map((questionId: string, place: number) => ({ type: "answer", questionId, selected: chosen(questionId, place), timeTaken: 20 }));
    const commands = [...answers, { type: "submit" }].map((command, index) => ({ ...command, seq: seq + index + 1 }));
    const ended = await request.post(`/api/live/${sessionId}/commands`, { data: { commands }, headers: { Authorization: `Bearer ${token}` } });
    expect(ended.status(), await ended.text()).toBe(200);
  }
  return first;
}

test("statistics are bars and a table, and those that look wrong are a filter", WITH_PICTURES, async ({ browser, hall, request }) => {
  const page = await head(browser, hall, "/staff");
  const first = await sat(page, request);
  await expect.poll(async () => (await call(page, "GET", "/api/admin/items?grade=5")).items.find(({ questionId }: { questionId: string }) => questionId === first)?.attempts, { timeout: 30_000 }).toBe(20);
  await page.goto(GRADE);
  await page.getByRole("checkbox", { name: "Statistics look wrong" }).check();
  await expect(page).toHaveURL(/doubts=yes/);
  const row = list(page).getByRole("row").filter({ hasText: first });
  await expect(row).toContainText("0 %");
  await row.click();
  await expect(opened(page, first)).toContainText("Few solve it");
  await expect(opened(page, first)).toContainText(/More chose [A-D] than the right option/);
  await expect(opened(page, first).getByRole("row").filter({ hasText: "(right)" })).toContainText("0 %");
  await expect(opened(page, first).getByRole("row").filter({ hasText: "Median time" })).toContainText("0:20");
  await check(page, "figures");
  await takePicture(page, "questions");
  await page.reload();
  await expect(page.getByRole("checkbox", { name: "Statistics look wrong" })).toBeChecked();
  await page.emulateMedia({ forcedColors: "active" });
  await check(page, "figures in forced colours");
});

test("filters are in the address, and each role sees its own grades", async ({ browser, hall }) => {
  const page = await head(browser, hall, `${GRADE}&find=nothing-like-this`);
  await expect(page.getByText("No question fits these filters.")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(list(page)).toHaveAttribute("aria-rowcount", "141");
  await page.getByRole("combobox", { name: "Grade" }).selectOption("Grade 6");
  await expect(page.getByRole("heading", { level: 1, name: "Questions of grade 6" })).toBeVisible();
  await page.getByRole("checkbox", { name: "Reviewed by me" }).check();
  await expect(page.getByText("No question fits these filters.")).toBeVisible();

  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export grade 6" }).click();
  expect((await saving).suggestedFilename()).toBe("questions-grade6.xlsx");

  const manager = (await hired(page, browser, hall, "manager", [6], GRADE)).page;
  await expect(manager.getByText("The questions of this grade are not assigned to you.")).toBeVisible();
  await manager.goto("/staff/questions");
  await expect(manager.getByRole("heading", { level: 1, name: "Questions of grade 6" })).toBeVisible();
  await expect(manager.getByRole("button", { name: /^Export/ })).toHaveCount(0);
  await manager.goto("/staff/questions/import");
  await expect(manager.getByText("Only admins can import questions.")).toBeVisible();
});

test("narrow and enlarged screens show the list or the question", async ({ browser, hall }) => {
  const page = await head(browser, hall);
  for (const [width, height] of [
    [820, 1_180],
    [320, 640],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto(GRADE);
    await expect(list(page)).toBeVisible();
    await check(page, `the list at ${width}`);
    await list(page).getByRole("row").filter({ hasText: FIRST }).click();
    await expect(opened(page, FIRST)).toBeVisible();
    await expect(list(page)).toHaveCount(0);
    await check(page, `a question at ${width}`);
    await page.keyboard.press("j");
    await expect(opened(page, "g5-002")).toBeVisible();
    await act(page, "Edit").click();
    await expect(page.getByRole("form", { name: "Edit g5-002" })).toBeVisible();
    await check(page, `an edit at ${width}`);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Back to the list" }).click();
    await expect(list(page)).toBeVisible();
  }
  await page.goto("/staff/questions/import");
  await expect(page.getByText("Choose a file")).toBeVisible();
  await fits(page, "the import at 320");
});

const ROWS = 12_000;
/** One of these is in each three hundred rows. */
const BAD = 40;
const FRAME_MS = 100;
const TURNS = 3;

/** A file of so many questions, of which forty have no such grade. */
function bank(): string {
  const every = ROWS / BAD;
  const row = (index: number) => `x-${index},${index % every === 7 ? 11 : 5},Sums,2,What is ${index} + 1?,${index + 1},${index + 2},A`;
  return ["id,grade,topic,difficulty,question,optionA,optionB,answer", ...Array.from({ length: ROWS }, (_, index) => row(index))].join("\n");
}

/** The milliseconds of the longest frame while something is done. */
async function longestFrame(page: Page, doing: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const watch = { longest: 0, count: 0, isOver: false };
    Object.assign(window, { watch });
    const from = (last: number) =>
      requestAnimationFrame((now) => {
        if (watch.isOver) return;
        if (last > 0) watch.longest = Math.max(watch.longest, now - last);
        watch.count += 1;
        from(now);
      });
    from(0);
  });
  await doing();
  const { longest, count } = await page.evaluate(() => {
    const { watch } = window as unknown as { watch: { longest: number; count: number; isOver: boolean } };
    watch.isOver = true;
    return watch;
  });
  console.log(`frames ${count}, longest ${longest.toFixed(1)} ms`);
  expect(count).toBeGreaterThan(5);
  return longest;
}

test("an import of twelve thousand rows, forty of them bad, says so before, and holds up no frame", WITH_PICTURES, async ({ browser, hall }) => {
  // A debug build may be slow to write so many.
  test.setTimeout(240_000);
  const page = await head(browser, hall, "/staff/questions/import");
  await expect(page.getByText("Choose a file")).toBeVisible();
  await check(page, "the import");
  // A file on the disk, since one out of the test's own memory would be unpacked in the page.
  const folder = mkdtempSync(join(tmpdir(), "examhall-bank-"));
  const file = join(folder, "bank.csv");
  writeFileSync(file, bank());
  const faults = page.getByRole("grid", { name: "Rows that can’t be imported: 40" });
  // Whatever else the machine does may spoil one turn, which the median leaves out.
  const longest: number[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const checked = page.waitForResponse((response) => response.url().includes("dryRun=true"));
    const took = await longestFrame(page, async () => {
      await page.locator("input[type=file]").setInputFiles(file);
      await checked;
      await expect(page.getByText("11,960 questions would be added, 0 overwritten.")).toBeVisible({ timeout: 60_000 });
      await faults.evaluate((grid) => grid.scrollTo(0, grid.scrollHeight));
      await expect(faults.getByRole("row").filter({ hasText: "11709" })).toBeVisible();
    });
    longest.push(took);
  }
  // What is imported is what was checked, whatever has become of the file.
  rmSync(folder, { recursive: true });
  expect(longest.sort((one, other) => one - other)[Math.floor(TURNS / 2)], "ms of the longest frame, in the median turn").toBeLessThan(FRAME_MS);
  await expect(page.getByText("40 rows can’t be imported.")).toBeVisible();
  await expect(faults).toHaveAttribute("aria-rowcount", "41");
  await faults.evaluate((grid) => grid.scrollTo(0, 0));
  await expect(faults.getByRole("row").nth(1)).toContainText(/^\s*9\s*the grade must be 1 to 10/);
  await check(page, "what an import would do");
  expect((await call(page, "GET", "/api/review/questions?grade=5")).questions).toHaveLength(140);
  await takePicture(page, "import");

  await page.getByRole("button", { name: "Import 11,960 questions without the 40 rows" }).click();
  await expect(page.getByText("11,960 questions are added, 0 overwritten.")).toBeVisible({ timeout: 150_000 });
  await expect(page.getByText("40 rows were left out.")).toBeVisible();
  await check(page, "an import that is done");
  await page.locator("main").getByRole("link", { name: "To the questions" }).first().click();
  await page.getByRole("combobox", { name: "Grade" }).selectOption("Grade 5");
  await expect(page.getByText("12,100 questions")).toBeVisible({ timeout: 30_000 });
});

test("a file that is no list of questions says why", async ({ browser, hall }) => {
  const page = await head(browser, hall, "/staff/questions/import");
  // Who has one new question and no export begins from a sheet with an example, which can be imported as it is.
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save a sheet with an example" }).click();
  const example = await saving;
  const sheet = test.info().outputPath(example.suggestedFilename());
  await example.saveAs(sheet);
  await page.locator("input[type=file]").setInputFiles(sheet);
  await expect(page.getByText("1 question would be added, 0 overwritten.")).toBeVisible();
  const choose = (name: string, text: string) => page.locator("input[type=file]").setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
  await choose("names.csv", "grade,difficulty,question,optionA,optionB\n5,2,What is 1 + 1?,2,3\n");
  await expect(page.getByRole("alert").filter({ hasText: "Missing columns" })).toBeVisible();
  await choose("one.csv", "grade,difficulty,question,optionA,optionB,answer\n5,2,What is 1 + 1?,2,2,A\n");
  await expect(page.getByText("No row of the file can be imported.")).toBeVisible();
  await expect(page.getByRole("grid")).toContainText("“optionA” and “optionB” are equal");
  await expect(page.getByRole("button", { name: /^Import 0 questions/ })).toBeDisabled();
});
