// The pages of sign-off: the grades of a manager, the seal that breaks, what has changed, and the decision, by mouse and by keyboard.

import type { Browser, Locator, Page } from "@playwright/test";
import { check, fits } from "../accessible";
import { takePicture, takesPictures, WITH_PICTURES } from "../documentation";
import { expect, test, type Hall } from "../hall";
import { call } from "../student";
import { hired, signIn } from "./people";

const FLAGGED = "g5-001";
const PENDING = "g5-002";
const EDITED = "g5-003";

interface School {
  head: Page;
  reviewer: Page;
  /** Signs off the grades 5 and 6. */
  manager: Page;
}

const row = (page: Page, grade: number) => page.locator(`[data-grade="${grade}"]`);
const dialog = (page: Page) => page.getByRole("dialog");
const messages = (page: Page) => page.getByRole("region", { name: "Messages" });
const section = (page: Page, name: string | RegExp) => page.locator("section", { has: page.getByRole("heading", { name, level: 2 }) });
const approvals = async (page: Page) => (await call(page, "GET", "/api/manager/approvals")).approvals as { grade: number; status: string; comment?: string }[];

async function reviewed(page: Page, questionId: string, status: string, note = ""): Promise<void> {
  await call(page, "POST", "/api/review/submit", { questionId, grade: 5, status, note });
}

/** A school in which some questions of grade 5 are approved, and one is flagged. Nobody has begun with grade 6. */
async function school(browser: Browser, hall: Hall, approved = 10): Promise<School> {
  const { page: head } = await signIn(browser, hall, "head@school.example", "The head");
  const { page: reviewer } = await hired(head, browser, hall, "reviewer", [5]);
  const { page: manager } = await hired(head, browser, hall, "manager", [5, 6], "/staff/signoff");
  for (let number = 3; number < 3 + approved; number += 1) await reviewed(reviewer, `g5-${String(number).padStart(3, "0")}`, "approved");
  await reviewed(reviewer, FLAGGED, "flagged", "Two options are right");
  return { head, reviewer, manager };
}

async function decided(page: Page, status = "approved", comment = ""): Promise<void> {
  await call(page, "POST", "/api/manager/approvals", { grade: 5, status, comment });
}

async function imported(page: Page, csv: string): Promise<unknown> {
  return page.evaluate(async (csv) => {
    const form = new FormData();
    form.append("file", new File([csv], "one.csv", { type: "text/csv" }));
    return (await fetch("/api/admin/import", { method: "POST", body: form })).json();
  }, csv);
}

/** What breaks a seal in every way that the pages know. */
async function changed({ head, reviewer }: School): Promise<void> {
  const updates = { question: "What is $\\frac{1}{2} + \\frac{1}{3}$ of an hour?", explanation: "Add the twelfths first." };
  await call(reviewer, "POST", "/api/review/edit", { questionId: EDITED, grade: 5, comment: "Clearer", updates });
  await reviewed(reviewer, "g5-004", "flagged", "The picture is missing");
  await reviewed(reviewer, "g5-005", "pending");
  await reviewed(reviewer, PENDING, "approved");
  expect(await imported(head, "grade,difficulty,question,optionA,optionB,answer\n5,1,What is 2 + 2?,4,5,A\n")).toMatchObject({ added: 1 });
}

test("a manager sees each of their grades, those with flags first, and signs one off", async ({ browser, hall }) => {
  const { manager: page } = await school(browser, hall);
  await page.reload();
  await expect(page.locator("[data-grade] > .what > a")).toHaveText(["Grade 5", "Grade 6"]);
  const five = row(page, 5);
  for (const text of ["10 approved", "129 pending", "1 flagged", "The reviewer", "11 reviewed: 10 approved, 1 flagged", "Last reviewed: today", "Not signed off yet"]) await expect(five).toContainText(text);
  await expect(row(page, 6)).toContainText("No reviewer is assigned.");
  await check(page, "the grades");
  await five.getByRole("button", { name: "Sign off grade 5" }).click();
  await expect(dialog(page)).toContainText("This covers 140 questions: 10 approved, 129 pending, 1 flagged.");
  await expect(dialog(page)).toContainText("1 question is flagged: a reviewer says that something is wrong with it.");
  await expect(dialog(page)).toContainText("129 questions are pending: no reviewer has decided on them.");
  await check(page, "the dialog");
  await dialog(page).getByLabel("Comment").fill("Ready for the autumn");
  await dialog(page).getByRole("button", { name: "Sign off" }).click();
  await expect(messages(page)).toContainText("Grade 5 is signed off: 10 approved, 129 pending, 1 flagged.");
  // There is no decision before it, and a decision can't be deleted.
  await expect(messages(page).getByRole("button", { name: "Undo" })).toHaveCount(0);
  await expect(five).toContainText(/Signed off\s*Signed off today/);
  expect(await approvals(page)).toMatchObject([{ grade: 5, status: "approved", comment: "Ready for the autumn", approved: 10 }]);
});

test("a seal breaks when a question changes, and says by what", async ({ browser, hall }) => {
  const held = await school(browser, hall);
  const { manager: page } = held;
  await decided(page, "approved", "Ready");
  await page.reload();
  await expect(row(page, 5).locator("svg.whole")).toBeVisible();
  await changed(held);
  await page.reload();
  await expect(row(page, 5)).toContainText("Seal broken");
  await expect(row(page, 5).locator("svg.broken")).toBeVisible();
  await expect(row(page, 5)).toContainText("Since then: 1 question edited, 1 question added, 1 question flagged, 1 question set back to pending");
  await check(page, "a broken seal");
  await row(page, 5).getByRole("link", { name: "Grade 5" }).click();
  await expect(page).toHaveURL("/staff/signoff/5");
  await expect(page.getByRole("region", { name: "The decision that stands" })).toContainText("At that moment: 10 approved, 129 pending, 1 flagged.");
  await expect(page.getByRole("heading", { level: 2 })).toHaveText(["2 flagged questions", "130 pending questions", "Changes since the last sign-off", "Reviewers"]);
  const flags = section(page, "2 flagged questions").getByRole("listitem");
  await expect(flags.first()).toContainText(/g5-004[\s\S]*The picture is missing[\s\S]*The reviewer, today/);
  await expect(flags.nth(1)).toContainText("Two options are right");
  await expect(page.getByRole("link", { name: FLAGGED })).toHaveAttribute("href", `/staff/questions?grade=5&question=${FLAGGED}`);
  await expect(page.getByRole("link", { name: "Review what is pending" })).toHaveAttribute("href", "/staff/questions?state=pending&grade=5");
  await expect(section(page, "Reviewers").getByRole("row", { name: /The reviewer/ })).toContainText(/11\s*9\s*2\s*today/);
  await check(page, "one grade");
});

test("what has changed is shown field by field, before and after, with its mathematics", async ({ browser, hall }) => {
  const held = await school(browser, hall);
  const { manager: page } = held;
  await decided(page);
  await changed(held);
  await page.goto("/staff/signoff/5");
  const changes = section(page, "Changes since the last sign-off");
  const edited = changes.getByRole("listitem").filter({ hasText: EDITED });
  await expect(edited).toContainText(/Edited by The reviewer, today, \d\d:\d\d/);
  await expect(edited).toContainText("Clearer");
  await expect(edited.getByRole("heading", { level: 4 })).toHaveText(["Question", "Explanation"]);
  const after = edited.locator(".change").first().locator(".side").nth(1);
  await expect(after.locator("math")).toHaveCount(1);
  await expect(after.locator("ins").first()).toBeVisible();
  await expect(edited.locator(".change").nth(1).locator("ins").first()).toBeVisible();
  await expect(edited.locator(".change").nth(1).locator(".side").nth(1)).toContainText("Add the twelfths first.");
  await expect(edited.locator(".old del").first()).toBeVisible();
  await expect(changes).toContainText("The grade has 1 question more than at that moment.");
  await expect(changes.getByRole("listitem")).toHaveCount(4);
  await changes.getByRole("button", { name: "Flagged: 1" }).click();
  await expect(page).toHaveURL(/changed=flagged/);
  await expect(changes.getByRole("listitem")).toHaveCount(1);
  await page.reload();
  await expect(changes.getByRole("listitem")).toHaveCount(1);
  await expect(changes).toContainText(/Flagged by The reviewer, today[\s\S]*The picture is missing/);
  await changes.getByRole("button", { name: "Flagged: 1" }).click();
  await expect(changes.getByRole("listitem")).toHaveCount(4);
  // An edit that is signed off is no change any more.
  await page.getByRole("button", { name: "Sign off" }).click();
  await expect(dialog(page)).toContainText("This covers 141 questions: 9 approved, 130 pending, 2 flagged; 4 changed since your last sign-off.");
  await dialog(page).getByRole("button", { name: "Sign off" }).click();
  await expect(page.getByText("Nothing has changed.")).toBeVisible();
  // To give the earlier decision again would seal what it has never covered.
  await expect(messages(page)).toContainText("Grade 5 is signed off");
  await expect(messages(page).getByRole("button", { name: "Undo" })).toHaveCount(0);
});

test("what changes while the dialog is open is shown before anything is sent", async ({ browser, hall }) => {
  const { manager: page, reviewer } = await school(browser, hall);
  await page.goto("/staff/signoff/5");
  await page.getByRole("button", { name: "Sign off" }).click();
  await dialog(page).getByLabel("Comment").fill("All good");
  await expect(dialog(page)).toContainText("10 approved, 129 pending, 1 flagged");
  await reviewed(reviewer, "g5-010", "flagged", "Wrong");
  await dialog(page).getByRole("button", { name: "Sign off" }).click();
  await expect(dialog(page)).toContainText("Grade 5 has changed while this was open. Nothing has been sent.");
  await expect(dialog(page)).toContainText("This covers 140 questions: 9 approved, 129 pending, 2 flagged.");
  await expect(dialog(page)).toContainText("Before: This covers 140 questions: 10 approved, 129 pending, 1 flagged.");
  await expect(dialog(page).getByLabel("Comment")).toHaveValue("All good");
  await check(page, "it has changed");
  expect(await approvals(page)).toEqual([]);
  // The same figures of other questions are another state too.
  await reviewed(reviewer, "g5-010", "approved");
  await reviewed(reviewer, "g5-011", "flagged", "Wrong");
  await dialog(page).getByRole("button", { name: "Sign off as it is now" }).click();
  await expect(dialog(page)).toContainText("Before: This covers 140 questions: 9 approved, 129 pending, 2 flagged.");
  expect(await approvals(page)).toEqual([]);
  await dialog(page).getByRole("button", { name: "Sign off as it is now" }).click();
  await expect(dialog(page)).toHaveCount(0);
  expect(await approvals(page)).toMatchObject([{ status: "approved", comment: "All good", flagged: 2 }]);
});

test("a decision that fails says so and keeps what was typed", async ({ browser, hall }) => {
  const { manager: page } = await school(browser, hall);
  await page.goto("/staff/signoff/5");
  await page.route("**/api/manager/approvals", (route) => (route.request().method() === "POST" ? route.abort() : route.fallback()));
  await page.getByRole("button", { name: "Ask for a revision" }).click();
  await dialog(page).getByLabel("What is to be revised").fill("Too hard for the fifth grade");
  await dialog(page).getByRole("button", { name: "Ask for a revision" }).click();
  await expect(dialog(page).getByRole("alert")).toContainText("The exam server can’t be reached.");
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  await page.unroute("**/api/manager/approvals");
  await page.getByRole("button", { name: "Ask for a revision" }).click();
  await expect(dialog(page).getByLabel("What is to be revised")).toHaveValue("Too hard for the fifth grade");
  await dialog(page).getByRole("button", { name: "Ask for a revision" }).click();
  await expect(page.getByRole("region", { name: "The decision that stands" })).toContainText(/Sent back for revision[\s\S]*Too hard for the fifth grade/);
});

test("grades are read and decided on by the keyboard alone, and the decision before is given again", async ({ browser, hall }) => {
  const { manager: page } = await school(browser, hall);
  await page.reload();
  await expect(row(page, 5)).toContainText("Not signed off yet");
  const focused = page.locator(":focus");
  await page.keyboard.press("j");
  await expect(focused).toHaveText("Grade 5");
  await page.keyboard.press("j");
  await expect(focused).toHaveText("Grade 6");
  await page.keyboard.press("k");
  await page.keyboard.press("r");
  await expect(dialog(page).getByRole("heading", { name: "Ask for a revision of grade 5" })).toBeVisible();
  await dialog(page).getByLabel("What is to be revised").focus();
  await page.keyboard.type("sort the flags first");
  await page.keyboard.press("Tab");
  await expect(focused).toHaveText("Cancel");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(row(page, 5)).toContainText("Sent back for revision");
  await expect(dialog(page)).toHaveCount(0);
  await expect(focused).toHaveText("Grade 5");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/staff/signoff/5");
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await expect(section(page, "1 flagged question")).toBeVisible();
  await page.keyboard.press("j");
  await expect(focused).toHaveText(FLAGGED);
  await page.keyboard.press("s");
  await expect(dialog(page)).toContainText("; 0 changed since the request for revision.");
  await dialog(page).getByRole("button", { name: "Sign off" }).press("Enter");
  await expect(messages(page).getByRole("button", { name: "Undo" })).toBeVisible();
  const stands = page.getByRole("region", { name: "The decision that stands" });
  await expect(stands).toContainText("Signed off");
  await page.keyboard.press("Control+z");
  await expect(messages(page)).toContainText("Undone.");
  await expect(stands).toContainText(/Sent back for revision[\s\S]*sort the flags first/);
  expect(await approvals(page)).toMatchObject([{ status: "revision_requested", comment: "sort the flags first" }]);
  await page.keyboard.press("Control+k");
  await expect(dialog(page).getByRole("option").first()).toBeVisible();
  await page.keyboard.type("sign off grade 5");
  await dialog(page).getByRole("option", { name: "Sign off grade 5" }).click();
  await expect(dialog(page).getByRole("heading", { name: "Sign off grade 5" })).toBeVisible();
});

test("admins see all grades and whose decisions they are, reviewers none, and managers theirs alone", async ({ browser, hall }) => {
  const { head, reviewer, manager } = await school(browser, hall);
  const rail = (page: Page) => page.getByRole("navigation", { name: "Pages" });
  await decided(manager, "approved", "Mine");
  await head.goto("/staff");
  await rail(head).getByRole("link", { name: "Sign-off" }).click();
  await expect(head.locator("[data-grade]")).toHaveCount(10);
  await expect(row(head, 5)).toContainText("Signed off by The manager, today");
  await decided(head, "revision_requested", "Not yet");
  await head.goto("/staff/signoff/5");
  const stands = head.getByRole("region", { name: "The decision that stands" });
  await expect(stands).toContainText("Revision requested by The head, today");
  await expect(stands).toContainText("Before that, The manager signed off, today");
  await manager.goto("/staff/signoff/5");
  await expect(manager.getByRole("region", { name: "The decision that stands" })).toContainText("Mine");
  await expect(manager.getByText("Not yet")).toHaveCount(0);
  await manager.goto("/staff/signoff/7");
  await expect(manager.getByText("Grade 7 is not yours to sign off.")).toBeVisible();
  await check(manager, "not theirs");
  await reviewer.goto("/staff/signoff");
  await expect(reviewer.getByText("Grades are signed off by managers and administrators.")).toBeVisible();
  await expect(rail(reviewer).getByRole("link", { name: "Sign-off" })).toHaveCount(0);
  await check(reviewer, "reviewer");
});

test("Today leads to what waits", async ({ browser, hall }) => {
  const { manager: page } = await school(browser, hall);
  await page.goto("/staff");
  const waiting = section(page, "Waiting for you");
  await expect(waiting.getByRole("link", { name: "269 questions to review" })).toHaveAttribute("href", "/staff/questions?state=pending&grade=5");
  await expect(waiting.getByRole("link", { name: "Grade 6: 140" })).toHaveAttribute("href", "/staff/questions?state=pending&grade=6");
  await expect(waiting.getByRole("link", { name: "1 question is flagged by reviewers" })).toHaveAttribute("href", "/staff/questions?state=flagged&grade=5");
  const ready = { grade: 5, total: 140, approved: 140, flagged: 0, pending: 0, reviewers: [], assignedReviewers: [] };
  await page.route("**/api/manager/stats", (route) => route.fulfill({ json: { perGrade: [ready] } }));
  await page.reload();
  await expect(waiting.getByRole("link", { name: "Grade 5" })).toHaveAttribute("href", "/staff/signoff/5");
  await check(page, "Today");
  await waiting.getByRole("link", { name: "1 grade is reviewed and ready for sign-off" }).click();
  await expect(page).toHaveURL("/staff/signoff");
});

const SCREENS = {
  tablet: { width: 820, height: 1180 },
  "at 200 %": { width: 640, height: 512 },
  "at 400 %": { width: 320, height: 256 },
};

test("both pages are accessible and fit on every screen, in both languages and in forced colours", async ({ browser, hall }) => {
  const held = await school(browser, hall);
  const { manager: page } = held;
  await decided(page, "approved", "Ready");
  await changed(held);
  const seen = async (address: string, shown: Locator, name: string) => {
    await page.goto(address);
    await expect(shown.first()).toBeVisible();
    for (const [screen, viewport] of Object.entries(SCREENS)) {
      await page.setViewportSize(viewport);
      await check(page, `${name}, ${screen}`);
    }
    await page.keyboard.press("s");
    if (address.endsWith("5")) await expect(dialog(page)).toBeVisible();
    await fits(page, `${name}, dialog`);
    await page.setViewportSize({ width: 1280, height: 800 });
  };
  await seen("/staff/signoff", row(page, 5).locator("svg.broken"), "grades");
  await seen("/staff/signoff/5", page.locator("ins"), "one grade");
  await page.goto("/staff/signoff");
  await page.getByLabel("Language").selectOption("vi");
  await expect(row(page, 5)).toContainText("Niêm phong đã vỡ");
  await seen("/staff/signoff/5", page.getByRole("heading", { name: "Thay đổi từ lần xác nhận gần nhất" }), "Vietnamese");
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/staff/signoff");
  await expect(row(page, 5).locator("svg.broken")).toBeVisible();
  const fill = (part: string) => row(page, 5).locator(part).first().evaluate((shape) => getComputedStyle(shape).fill);
  expect(await fill("rect.approved")).not.toBe(await fill("rect.flagged"));
  expect(await fill(".wax")).not.toBe(await row(page, 5).evaluate((element) => getComputedStyle(element).backgroundColor));
  await check(page, "forced colours");
});

if (takesPictures) {
  test("sign-off has its pictures", WITH_PICTURES, async ({ browser, hall }) => {
    const held = await school(browser, hall, 40);
    const { manager: page } = held;
    await decided(page, "approved", "Ready for the autumn");
    await changed(held);
    await page.goto("/staff/signoff");
    await expect(row(page, 5).locator("svg.broken")).toBeVisible();
    await expect(row(page, 6)).toContainText("Not signed off yet");
    await takePicture(page, "staff-signoff");
    await page.goto("/staff/signoff/5?changed=edited");
    await expect(page.locator(".change math").first()).toBeVisible();
    await takePicture(page, "staff-signoff-grade", { fullPage: true });
  });
}
