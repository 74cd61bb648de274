// The page before a test of a template that says who may sit it: each refusal in words with what to do, the questions after the start
// alone, and a report that hides which answers were right.

import type { Browser, Page } from "@playwright/test";
import { check } from "./accessible";
import { expect, test, type Hall } from "./hall";
import { seconds } from "./sitting";
import { signIn } from "./staff/people";
import { answer, answerAll, at, call, handIn, kept, report, signInAsAdmin } from "./student";

const SIZES = [
  { width: 390, height: 844 },
  { width: 820, height: 1180 },
  { width: 1366, height: 768 },
];
const QUESTIONS = 10;
const START = { name: "Start the test" };
const ADA = ["ada@school.example", "Ada Lovelace"] as const;

/** A template of ten questions with these rules, made by the head of the school, whose page this is. Returns its address. */
async function made(page: Page, rules: Record<string, unknown>): Promise<string> {
  await signInAsAdmin(page);
  const targets = { 1: 4, 2: 3, 3: 3, 4: 0, 5: 0 };
  const body = { name: "Class test", grades: [5], mode: "standard", durationMinutes: 20, standardTargets: targets, practice: false, ...rules };
  return `/t/${(await call(page, "POST", "/api/admin/test-templates", body)).template.id}`;
}

const student = async (browser: Browser, hall: Hall, address: string) => (await signIn(browser, hall, ...ADA, address)).page;

/** Checks this state of the page at every size. */
async function everywhere(page: Page, state: string): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await check(page, `${state} at ${size.width}`);
  }
}

test("a guest is asked to sign in, and whoever is signed in sits it once, with questions that come after the start", async ({ browser, hall, page: head }) => {
  const address = await made(head, { access: { who: "signed-in", attempts: 1 } });
  const guest = await (await browser.newContext({ baseURL: hall.url, locale: "en-GB" })).newPage();
  await guest.goto(address);
  await expect(guest.getByText("Sign in to sit this test.")).toBeVisible();
  await expect(guest.getByRole("button", START)).toHaveCount(0);
  await expect(guest.getByText("10 questions")).toBeVisible();
  const link = guest.locator("form").getByRole("link", { name: "Sign in" });
  expect(await link.getAttribute("href")).toBe(`/auth/sign-in?return_to=${encodeURIComponent(address)}`);
  await everywhere(guest, "a guest before a test for accounts");

  const told: string[] = [];
  const page = await student(browser, hall, "/healthz");
  page.on("response", async (response) => {
    if (response.url().includes("/api/test-templates/")) told.push(Object.keys(await response.json().catch(() => ({}))).includes("standardQuestions") ? "questions" : "withheld");
  });
  await page.goto(address);
  await expect(page.getByText("You can sit it once.")).toBeVisible();
  await expect(page.getByRole("button", START)).toBeVisible();
  await everywhere(page, "a student before a test for accounts");
  expect(new Set(told)).toEqual(new Set(["withheld"]));
  await page.getByRole("button", START).click();
  await at(page, 1);
  await answer(page, "B");
  await expect.poll(() => told.at(-1)).toBe("questions");

  // What came with the start is on the device: the test goes on without a network.
  await kept(page);
  await page.context().setOffline(true);
  await page.reload();
  await at(page, 1);
  await page.context().setOffline(false);
  await answerAll(page, QUESTIONS);
  await handIn(page);

  // On a device that knows nothing of the test that is over.
  const later = await student(browser, hall, address);
  await expect(later.getByText("You have used all your attempts at this test.")).toBeVisible();
  await expect(later.getByRole("button", START)).toHaveCount(0);
  await everywhere(later, "no attempt left");
});

// The server's clock moves by itself alone, so that this takes the seconds until it opens.
test("a test that opens later counts down, and its start appears by itself", async ({ browser, hall, page: head }) => {
  const address = await made(head, { access: { who: "signed-in", attempts: 2, opensAt: seconds(15), closesAt: seconds(600) }, showAnswers: "after-closing" });
  const page = await student(browser, hall, address);
  await expect(page.getByText("This test has not opened yet.")).toBeVisible();
  await expect(page.getByText(/^Opens in 0:[01]\d$/)).toBeVisible();
  await expect(page.getByRole("button", START)).toHaveCount(0);
  await check(page, "before it opens");
  await expect(page.getByRole("button", START)).toBeVisible({ timeout: 20_000 });
  // Twenty minutes do not fit any more.
  await expect(page.getByText(/If you begin now, you have 9 minutes/)).toBeVisible();
  await everywhere(page, "just opened");
  await page.getByRole("button", START).click();
  await at(page, 1);
});

test("a code is asked for, a wrong one is said at its field, and its case does not matter", async ({ browser, hall, page: head }) => {
  const address = await made(head, { access: { who: "anyone", code: "K7PQ2M" } });
  const page = await student(browser, hall, address);
  const code = page.getByLabel("Code for this test");
  await code.fill("WRONG1");
  await page.getByRole("button", START).click();
  await expect(page.getByRole("alert").filter({ hasText: "This code is wrong." })).toBeVisible();
  await expect(code).toBeFocused();
  await expect(code).toHaveAttribute("aria-invalid", "true");
  await everywhere(page, "a wrong code");
  await code.fill("k7pq2m");
  await page.getByRole("button", START).click();
  await at(page, 1);
});

test("who is in no class of it, and who comes too late, are told what to do", async ({ browser, hall, page: head }) => {
  await signInAsAdmin(head);
  const { class: one } = await call(head, "POST", "/api/admin/classes", { name: "5A", grade: 5 });
  const address = await made(head, { access: { who: "classes", classIds: [one.id] } });
  const page = await student(browser, hall, address);
  await expect(page.getByText("For the classes that your teacher has chosen.")).toBeVisible();
  await expect(page.getByText(`the account ${ADA[0]} is in none of them`)).toBeVisible();
  await expect(page.getByRole("button", START)).toHaveCount(0);
  await everywhere(page, "in no class");

  await page.goto(await made(head, { access: { who: "anyone", closesAt: seconds(-60) } }));
  await expect(page.getByText("This test is closed, so nobody can begin it any more.")).toBeVisible();
  await expect(page.getByRole("button", START)).toHaveCount(0);
  await everywhere(page, "closed");
});

test("staff may try it at any time, and are told that it does not count", async ({ page }) => {
  await page.goto(await made(page, { access: { who: "signed-in", attempts: 1, opensAt: seconds(3_600) } }));
  await expect(page.getByText("You are staff of this test")).toBeVisible();
  await check(page, "staff before a test");
  await page.getByRole("button", START).click();
  await at(page, 1);
});

for (const [showAnswers, access, sentence] of [
  ["after-closing", { who: "signed-in", attempts: 1, closesAt: seconds(3_600) }, /^Which answers were right, the keys and the explanations are shown from .+ on/],
  ["never", { who: "signed-in", attempts: 1 }, "This test does not show which answers were right."],
] as const)
  test(`a report says that answers are shown ${showAnswers}`, async ({ browser, hall, page: head }) => {
    const page = await student(browser, hall, await made(head, { access, showAnswers }));
    await page.getByRole("button", START).click();
    await at(page, 1);
    await answerAll(page, QUESTIONS);
    await handIn(page);
    await report(page);
    await expect(page.getByText(sentence)).toBeVisible();
    await expect(page.getByRole("button", { name: "All questions" })).toHaveCount(0);
    await everywhere(page, `a report whose answers are shown ${showAnswers}`);
  });
