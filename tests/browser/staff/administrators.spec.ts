// The pages of administrators: people with their roles and grades, the register, tokens, messages, health and the log of edits.

import { readFileSync } from "node:fs";
import type { Browser, Page } from "@playwright/test";
import { check } from "../accessible";
import { takePicture, takesPictures, WITH_PICTURES } from "../documentation";
import { expect, test, type Hall } from "../hall";
import { seconds } from "../sitting";
import { call } from "../student";
import { hired, signIn, type Person } from "./people";

const RITA = "rita@school.example";
const LISTS: [string, string][] = [
  ["people", "/staff/people"],
  ["adding people", "/staff/people/add"],
  ["accommodations", "/staff/people/accommodations"],
  ["the settings", "/staff/school"],
  ["tokens", "/staff/school?tab=tokens"],
  ["messages", "/staff/school?tab=webhooks"],
  ["health", "/staff/school?tab=health"],
  ["the log", "/staff/school?tab=log"],
  ["learning platforms", "/staff/school/platforms"],
  ["a new platform", "/staff/school/platforms/new"],
  ["the audit", "/staff/school/audit"],
];

/** The head of a school, who is its first user, at this address. */
async function head(browser: Browser, hall: Hall, address = "/staff/people", options = {}): Promise<Page> {
  return (await signIn(browser, hall, "head@school.example", "Head", address, options)).page;
}

/** The head, and Rita, who has signed in as a student. */
async function school(browser: Browser, hall: Hall): Promise<{ page: Page; rita: Person }> {
  const page = await head(browser, hall, "/staff");
  const rita = await signIn(browser, hall, RITA, "Rita Nguyen", "/");
  await page.goto("/staff/people");
  await expect(row(page, RITA)).toBeVisible();
  return { page, rita };
}

const row = (page: Page, text: string) => page.getByRole("grid").getByRole("row").filter({ hasText: text });
const dialog = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name });
const messages = (page: Page) => page.getByRole("region", { name: "Messages", exact: true });
const me = async ({ page }: Person) => (await page.request.get("/api/me?guests=true")).text();
const user = async (page: Page, email: string) => (await call(page, "GET", "/api/admin/users")).find((one: { email: string }) => one.email === email);
const grades = async (page: Page, duty: "assignments" | "managers", email: string) =>
  (await call(page, "GET", `/api/admin/review/${duty}`)).assignments.find((one: { email: string }) => one.email === email)?.grades;

/** Hands in a finished test whose message the server refuses to send, since its address is not public. */
async function failedMessage(page: Page): Promise<void> {
  const questions = (await (await page.request.get("/api/questions?grade=5")).json()) as { id: string }[];
  const answers = questions.slice(0, 10).map(({ id }) => ({ questionId: id, selected: "A", correct: "A", isCorrect: true }));
  const result = { score: 800, correctAnswers: 10, totalQuestions: 10, timeTaken: 60, topicBreakdown: [], difficultyBreakdown: [], answers };
  const rest = { baseUrl: "https://exam.example", webhookUrl: "http://127.0.0.1:9/hook?secret=1", annotations: {} };
  await call(page, "POST", "/api/sessions", { grade: 5, startedAt: seconds(-600), ...rest, result });
  await expect.poll(async () => (await (await page.request.get("/api/admin/webhooks?status=failed")).json()).total).toBe(1);
}

test("an admin finds the people in the rail, makes one a reviewer of two grades, and takes it back", async ({ browser, hall }) => {
  const { page, rita } = await school(browser, hall);
  await page.goto("/staff");
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "People" }).click();
  await expect(page).toHaveURL("/staff/people");
  await expect(page.getByText("1 administrator, 0 managers, 0 reviewers, 1 student")).toBeVisible();
  await expect(row(page, "head@school.example")).toContainText(/Administrator.*you/);
  await check(page, "people");

  await row(page, RITA).click();
  await expect(page).toHaveURL(/person=rita/);
  const rights = dialog(page, "Rita Nguyen");
  await rights.getByRole("combobox", { name: "Role" }).selectOption("Reviewer");
  await expect(rights.getByText("Without grades this role sees nothing yet.")).toBeVisible();
  const reviews = rights.getByRole("group", { name: "Grades to review" });
  await reviews.getByRole("button", { name: "Grade 5", exact: true }).click();
  await reviews.getByRole("button", { name: "Grade 6", exact: true }).click();
  await expect(rights.getByText("Without grades this role sees nothing yet.")).toBeHidden();
  await check(page, "a person");
  await rights.getByRole("button", { name: "Save" }).click();
  await expect(rights).toBeHidden();
  await expect(row(page, RITA)).toContainText(/Reviewer/);
  expect(await user(page, RITA)).toMatchObject({ role: "reviewer" });
  expect(await grades(page, "assignments", RITA)).toEqual([5, 6]);
  await expect.poll(() => me(rita), { timeout: 20_000 }).toContain('"grades":[5,6]');

  await messages(page).getByRole("button", { name: "Undo" }).click();
  await expect(messages(page).getByText("Undone.")).toBeVisible();
  await expect(row(page, RITA)).toContainText("Student");
  expect(await grades(page, "assignments", RITA)).toBeUndefined();
  expect(await user(page, RITA)).toMatchObject({ role: "student" });
});

test("the list goes by the keyboard: to a person, and to several at once", async ({ browser, hall }) => {
  const { page } = await school(browser, hall);
  await signIn(browser, hall, "max@school.example", "Max Tran", "/");
  await page.reload();
  await expect(row(page, "max@school.example")).toBeVisible();
  // The head, Max, Rita: those with the most rights first, then by name.
  for (const key of ["j", "j", "Enter"]) await page.keyboard.press(key);
  await expect(dialog(page, "Max Tran")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog(page, "Max Tran")).toBeHidden();
  await expect(page).not.toHaveURL(/person=/);
  await page.getByRole("grid", { name: "People" }).focus();
  for (const key of ["x", "j", "x"]) await page.keyboard.press(key);
  const bar = page.getByRole("toolbar", { name: "2 selected" });
  await bar.getByRole("combobox", { name: "Role" }).selectOption("Manager");
  await check(page, "two people are selected");
  await bar.getByRole("button", { name: "Give 2 people this role" }).press("Enter");
  await expect(row(page, RITA)).toContainText(/Manager.*no grades/);
  await bar.getByRole("combobox", { name: "What the grade is for" }).selectOption("Grades to sign off");
  await bar.getByRole("combobox", { name: "Grade", exact: true }).selectOption("Grade 7");
  await bar.getByRole("button", { name: "Add for 2" }).press("Enter");
  await expect(row(page, RITA)).not.toContainText("no grades");
  await expect.poll(() => grades(page, "managers", RITA)).toEqual([7]);
  // The last change is taken back first.
  await page.getByRole("grid", { name: "People" }).focus();
  await page.keyboard.press("Control+z");
  await expect(row(page, RITA)).toContainText("no grades");
  expect(await grades(page, "managers", "max@school.example")).toBeUndefined();
});

test("the last admin stays one, and whoever takes their own right is warned", async ({ browser, hall }) => {
  const { page } = await school(browser, hall);
  await row(page, "head@school.example").click();
  const own = dialog(page, "Head");
  await own.getByRole("combobox", { name: "Role" }).selectOption("Manager");
  await expect(own.getByText("You would no longer be an administrator, and could not take it back yourself.")).toBeVisible();
  await own.getByRole("button", { name: "Take this right from myself" }).click();
  await expect(own.getByText("There must be at least one administrator. Make somebody else administrator first.")).toBeVisible();
  // What was chosen is still there.
  await expect(own.getByRole("combobox", { name: "Role" })).toHaveValue("manager");
  await check(page, "the last admin");
  await own.getByRole("button", { name: "Delete" }).click();
  await dialog(page, "Delete Head?").getByRole("button", { name: "Delete", exact: true }).click();
  await expect(messages(page).getByText(/^Not changed: head@school.example. There must be at least one administrator/)).toBeVisible();
  expect(await user(page, "head@school.example")).toMatchObject({ role: "admin" });
});

test("two admins at one person: the second sees what the first has made of them, and loses nothing", async ({ browser, hall }) => {
  const { page } = await school(browser, hall);
  await row(page, RITA).click();
  const rights = dialog(page, "Rita Nguyen");
  await rights.getByRole("combobox", { name: "Role" }).selectOption("Manager");
  await rights.getByRole("group", { name: "Grades to sign off" }).getByRole("button", { name: "Grade 5", exact: true }).click();
  await call(page, "PATCH", `/api/admin/users/${encodeURIComponent(RITA)}`, { role: "reviewer" });
  await rights.getByRole("button", { name: "Save" }).click();
  await expect(rights.getByText(/^Somebody else has changed this person meanwhile/)).toBeVisible();
  await expect(rights.getByRole("combobox", { name: "Role" })).toHaveValue("manager");
  await page.route("**/api/admin/review/managers", (route) => (route.request().method() === "POST" ? route.abort() : route.fallback()));
  await rights.getByRole("button", { name: "Save" }).click();
  await expect(rights.getByText(/can’t be reached/)).toBeVisible();
  await page.unroute("**/api/admin/review/managers");
  await rights.getByRole("button", { name: "Save" }).click();
  await expect(rights).toBeHidden();
  await expect(row(page, RITA)).toContainText("Manager");
  await messages(page).getByRole("button", { name: "Undo" }).click();
  await expect(row(page, RITA)).toContainText(/Reviewer.*no grades/);
});

test("filters and the person are in the address, and found again after a reload", async ({ browser, hall }) => {
  const { page } = await school(browser, hall);
  await call(page, "POST", "/api/admin/review/assignments", { email: "duc@school.example", name: "Nguyễn Văn Đức", grades: [4, 5, 6] });
  await call(page, "POST", "/api/admin/review/assignments", { email: RITA, name: "Rita", grades: [1] });
  await page.reload();
  await page.getByRole("combobox", { name: "Role" }).selectOption("Not signed in yet");
  await expect(page.getByText("1 of 3 people")).toBeVisible();
  await expect(row(page, "Nguyễn Văn Đức")).toContainText("4–6");
  await page.getByRole("combobox", { name: "Role" }).selectOption("Role or grades missing (2)");
  await expect(row(page, RITA)).toContainText("role missing");
  await page.getByRole("combobox", { name: "Role" }).selectOption("Everybody");
  await page.getByRole("combobox", { name: "Grade" }).selectOption("Grade 5");
  await page.getByRole("searchbox", { name: "Find" }).fill("duc nguyen");
  await expect(page).toHaveURL(/grade=5.*find=duc/);
  await row(page, "Đức").click();
  await page.reload();
  await expect(dialog(page, "Nguyễn Văn Đức").getByText(/^They have never signed in/)).toBeVisible();
  await check(page, "somebody who has never signed in");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("searchbox", { name: "Find" })).toHaveValue("duc nguyen");
  await page.getByRole("searchbox", { name: "Find" }).fill("nobody");
  await expect(page.getByText("Nobody fits these filters.")).toBeVisible();
  await check(page, "nobody fits");
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await expect(page.getByText("3 people", { exact: true })).toBeVisible();
});

test("sign-ins are ended and people deleted, both only when asked again", async ({ browser, hall }) => {
  const { page, rita } = await school(browser, hall);
  await row(page, RITA).click();
  await dialog(page, "Rita Nguyen").getByRole("button", { name: "End all sign-ins" }).click();
  const ending = dialog(page, "End all sign-ins of Rita Nguyen?");
  await expect(ending).toContainText("Tests that are under way go on.");
  await check(page, "before sign-ins are ended");
  await ending.getByRole("button", { name: "End all sign-ins" }).click();
  await expect(messages(page).getByText("The sign-ins of 1 person are ended.")).toBeVisible();
  await expect.poll(() => me(rita), { timeout: 20_000 }).toBe("");

  await row(page, RITA).getByRole("checkbox").check();
  await page.getByRole("toolbar").getByRole("button", { name: "Delete…" }).click();
  const deleting = dialog(page, "Delete Rita Nguyen?");
  await expect(deleting).toContainText("Kept: tests and results");
  await check(page, "before somebody is deleted");
  await deleting.getByRole("button", { name: "Cancel" }).click();
  expect(await user(page, RITA)).toBeDefined();
  await page.getByRole("toolbar").getByRole("button", { name: "Delete…" }).click();
  await deleting.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(row(page, RITA)).toHaveCount(0);
  expect(await user(page, RITA)).toBeUndefined();
});

test("a pasted list says what it would do, is mended in place, and goes row by row", WITH_PICTURES, async ({ browser, hall }) => {
  const { page } = await school(browser, hall);
  await page.getByRole("link", { name: "Add people" }).click();
  await expect(page).toHaveURL("/staff/people/add");
  const list = page.getByRole("textbox", { name: "List of people" });
  await expect(list).toBeVisible();
  await check(page, "no list yet");
  await list.fill(`${RITA}, Rita Nguyen, reviewer, 4-6\nnew@school.example, Ngô Bảo Châu, manager, 5\nnobody, Bo, reviewer, 5\ncy@school.example, Cy, reviewer, 11`);
  await expect(page.getByText("This would add 1 person and change 1 person. Nothing is done yet.")).toBeVisible();
  await expect(page.getByText("2 rows can’t be used as they are, and would be left out.")).toBeVisible();
  const line = (text: string) => page.getByRole("row").filter({ hasText: text });
  await expect(line(RITA)).toContainText("Grades to review: none → 4–6; Role: Student → Reviewer");
  await expect(line("new@school.example")).toContainText("Role from the first sign-in: Manager; Grades to sign off: none → 5");
  await expect(page.getByRole("row").nth(1)).toContainText("This is no e-mail address.");
  await check(page, "a list with errors");
  await takePicture(page, "add-people");
  await page.getByRole("textbox", { name: "Grades of row 4" }).fill("1-3");
  await page.getByRole("textbox", { name: "Grades of row 4" }).press("Enter");
  await expect(page.getByText("This would add 2 people and change 1 person. Nothing is done yet.")).toBeVisible();
  expect(await grades(page, "assignments", "cy@school.example")).toBeUndefined();

  // The network goes away at the second row, and comes back.
  await page.route("**/api/admin/review/managers", (route) => (route.request().method() === "POST" ? route.abort() : route.fallback()));
  await page.getByRole("button", { name: "Add 2 people and change 1 person" }).click();
  await expect(page.getByText("1 of 3 people done", { exact: true })).toBeVisible();
  await expect(line("new@school.example")).toContainText("can’t be reached");
  await check(page, "a list that was broken off");
  await page.unroute("**/api/admin/review/managers");
  await page.getByRole("button", { name: "Go on with 2" }).click();
  await expect(page.getByText("3 of 3 people done", { exact: true })).toBeVisible();
  await expect(line("cy@school.example")).toContainText("Done:");
  await expect(line("nobody")).toContainText("Left out.");
  expect(await grades(page, "assignments", RITA)).toEqual([4, 5, 6]);
  expect(await grades(page, "managers", "new@school.example")).toEqual([5]);
  expect(await user(page, RITA)).toMatchObject({ role: "reviewer" });
  await check(page, "a list that is done");

  await messages(page).getByRole("button", { name: "Undo" }).last().click();
  await expect.poll(() => grades(page, "managers", "new@school.example")).toBeUndefined();
  // The role was given before the network went away, and that has an "Undo" of its own.
  expect(await user(page, "new@school.example")).toMatchObject({ role: "manager", lastLogin: null });
  await page.getByRole("button", { name: "Edit the list" }).click();
  await expect(list).toHaveValue(/nobody/);
  await expect(page.getByText(/^This would .*change \d/)).toBeVisible();

  // Whoever had grades before their first sign-in is found afterwards, and gets the role with one press.
  await signIn(browser, hall, "chau@school.example", "Châu", "/");
  await call(page, "POST", "/api/admin/review/managers", { email: "chau@school.example", name: "Châu", grades: [5] });
  await page.goto("/staff/people?role=lack");
  await row(page, "chau@school.example").click();
  await dialog(page, "Châu").getByRole("button", { name: "Choose Manager" }).click();
  await dialog(page, "Châu").getByRole("button", { name: "Save" }).click();
  await expect.poll(async () => (await user(page, "chau@school.example")).role).toBe("manager");
});

test("the register of accommodations has a page", async ({ browser, hall }) => {
  const page = await head(browser, hall);
  await page.getByRole("link", { name: "Accommodations" }).click();
  await expect(page.getByText("Nobody is in the register.")).toBeVisible();
  await page.getByRole("button", { name: "Add somebody" }).click();
  const register = page.getByRole("dialog");
  await register.getByLabel("E-mail").fill("ada@school.example");
  await register.getByLabel("More time").fill("1/4");
  await expect(register.getByText("Understood: +25 %")).toBeVisible();
  await register.getByRole("button", { name: "Save" }).click();
  await expect(row(page, "ada@school.example")).toContainText("+25 %");
  await check(page, "accommodations");
  await page.getByRole("grid").focus();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(register.getByLabel("More time")).toHaveValue("+25 %");
  await register.getByRole("button", { name: "Cancel" }).click();
  await messages(page).getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Nobody is in the register.")).toBeVisible();
});

test("a token is shown once, works, and stops working when it is revoked", async ({ browser, hall }) => {
  const page = await head(browser, hall, "/staff");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "School" }).click();
  await page.getByRole("navigation", { name: "Parts of this page" }).getByRole("link", { name: "Tokens" }).click();
  await page.getByRole("button", { name: "Make a token" }).click();
  await expect(page.getByText("Say what the token is for.")).toBeVisible();
  await page.getByLabel("What it is for").fill("Moodle");
  await page.getByRole("combobox", { name: "Role" }).selectOption("Administrator");
  await page.getByRole("button", { name: "Make a token" }).click();
  await expect(page.getByText("The token for Moodle. It is shown this once")).toBeVisible();
  await check(page, "a token that is shown");
  await page.getByRole("button", { name: "Copy" }).click();
  await expect(messages(page).getByText("It is on the clipboard.")).toBeVisible();
  const token = await page.evaluate(() => navigator.clipboard.readText());
  expect(token).toMatch(/^eh_/);
  const used = async () => (await fetch(`${hall.url}/api/admin/users`, { headers: { Authorization: `Bearer ${token}` } })).status;
  expect(await used()).toBe(200);
  await page.getByRole("button", { name: "I have stored it" }).click();
  await expect(page.getByText(token)).toHaveCount(0);
  await expect(row(page, "Moodle")).toContainText("head@school.example");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  const revoking = dialog(page, "Revoke the token for Moodle?");
  await expect(revoking).toContainText("stops working at once");
  await check(page, "before a token is revoked");
  await revoking.getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByText("There are no tokens.")).toBeVisible();
  await expect.poll(used).toBe(401);
});

test("messages to other systems are seen, sent again, and can be verified", WITH_PICTURES, async ({ browser, hall }) => {
  const page = await head(browser, hall, "/staff/school?tab=webhooks");
  await expect(page.getByText("There are no such messages.")).toBeVisible();
  await failedMessage(page);
  await page.getByRole("combobox", { name: "State" }).selectOption("Failed");
  await expect(page).toHaveURL(/state=failed/);
  await expect(row(page, "test.completed")).toContainText(/127\.0\.0\.1:9.*Failed/);
  await expect(page.getByRole("grid")).not.toContainText("secret");
  await check(page, "messages");
  await takePicture(page, "webhooks");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  const one = dialog(page, "test.completed");
  await expect(one).toContainText("http://127.0.0.1:9/hook?secret=1");
  await check(page, "one message");
  await one.getByRole("button", { name: "Send again" }).click();
  await expect(messages(page).getByText("1 message on the way again.")).toBeVisible();
  await page.getByRole("combobox", { name: "State" }).selectOption("All");
  await row(page, "test.completed").getByRole("checkbox").check();
  await page.getByRole("toolbar").getByRole("button", { name: "Send again" }).click();
  await expect(messages(page).getByText("1 message on the way again.").last()).toBeVisible();

  await expect(page.getByText(/whsec_\S{20}/)).toHaveCount(0);
  await page.getByRole("button", { name: "Show the signing key" }).click();
  await expect(page.getByText(/^whsec_\S{20}/)).toBeVisible();
  await page.getByText("How to verify a signature").click();
  await expect(page.getByText("timingSafeEqual(given, expected)")).toBeVisible();
  await check(page, "the key and the program");
  await page.getByRole("button", { name: "Hide it" }).click();
  await expect(page.getByText(/^whsec_\S{20}/)).toHaveCount(0);
});

test("health says what works, what waits and what does not answer", WITH_PICTURES, async ({ browser, hall }) => {
  const page = await head(browser, hall, "/staff/school?tab=health");
  const line = (name: string) => page.locator(".line").filter({ has: page.getByText(name, { exact: true }) });
  await expect(line("Database")).toContainText(/OK.*SQLite.*ms/s);
  await expect(line("Redis")).toContainText("Not used");
  await expect(line("Version")).toContainText(/\d+\.\d+\.\d+/);
  await expect(line("Messages that failed")).toContainText("0");
  await expect(page.getByRole("heading", { name: "One server" })).toBeVisible();
  await check(page, "health");
  await takePicture(page, "health");
  const told = await call(page, "GET", "/api/admin/health");
  const away = { ...told, database: { ...told.database, ok: false, milliseconds: null }, queues: { ...told.queues, webhooksFailed: 2 } };
  await page.route("**/api/admin/health", (route) => route.fulfill({ json: away }));
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect(line("Database")).toContainText("Nothing can be saved.");
  await expect(line("Ready for work")).toContainText("Not everything answers");
  await expect(line("Messages that failed").getByRole("link", { name: "2" })).toHaveAttribute("href", "/staff/school?tab=webhooks&state=failed");
  await check(page, "a database that is away");
  await page.unroute("**/api/admin/health");
  await page.route("**/api/admin/health", (route) => route.fulfill({ status: 502, body: "<html>Bad gateway</html>", contentType: "text/html" }));
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect(page.getByText(/What is below is older/)).toBeVisible();
  await expect(line("Database")).toContainText("Does not answer");
});

test("the log of edits is searched, and saved as it is shown", async ({ browser, hall }) => {
  const page = await head(browser, hall, "/staff/school?tab=log");
  await expect(page.getByText("No question has been edited.")).toBeVisible();
  const edit = (questionId: string, grade: number, explanation: string, comment: string) =>
    call(page, "POST", "/api/review/edit", { questionId, grade, comment, updates: { explanation } });
  await edit("g5-001", 5, "Cộng các phần mười.", "Clearer");
  await edit("g6-001", 6, "=1+1", "Shorter");
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect(page.getByText("2 edits", { exact: true })).toBeVisible();
  await check(page, "the log");
  await page.getByRole("searchbox", { name: "Find" }).fill("phan muoi");
  await expect(page.getByText("1 of 2 edits")).toBeVisible();
  await page.getByRole("searchbox", { name: "Find" }).fill("");
  await page.getByLabel("Day").fill("2020-01-01");
  await expect(page.getByText("No edit fits these filters.")).toBeVisible();
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await page.getByRole("combobox", { name: "Grade" }).selectOption("Grade 6");
  await page.getByRole("combobox", { name: "By" }).selectOption("Head");
  await expect(page).toHaveURL(/grade=6.*who=head/);
  await expect(page.getByText("1 edit", { exact: true })).toBeVisible();
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save 1 edit as csv" }).click();
  const file = await saving;
  expect(file.suggestedFilename()).toMatch(/^edits-of-questions-Grade-6-\d{4}-\d{2}-\d{2}\.csv$/);
  const csv = readFileSync(await file.path(), "utf8");
  expect(csv.trim().split("\r\n")).toHaveLength(2);
  expect(csv).toMatch(/g6-001,Explanation,.*,'=1\+1,Shorter/);
  await page.getByRole("grid").focus();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(dialog(page, "Edit of g6-001").getByRole("region", { name: "Explanation" })).toContainText("=1+1");
  await check(page, "one edit");
});

test("only admins are offered these pages, and nobody else asks the server for them", async ({ browser, hall }) => {
  const { page } = await school(browser, hall);
  const { page: manager } = await hired(page, browser, hall, "manager", [5]);
  const asked: string[] = [];
  manager.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await expect(manager.getByRole("navigation", { name: "Pages" })).toContainText("Results");
  await expect(manager.getByRole("navigation", { name: "Pages" })).not.toContainText(/People|School/);
  for (const [name, address] of LISTS) {
    await manager.goto(address);
    await expect(manager.getByText(/^Only administrators /), name).toBeVisible();
  }
  const ours = /\/api\/admin\/(users|tokens|webhooks|accommodations|review|school|audit|health|lti)/;
  expect(asked.filter((path) => ours.test(path))).toEqual([]);
});

test("the pages speak Vietnamese, and fit a tablet, a phone, 400 % and forced colours", async ({ browser, hall }) => {
  test.setTimeout(120_000);
  const { page } = await school(browser, hall);
  await call(page, "POST", "/api/admin/review/assignments", { email: RITA, name: "Rita", grades: [1, 2, 3, 5, 7, 9] });
  await call(page, "PATCH", `/api/admin/users/${encodeURIComponent(RITA)}`, { role: "reviewer" });
  await call(page, "PUT", "/api/admin/accommodations/ada%40school.example", { factor: 150, extraMinutes: 10, flags: ["quiet room"], note: "Near the door" });
  await call(page, "POST", "/api/admin/tokens", { name: "Moodle", role: "student" });
  await failedMessage(page);
  await call(page, "POST", "/api/review/edit", { questionId: "g5-001", grade: 5, comment: "Clearer", updates: { explanation: "Add." } });
  for (const [width, forcedColors] of [[820, "none"], [320, "active"]] as const) {
    await page.setViewportSize({ width, height: 700 });
    await page.emulateMedia({ forcedColors });
    for (const [name, address] of LISTS) {
      await page.goto(address);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.getByText("One moment…")).toHaveCount(0);
      await check(page, `${name} at ${width}`);
    }
  }
  await page.goto(`/staff/people?person=${encodeURIComponent(RITA)}`);
  await expect(dialog(page, "Rita Nguyen")).toBeVisible();
  await check(page, "a person at 320");
  await page.keyboard.press("Escape");
  await page.emulateMedia({ forcedColors: "none" });
  await page.evaluate(() => localStorage.setItem("examhall-language", "vi"));
  for (const [address, title] of [["/staff/people", "Người dùng"], ["/staff/people/add", "Thêm người"], ["/staff/school?tab=health", "Nhà trường"]] as const) {
    await page.goto(address);
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
    await check(page, `${title} at 320`);
  }
});

if (takesPictures) {
  test("the list of people has its picture", WITH_PICTURES, async ({ browser, hall }) => {
    test.setTimeout(150_000);
    const { page } = await school(browser, hall);
    for (const [email, name, role, reviews, signsOff] of [
      ["max@school.example", "Max Tran", "manager", [], [5, 6, 7]],
      ["lan@school.example", "Phạm Thị Lan", "reviewer", [4, 5], []],
      ["noor@school.example", "Noor Haddad", "student", [8], []],
    ] as const) {
      await signIn(browser, hall, email, name, "/");
      if (reviews.length > 0) await call(page, "POST", "/api/admin/review/assignments", { email, name, grades: reviews });
      if (signsOff.length > 0) await call(page, "POST", "/api/admin/review/managers", { email, name, grades: signsOff });
      await call(page, "PATCH", `/api/admin/users/${encodeURIComponent(email)}`, { role });
    }
    await call(page, "POST", "/api/admin/review/assignments", { email: "emmy@school.example", name: "Emmy Becker", grades: [1, 2, 3] });
    for (const name of ["Ada", "Emil"]) await signIn(browser, hall, `${name.toLowerCase()}@school.example`, `${name} Student`, "/");
    await page.reload();
    await expect(row(page, "Emil Student")).toBeVisible();
    await takePicture(page, "people");
  });
}
