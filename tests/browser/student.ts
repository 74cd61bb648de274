// The steps of a student, by the words that the page shows.

import type { Page } from "@playwright/test";
import { altered } from "./answers";
import { expect } from "./hall";

export const SHORT = "/test/5?questions=10&minutes=15";
/** For what takes seconds to come about: by itself, Playwright asks once a second after the first two. */
export const OFTEN = { intervals: [100] };

/** As long as an assertion waits by itself. */
const AWAITED_MS = 15_000;
/** Longer than the longest pause before a page looks for its server again. */
const SAVED_MS = 30_000;
/** How long an assertion waits at least after everything else has been waited for. */
const LAST_LOOK_MS = 1_000;
/** The real moment after each second that is passed, and that after the last one. */
const MOMENT_MS = 50;
const LAST_ANSWER_MS = 5_000;

/**
 * Waits until the page has such an element with a text that begins so, frame by frame. An assertion alone looks every half
 * second only, as soon as a quarter of one is over; so it comes after this, and says what is missing. Returns what is left of
 * the time, which is all that the assertion may take.
 */
export async function appears(page: Page, selector: string, text = "", timeout = AWAITED_MS): Promise<{ timeout: number }> {
  const until = Date.now() + timeout;
  const isThere = ([selector, text]: readonly [string, string]) =>
    [...document.querySelectorAll(selector)].some((element) => element.textContent?.trim().startsWith(text) === true);
  await page.waitForFunction(isThere, [selector, text] as const, { timeout }).catch(() => {});
  return { timeout: Math.max(LAST_LOOK_MS, until - Date.now()) };
}

export async function start(page: Page, address = SHORT): Promise<void> {
  await page.goto(address);
  await page.getByRole("button", { name: "Start the test" }).click();
  await at(page, 1);
}

/** Waits until the browser has cached the pages, so that they can be loaded without a network. */
export async function kept(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state), OFTEN).toBe("activated");
}

/** Waits until the browser has stored an unsaved change that contains this text. */
export async function written(page: Page, part: string): Promise<void> {
  const isWritten = () =>
    page.evaluate(async (part) => {
      const opened = indexedDB.open("examhall");
      await new Promise((resolve) => (opened.onsuccess = resolve));
      const asked = opened.result.transaction("commands").objectStore("commands").getAll();
      await new Promise((resolve) => (asked.onsuccess = resolve));
      opened.result.close();
      return JSON.stringify(asked.result).includes(part);
    }, part);
  await expect.poll(isWritten, OFTEN).toBe(true);
}

/** Continues the test in a new tab, where nothing says whose it is. */
export async function goOn(page: Page, name = "Go on with this test"): Promise<void> {
  await expect(page.getByRole("heading", { name: "A test is under way on this device" })).toBeVisible();
  await page.getByRole("button", { name, exact: true }).click();
}

/** Closes the message at the foot. It ignores taps until a moment after it came. */
export async function closeMessage(page: Page): Promise<void> {
  const close = page.locator(".notice").getByRole("button", { name: "Close" });
  await close.waitFor();
  const isClosed = async () => {
    if (await close.isVisible()) await close.click({ timeout: 1_000 }).catch(() => {});
    return close.isVisible();
  };
  await expect.poll(isClosed, OFTEN).toBe(false);
}

export async function at(page: Page, number: number): Promise<void> {
  const rest = await appears(page, "h1", `Question ${number} of`);
  await expect(page.getByRole("heading", { name: new RegExp(`^Question ${number} of`) })).toBeVisible(rest);
}

export async function answer(page: Page, letter: string): Promise<void> {
  // Of some tests the questions come after their beginning.
  await expect(page.locator("[name=option]").first()).toBeAttached();
  await page.keyboard.press(letter);
  await expect(chosen(page)).toHaveValue(letter);
}

export const chosen = (page: Page) => page.locator("[name=option]:checked");

export async function next(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Next" }).click();
}

export async function saving(page: Page, state: "saved" | "saving" | "offline" | "waiting"): Promise<void> {
  const rest = await appears(page, `[data-saving=${state}]`, "", SAVED_MS);
  await expect(page.locator("[data-saving]")).toHaveAttribute("data-saving", state, rest);
}

/**
 * Lets the time of the page, whose clock is installed, pass second by second until this holds, and fails if it does not after
 * so many of them. What the page asks for meanwhile is answered in real moments, of which there is one after each second, and
 * what it has asked for at the end in a few real seconds. A dialog that opens afterwards is deaf for as long as has been
 * passed, since the browser stamps its events with the real time.
 */
export async function passUntil(page: Page, holds: () => Promise<boolean>, seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 1) {
    if (await holds()) return;
    await page.clock.runFor(1_000);
    await new Promise((resolve) => setTimeout(resolve, MOMENT_MS));
  }
  await expect.poll(holds, { ...OFTEN, timeout: LAST_ANSWER_MS, message: `it comes within ${seconds} seconds of the page` }).toBe(true);
}

/** Answers every question with the keyboard, from the first to the review. */
export async function answerAll(page: Page, count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    await at(page, number);
    await answer(page, "ABCD".charAt(number % 4));
    await page.keyboard.press("ArrowRight");
  }
  await expect(page.getByRole("heading", { name: "Review your test" })).toBeVisible();
}

export async function handIn(page: Page): Promise<void> {
  await page.locator("main").getByRole("button", { name: "Hand in" }).click();
  await page.getByRole("button", { name: "Yes, hand in" }).click();
  await expect(page.getByRole("heading", { name: "Your test has arrived" })).toBeVisible();
}

/** Checks what the page says of a test that is over, line by line. */
export async function facts(page: Page, lines: (string | RegExp)[]): Promise<void> {
  await expect(page.locator(".card.news li")).toHaveText(lines);
}

/**
 * So many seconds after the end, a page has told of a loss: it tries for twelve to send all the same what has not arrived.
 */
export const TOLD_AFTER = 15;

/** Starts a test and ends it, so that one answer of it never arrives. */
export async function loseOne(page: Page): Promise<void> {
  let isOver = false;
  let cut: (() => void) | undefined;
  await page.routeWebSocket(/\/api\/live$/, (route) => {
    if (isOver) return void route.close({ code: 3000 });
    const server = route.connectToServer();
    cut = () => void route.close({ code: 3000 });
    // Only `resume` arrives, so that everything done after it is lost.
    route.onMessage((message) => String(message).includes("resume") && server.send(message));
  });
  // What would be kept as late is lost too.
  await page.route(/\/api\/live\/[^/]+\/commands$/, (route) => route.abort());
  await altered(page, /\/api\/live\/[^/]+$/, (standing) => (isOver ? { ...standing, state: "submitted", reason: "deadline" } : standing));
  await start(page);
  await answer(page, "B");
  isOver = true;
  cut?.();
}

/** Waits for the report, to which the page goes on by itself. */
export async function report(page: Page): Promise<void> {
  const rest = await appears(page, "h1", "Test report");
  await expect(page.getByRole("heading", { name: "Test report" })).toBeVisible(rest);
}

/** How far to the right a stroke begins at least: the radio buttons of the options take the pointer themselves. */
export const BESIDE_OPTIONS = 60;

/** Draws one line with a tool of the sheet, which must be open: that far to the right of these places. */
export async function draw(page: Page, tool: string, from: [number, number], to: [number, number]): Promise<void> {
  await page.getByRole("button", { name: tool, exact: true }).click();
  const box = await page.locator("canvas.passing").boundingBox();
  if (box === null) throw new Error("no sheet");
  await page.mouse.move(box.x + BESIDE_OPTIONS + from[0], box.y + from[1]);
  await page.mouse.down();
  await page.mouse.move(box.x + BESIDE_OPTIONS + to[0], box.y + to[1], { steps: 12 });
  await page.mouse.up();
}

/** The secret link by which the test goes on on another device. */
export async function linkOf(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Help" }).click();
  const link = await page.getByLabel("Continue on another device").inputValue();
  await page.getByRole("button", { name: "Close" }).click();
  return link;
}

/** Whether anything is drawn on the sheet. */
export const isInked = (page: Page) =>
  page.locator("canvas:not(.passing)").evaluate((canvas: HTMLCanvasElement) => {
    const pixels = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    return pixels.some((value, index) => index % 4 === 3 && value > 0);
  });

/** The session as the server has stored it. */
export async function stored(page: Page): Promise<{ result: { totalQuestions: number; answers: { questionId: string; selected: string }[] }; drawings?: Record<string, unknown> }> {
  const id = page.url().split("/").at(-1);
  return (await page.request.get(`/api/sessions/${id}`)).json();
}

/** Signs in the browser of this page by what the form of a server without an identity provider sends, without the form. */
export async function signInAs(page: Page, email: string, name: string): Promise<void> {
  // Somebody else may be signed in here, in whose name no other site may send anything.
  const headers = { "Sec-Fetch-Site": "same-origin" };
  const answer = await page.request.post("/auth/local", { form: { email, name }, headers, maxRedirects: 0 });
  expect(answer.status(), await answer.text()).toBe(303);
}

/** The first user to sign in on a new server is admin. */
export async function signInAsHead(page: Page): Promise<void> {
  await signInAs(page, "head@school.example", "Head");
}

/** The same, on the start page. */
export async function signInAsAdmin(page: Page): Promise<void> {
  await signInAsHead(page);
  await page.goto("/");
  await expect(page.getByText("Signed in as Head")).toBeVisible();
}

/** Calls the API as the user of the page. */
export async function call(page: Page, method: string, path: string, body?: unknown, status = 200): Promise<any> {
  const answer = await page.evaluate(
    async ([method, path, body]) => {
      const response = await fetch(path as string, { method: method as string, headers: { "Content-Type": "application/json" }, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
      return { status: response.status, body: await response.json().catch(() => undefined) };
    },
    [method, path, body] as const,
  );
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(status);
  return answer.body;
}

/** Creates a template of ten questions, and returns its id. */
export async function template(page: Page, name: string, grades = [5]): Promise<string> {
  const targets = { 1: 4, 2: 3, 3: 3, 4: 0, 5: 0 };
  const { template } = await call(page, "POST", "/api/admin/test-templates", { name, grades, mode: "standard", durationMinutes: 20, standardTargets: targets });
  return template.id;
}

/**
 * A test of a template, and its ten questions. What is to be seen of a question is written into these: of a grade, the server
 * would draw ten of a hundred and forty at random.
 */
export async function tenQuestions(page: Page): Promise<{ address: string; ids: string[] }> {
  const id = await template(page, "Ten questions");
  const { standardQuestions } = (await call(page, "GET", `/api/manager/test-templates/${id}`)).template;
  expect(standardQuestions).toHaveLength(10);
  return { address: `/t/${id}`, ids: standardQuestions.map(({ id }: { id: string }) => id) };
}
