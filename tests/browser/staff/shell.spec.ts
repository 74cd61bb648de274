// The frame of the staff pages and Today: what each role sees, the rail, the palette, lists by keyboard, narrow screens.

import type { Browser, Page } from "@playwright/test";
import { check, fits, settled } from "../accessible";
import { expect, test, type Hall } from "../hall";
import { School, seconds } from "../sitting";
import { call, kept, passUntil, start, template } from "../student";
import { hired, onToday, signIn } from "./people";

/** What the rail offers on a day with an exam. */
const MANAGERS = ["Today", "Sittings", "Desk", "Templates", "Questions", "Sign-off", "Results", "Calendar", "Classes"];
const ADMINS = [...MANAGERS, "People", "School"];

const rail = (page: Page) => page.getByRole("navigation", { name: /^(Pages|Các trang)$/ });
const list = (page: Page, heading: string) => page.locator("section", { has: page.getByRole("heading", { name: heading, exact: true }) });
const desk = (page: Page, name: string) =>
  page
    .getByRole("banner")
    .or(page.locator("main > header"))
    .getByRole("link", { name: `Open the desk of ${name}` });

/** Not so many hours from now: late in the evening, these would lead to the day after. */
function tomorrowNoon(): string {
  const noon = new Date();
  noon.setDate(noon.getDate() + 1);
  noon.setHours(12, 0, 0, 0);
  return noon.toISOString();
}

/** A school day: one exam with open doors, one tomorrow, one of another grade; the head is on Today. */
async function day(browser: Browser, hall: Hall): Promise<{ school: School; page: Page; templateId: string }> {
  const rooms = [{ name: "Room 101", proctors: ["proctor@school.example"] }, { name: "Hall" }];
  const school = await School.open(browser, hall, [{ name: "Ada" }, { name: "Bo" }], { rooms });
  const templateId = school.sitting.templateId as string;
  await call(school.page, "POST", "/api/admin/sittings", { name: "Retake of grade 5", templateId, startsAt: tomorrowNoon() });
  const ofSix = await template(school.page, "Paper of grade 6", [6]);
  await call(school.page, "POST", "/api/admin/sittings", { name: "Exam of grade 6", templateId: ofSix, startsAt: seconds(50 * 3_600) });
  await school.page.goto("/staff");
  await onToday(school.page);
  return { school, page: school.page, templateId };
}

/** Hands in a finished test whose webhook the server refuses to send, since its address is not public. */
async function failWebhook(page: Page): Promise<void> {
  const { questions } = await page.request.get("/api/questions?grade=5").then(async (answer) => ({ questions: (await answer.json()) as { id: string }[] }));
  const answers = questions.slice(0, 10).map(({ id }) => ({ questionId: id, selected: "A", correct: "A", isCorrect: true }));
  const result = { score: 800, correctAnswers: 10, totalQuestions: 10, timeTaken: 60, topicBreakdown: [], difficultyBreakdown: [], answers };
  await call(page, "POST", "/api/sessions", {
    grade: 5,
    startedAt: seconds(-600),
    baseUrl: "https://exam.example",
    webhookUrl: "http://127.0.0.1:9/hook",
    annotations: {},
    result,
  });
  await expect.poll(async () => (await (await page.request.get("/api/admin/webhooks?status=failed")).json()).total).toBe(1);
}

test("an admin sees the whole day, and comes to everything by mouse", async ({ browser, hall }) => {
  const { school, page } = await day(browser, hall);
  await expect(list(page, "Running now").getByRole("listitem")).toHaveCount(1);
  await expect(list(page, "Running now")).toContainText("Doors open");
  await expect(list(page, "Running now")).toContainText("2 not here");
  await expect(list(page, "Next").getByRole("listitem")).toHaveCount(2);
  await expect(list(page, "Next")).toContainText(/tomorrow/i);
  await expect(list(page, "Waiting for you")).toContainText("1,400 questions to review");
  await expect(rail(page).getByRole("link")).toHaveText(ADMINS);
  await expect(rail(page).getByRole("link", { name: "Today" })).toHaveAttribute("aria-current", "page");
  // Pages of the rail need no document.
  await page.evaluate(() => Object.assign(window, { isSame: true }));
  for (const [name, address] of [
    ["Sittings", "/staff/sittings"],
    ["Results", "/staff/results"],
    ["Desk", `/staff/sittings/${school.sitting.id}/desk`],
    ["Today", "/staff"],
  ] as const) {
    await rail(page).getByRole("link", { name }).click();
    await expect(page).toHaveURL(address);
    await expect(rail(page).getByRole("link", { name })).toHaveAttribute("aria-current", "page");
  }
  await page.goBack();
  await expect(page).toHaveURL(`/staff/sittings/${school.sitting.id}/desk`);
  await page.goForward();
  await onToday(page);
  await desk(page, "Final exam in mathematics").click();
  await expect(page).toHaveURL(`/staff/sittings/${school.sitting.id}/desk`);
  expect(await page.evaluate(() => "isSame" in window)).toBe(true);
});

test("Today goes by the keyboard alone", async ({ browser, hall }) => {
  const { page } = await day(browser, hall);
  const focused = page.locator(":focus");
  await page.keyboard.press("j");
  await expect(focused).toHaveText("Final exam in mathematics");
  await page.keyboard.press("j");
  await expect(focused).toHaveText("Retake of grade 5");
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  await expect(focused).toHaveText("Retake of grade 5");
  await page.keyboard.press("Tab");
  await expect(focused).toHaveAccessibleName("Open the desk of Retake of grade 5");
  await page.keyboard.press("k");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/staff\/sittings\/[0-9a-f-]{36}$/);
  // The heading of the new page is read.
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await page.goto("/staff");
  await onToday(page);
  await page.keyboard.press("Tab");
  await expect(focused).toHaveText("Skip to the content");
  await page.keyboard.press("Enter");
  await expect(page.locator("main")).toBeFocused();
});

test("single letters can be switched off, and everything else goes by keyboard as before", async ({ browser, hall }) => {
  const { page, templateId } = await day(browser, hall);
  const focused = page.locator(":focus");
  const letters = page.getByRole("checkbox", { name: "Single-letter keys" });
  await page.goto("/staff/people");
  const first = page.getByRole("grid").getByRole("row").nth(1);
  const hint = page.getByText(/^J and K move, Enter opens/);
  await expect(first).toBeVisible();
  await expect(hint.last()).toBeVisible();
  await letters.uncheck();
  await expect(hint).toHaveCount(0);
  await expect(page.getByText("Arrow keys move, Enter opens, Space selects, Escape selects none.").last()).toBeVisible();
  await page.getByRole("heading", { level: 1 }).focus();
  for (const key of ["j", "k", "x", "a"]) await page.keyboard.press(key);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await expect(page.getByText(/ selected$/)).toHaveCount(0);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  await expect(page.getByText("1 selected").first()).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByText("1 selected")).toHaveCount(0);
  // The choice is kept in the browser, and holds on every page.
  await page.goto(`/staff/desk?templateId=${templateId}`);
  await page.getByText("Keys", { exact: true }).click();
  await expect(page.locator("details.keys dt")).toHaveText(["Arrows Home End", "Enter", "Esc", "Ctrl Z"]);
  await page.goto("/staff");
  await onToday(page);
  await page.keyboard.press("j");
  await expect(page.locator("[data-row]:focus")).toHaveCount(0);
  await page.goto("/staff/questions?grade=5");
  const rows = page.getByRole("grid").getByRole("row");
  await rows.nth(1).click();
  const opened = page.locator("section.opened");
  await expect(opened.getByRole("button", { name: "Approve" })).toBeVisible();
  await expect(opened.locator("kbd.letters").first()).toBeHidden();
  await expect(opened.getByRole("button", { name: "Approve" })).not.toHaveAttribute("aria-keyshortcuts");
  for (const key of ["a", "e", "f"]) await page.keyboard.press(key);
  await expect(opened.locator("form")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Undo" })).toHaveCount(0);
  // Words are typed as ever, and the palette has the switch too.
  await page.keyboard.press("Control+k");
  await page.keyboard.type("single letter");
  const palette = page.getByRole("dialog", { name: /^Find a page/ });
  await expect(palette.getByRole("option")).toHaveText(["Switch on single-letter keys"]);
  await page.keyboard.press("Enter");
  await expect(letters).toBeChecked();
  await expect(opened.getByRole("button", { name: "Approve" })).toHaveAttribute("aria-keyshortcuts", "A");
  await page.goto("/staff");
  await onToday(page);
  await page.keyboard.press("j");
  await expect(focused).toHaveText("Final exam in mathematics");
});

test("the palette finds pages and sittings, and Escape gives the focus back", async ({ browser, hall }) => {
  const { school, page } = await day(browser, hall);
  await page.getByRole("button", { name: "Find" }).focus();
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Find a page, a sitting, a student or something to do" });
  await expect(palette.getByRole("option", { name: "Retake of grade 5", exact: true })).toBeVisible();
  await check(page, "palette");
  await page.keyboard.type("5 rétake desk");
  await expect(palette.getByRole("option")).toHaveText(["Desk of Retake of grade 5"]);
  await page.keyboard.press("Escape");
  await expect(palette).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Find" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(palette).toBeVisible();
  await page.keyboard.type("nothing of this name");
  await expect(palette).toContainText("Nothing has this name.");
  await page.keyboard.press("Control+k");
  await expect(palette).toHaveCount(0);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("final exam");
  const first = palette.getByRole("option").first();
  await expect(first).toHaveText("Final exam in mathematics");
  await expect(first).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/staff/sittings/${school.sitting.id}`);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("plan a");
  await palette.getByRole("option", { name: "Plan a sitting" }).click();
  await expect(page).toHaveURL("/staff/sittings/new");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("desk final paper");
  await palette.getByRole("option", { name: "Desk of Final paper" }).click();
  await expect(page).toHaveURL(/\/staff\/desk\?templateId=/);
});

test("what is typed while the palette is being loaded is found, and does nothing to the page", async ({ browser, hall }) => {
  const { page } = await day(browser, hall);
  let isLoaded = () => {};
  const loading = new Promise<void>((resolve) => (isLoaded = resolve));
  await page.route(/assets\/staff-Palette-/, async (route) => {
    await loading;
    await route.continue();
  });
  await page.keyboard.press("Control+k");
  await page.keyboard.type("jkresults");
  await page.keyboard.press("Enter");
  isLoaded();
  const palette = page.getByRole("dialog", { name: /^Find a page/ });
  await expect(palette.getByRole("combobox")).toHaveValue("jkresults");
  await expect(palette.getByRole("combobox")).toBeFocused();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("results");
  await expect(palette.getByRole("option").first()).toHaveText("Results");
  await expect(page).toHaveURL("/staff");
});

test("the palette finds students of what runs and of what is planned, and at a desk its own", async ({ browser, hall }) => {
  const { school, page } = await day(browser, hall);
  const planned = await call(page, "POST", "/api/admin/sittings", { name: "Spring exam", templateId: school.sitting.templateId, startsAt: new Date(Date.now() + 9e7).toISOString() });
  await call(page, "PUT", `/api/admin/sittings/${planned.sitting.id}/candidates`, { candidates: [{ externalId: "n-77", name: "Đặng Thùy Trâm" }] });
  await page.reload();
  await onToday(page);
  const palette = page.getByRole("dialog", { name: /^Find a page/ });
  await page.keyboard.press("Control+k");
  await expect(palette.getByRole("option").first()).toBeVisible();
  await expect(palette.getByText("Students", { exact: true })).toHaveCount(0);
  await page.keyboard.type("dang tram");
  await expect(palette.getByRole("option")).toHaveText(["Đặng Thùy Trâm · Spring exam"]);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/staff/sittings/${planned.sitting.id}\\?find=`));
  await expect(page.getByRole("grid", { name: "People" }).getByRole("row")).toHaveCount(2);

  const [someone = ""] = school.codes.keys();
  await page.keyboard.press("Control+k");
  await page.keyboard.type(`${someone} ${school.sitting.name}`);
  await palette.getByRole("option", { name: `${someone} · ${school.sitting.name}`, exact: true }).click();
  await expect(page.locator(".drawer").getByRole("heading", { name: someone })).toBeVisible();
  await expect(page).not.toHaveURL(/student=/);
  await page.keyboard.press("Escape");
  await expect(page.locator(".drawer")).toHaveCount(0);
  await page.keyboard.press("Control+k");
  await page.keyboard.type(someone);
  await palette.getByRole("option", { name: someone, exact: true }).click();
  await expect(page.locator(".drawer").getByRole("heading", { name: someone })).toBeVisible();
});

test("a message that failed waits for an admin, who sends it again and dismisses what the page says", async ({ browser, hall }) => {
  const { page } = await day(browser, hall);
  await failWebhook(page);
  await page.reload();
  await expect(list(page, "Waiting for you")).toContainText("1 message to other systems failed");
  await expect(list(page, "Waiting for you")).toContainText("127.0.0.1:9");
  await list(page, "Waiting for you").getByRole("button", { name: "Send 1 message again" }).click();
  const said = page.getByRole("region", { name: "Messages" }).getByText("1 message is being sent again.");
  await expect(said).toBeVisible();
  await check(page, "message");
  await page.getByRole("button", { name: "Dismiss" }).click();
  await expect(said).toHaveCount(0);
});

test("managers see the sittings of their grades, reviewers their questions, and neither what admins do", async ({ browser, hall }) => {
  const { page: head } = await day(browser, hall);
  await failWebhook(head);
  const { page: manager } = await hired(head, browser, hall, "manager", [5]);
  await onToday(manager);
  await expect(list(manager, "Next").getByRole("listitem")).toHaveCount(1);
  await expect(list(manager, "Waiting for you")).toContainText("140 questions to review");
  await expect(list(manager, "Waiting for you")).not.toContainText("failed");
  await expect(rail(manager).getByRole("link")).toHaveText(MANAGERS);
  const { page: reviewer } = await hired(head, browser, hall, "reviewer", [5]);
  await onToday(reviewer);
  await expect(list(reviewer, "Waiting for you")).toContainText("140 questions to review");
  await expect(rail(reviewer).getByRole("link")).toHaveText(["Today", "Questions", "Results", "Calendar"]);
  await expect(reviewer.getByRole("link", { name: "Plan a sitting" })).toHaveCount(0);
  await expect(reviewer.getByText("Exam of grade 6")).toHaveCount(0);
});

test("a proctor who is no staff sees the rooms that they watch, and a student sees nothing", async ({ browser, hall }) => {
  const { school } = await day(browser, hall);
  const { page: proctor } = await signIn(browser, hall, "proctor@school.example", "Paul");
  await onToday(proctor);
  await expect(proctor.getByRole("main").getByRole("listitem")).toHaveCount(1);
  await expect(proctor.getByRole("main")).toContainText("You watch Room 101");
  await expect(proctor.getByRole("heading", { name: "Waiting for you" })).toHaveCount(0);
  await expect(rail(proctor).getByRole("link", { name: /Sittings|Results/ })).toHaveCount(0);
  await proctor.keyboard.press("j");
  await proctor.keyboard.press("Enter");
  await expect(proctor).toHaveURL(`/staff/sittings/${school.sitting.id}/desk?room=Room+101`);
  const { page: student } = await signIn(browser, hall, "student@school.example", "Sam");
  await expect(student.getByRole("heading", { name: "These pages are for staff" })).toBeVisible();
  await check(student, "student");
  await student.getByRole("button", { name: "Sign out" }).click();
  await expect(student.getByRole("heading", { name: "Sign in to use the staff pages" })).toBeVisible();
  await expect(student.getByText("Your sign-in has ended.")).toBeVisible();
});

test("who is not signed in signs in and comes to the page that they wanted", async ({ browser, hall }) => {
  const context = await browser.newContext({ baseURL: hall.url, locale: "en-GB" });
  const page = await context.newPage();
  await page.goto("/staff/results?grade=5");
  await expect(page.getByRole("link", { name: "Sign in" })).toBeVisible();
  await check(page, "guest");
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByLabel("E-mail address").fill("head@school.example");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL("/staff/results?grade=5");
  await expect(rail(page).getByRole("link", { name: "Results" })).toHaveAttribute("aria-current", "page");
  await page.goto("/staff/nothing");
  await expect(page.getByRole("heading", { name: "There is no page at this address" })).toBeVisible();
  await check(page, "unknown address");
  await page.getByRole("link", { name: "To Today" }).click();
  await onToday(page);
});

test("staff come from the start page to theirs", async ({ browser, hall }) => {
  const { page } = await signIn(browser, hall, "head@school.example", "Head", "/");
  // In sight without scrolling: who has a duty looks for it first.
  await expect(page.getByRole("link", { name: "Staff pages" })).toBeInViewport();
  await page.getByRole("link", { name: "Staff pages" }).click();
  await onToday(page);
});

test("the language stays, and signing out ends the pages in every tab", async ({ browser, hall }) => {
  const { page, context } = await signIn(browser, hall, "head@school.example", "Head");
  await onToday(page);
  await page.getByLabel("Language").selectOption("vi");
  await expect(page.getByRole("heading", { name: "Hôm nay", level: 1 })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "vi");
  await check(page, "Vietnamese");
  await page.reload();
  await expect(page.getByRole("heading", { name: "Hôm nay", level: 1 })).toBeVisible();
  const other = await context.newPage();
  await other.goto("/staff");
  await other.getByRole("button", { name: "Đăng xuất" }).click();
  await expect(other.getByRole("link", { name: "Đăng nhập" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Đăng nhập" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Hôm nay", level: 1 })).toBeHidden();
  await check(page, "signed out in another tab, in Vietnamese");
});

test("the clock is the server's, and a silent server is told of", async ({ browser, hall }) => {
  const { school } = await day(browser, hall);
  const page = await school.page.context().newPage();
  // Today asks every quarter of a minute.
  await page.clock.install();
  await page.addInitScript(() => {
    const now = Date.now;
    Date.now = () => now() + 5 * 3_600_000;
  });
  await page.goto("/staff");
  await onToday(page);
  const shown = async () => {
    const [hours, minutes, seconds] = (await page.locator(".clock .time").innerText()).split(":").map(Number);
    return ((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0);
  };
  const real = () => new Date().getHours() * 3_600 + new Date().getMinutes() * 60 + new Date().getSeconds();
  await expect.poll(async () => Math.abs((await shown()) - real()) % 86_390).toBeLessThan(5);
  await hall.kill();
  const alert = page.getByRole("main").getByRole("alert");
  await passUntil(page, async () => (await alert.textContent())?.includes("The exam server can’t be reached") === true, 20);
  await expect(page.getByRole("heading", { name: "Today", level: 1 })).toBeVisible();
  await hall.start();
  await passUntil(page, async () => (await alert.textContent())?.trim() === "", 20);
});

/** Below this width, the rail is that of a phone (web/src/staff/RailPages.svelte). */
const PHONE_PX = 704;
const SCREENS = {
  desktop: { width: 1280, height: 800 },
  tablet: { width: 820, height: 1180 },
  phone: { width: 360, height: 740 },
  // What zoom leaves of 1280 by 1024.
  "at 200 %": { width: 640, height: 512 },
  "at 400 %": { width: 320, height: 256 },
};

test("Today is accessible and fits on every screen, and everything in the frame can be reached", async ({ browser, hall }) => {
  const { page } = await day(browser, hall);
  await failWebhook(page);
  await page.reload();
  await expect(page.getByRole("button", { name: "Send 1 message again" })).toBeVisible();
  for (const [name, viewport] of Object.entries(SCREENS)) {
    await page.setViewportSize(viewport);
    await check(page, name);
    const more = rail(page).getByRole("button", { name: "More" });
    if (viewport.width <= PHONE_PX) {
      // One row, and the rest below it.
      const tops = await rail(page).locator("a, button").evaluateAll((entries) => entries.map((entry) => entry.getBoundingClientRect().top));
      expect(new Set(tops).size, name).toBe(1);
      await more.click();
      await check(page, `${name}, all pages`);
    } else await expect(more, name).toHaveCount(0);
    await expect(rail(page).getByRole("link"), name).toHaveCount(ADMINS.length);
    for (const link of await rail(page).getByRole("link").all()) await expect(link, name).toBeInViewport();
    if (viewport.width <= PHONE_PX) await more.click();
    await page.getByRole("button", { name: "Sign out" }).scrollIntoViewIfNeeded();
    await expect(page.getByRole("button", { name: "Sign out" }), name).toBeInViewport();
    await page.getByRole("button", { name: "Find" }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await fits(page, `${name}, palette`);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await page.evaluate(() => scrollTo(0, 0));
  }
});

test("every page of the rail is accessible and fits at 200 % and, in forced colours, on the smallest phone", async ({ browser, hall }) => {
  test.setTimeout(150_000);
  const { page } = await day(browser, hall);
  const pages = await rail(page)
    .getByRole("link")
    .evaluateAll((links) => links.map((link) => ({ name: link.textContent?.trim() ?? "", address: link.getAttribute("href") ?? "" })));
  expect(pages.map(({ name }) => name)).toEqual(ADMINS);
  for (const { name, address } of [...pages, { name: "Audit", address: "/staff/school/audit" }]) {
    await page.setViewportSize({ width: 640, height: 400 });
    await page.emulateMedia({ forcedColors: "none" });
    await page.goto(address);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByText("One moment…")).toHaveCount(0);
    await check(page, `${name} at 200 %`);
    await page.setViewportSize({ width: 320, height: 640 });
    await page.emulateMedia({ forcedColors: "active" });
    await check(page, `${name} at 320 px`);
  }
});

test("on a phone the names of the pages stand apart, in both languages", async ({ browser, hall }) => {
  const { page } = await day(browser, hall);
  for (const language of ["en", "vi"]) {
    await page.setViewportSize({ width: 1_280, height: 800 });
    await page.getByLabel(language === "en" ? "Language" : /Language|Ngôn ngữ/).selectOption(language);
    for (const width of [320, 360, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await settled(page);
      const more = rail(page).getByRole("button");
      if ((await more.getAttribute("aria-expanded")) === "false") await more.click();
      await expect(rail(page).getByRole("link")).toHaveCount(ADMINS.length);
      // Of what is written, since the places touch one another.
      const words = await rail(page).getByRole("link").evaluateAll((links) =>
        links.map((link) => {
          const range = document.createRange();
          range.selectNodeContents(link.querySelector("span")!);
          const { left, right } = range.getBoundingClientRect();
          return { name: link.textContent?.trim(), left, right, row: Math.round(link.getBoundingClientRect().top) };
        }),
      );
      expect(words).toHaveLength(ADMINS.length);
      const close = words.filter(({ row, left }, index) => words[index - 1]?.row === row && left - words[index - 1]!.right < 5);
      expect(close.map(({ name }) => name), `${language}, ${width} px`).toEqual([]);
    }
  }
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`where one is shows where colours are forced: ${colorScheme}`, async ({ browser, hall }) => {
    const { page } = await day(browser, hall);
    await page.emulateMedia({ forcedColors: "active", colorScheme });
    const background = (name: string) =>
      rail(page)
        .getByRole("link", { name })
        .evaluate((link) => getComputedStyle(link).backgroundColor);
    expect(await background("Today")).not.toBe(await background("Sittings"));
    await page.keyboard.press("Control+k");
    const options = page.getByRole("dialog").getByRole("option");
    await expect(options.first()).toBeVisible();
    const colour = (index: number) => options.nth(index).evaluate((option) => getComputedStyle(option).backgroundColor);
    expect(await colour(0)).not.toBe(await colour(1));
  });
}

test("the students' pages neither load nor keep a file of the staff's", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await start(page);
  await kept(page);
  const files = await page.evaluate(async () => {
    const names = await caches.keys();
    return (await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)))).flat();
  });
  expect(files.length).toBeGreaterThan(5);
  expect([...asked, ...files].filter((address) => address.includes("/staff"))).toEqual([]);
});

test("a form for something new asks before it is left with what somebody has typed, and only then", async ({ browser, hall }) => {
  const { page, templateId } = await day(browser, hall);
  const question = page.getByRole("dialog", { name: "Your changes are not saved" });
  const forms: [string, string][] = [
    ["/staff/sittings/new", "Sittings"],
    ["/staff/templates/new", "Templates"],
    ["/staff/calendar/new", "Calendar"],
    // These propose more: what they come from.
    [`/staff/sittings/new?templateId=${templateId}`, "Sittings"],
    [`/staff/templates/new?from=${templateId}`, "Templates"],
    [`/staff/calendar/new?templateId=${templateId}`, "Calendar"],
  ];
  for (const [address, place] of forms) {
    await page.goto(address);
    const field = page.locator("main form").getByRole("textbox").first();
    await expect(field).toHaveValue(address.includes("calendar/new?") ? "Final paper" : address.includes("from=") ? "Copy of Final paper" : "");
    if (address.includes("sittings")) await expect(page.getByRole("option", { name: /^Final paper/ })).toBeAttached();
    const proposed = await field.inputValue();
    await rail(page).getByRole("link", { name: place }).click();
    await expect(page, address).toHaveURL(`/staff/${place.toLowerCase()}`);
    await page.goBack();
    await expect(field).toHaveValue(proposed);
    await field.fill("Typed");
    await rail(page).getByRole("link", { name: "Results" }).click();
    await expect(question, address).toBeVisible();
    await question.getByRole("button", { name: "Stay here" }).click();
    await expect(field).toHaveValue("Typed");
    // Whoever takes it back has changed nothing.
    await field.fill(proposed);
    await rail(page).getByRole("link", { name: "Results" }).click();
    await expect(page, address).toHaveURL("/staff/results");
  }
  // What has been made is not asked about.
  await page.goto(`/staff/calendar/new?templateId=${templateId}`);
  await page.getByLabel("Title", { exact: true }).fill("Announced");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await expect(page).toHaveURL(/\/staff\/calendar\/\d+$/);
  // What is then changed is, also by "Cancel".
  await expect(page.getByRole("button", { name: "Save", exact: true })).toBeVisible();
  await page.getByLabel("Title", { exact: true }).fill("Announced anew");
  await page.getByRole("link", { name: "Cancel", exact: true }).click();
  await question.getByRole("button", { name: "Leave without saving" }).click();
  await expect(page).toHaveURL(/\/staff\/calendar(\?day=|$)/);
  await page.goto(`/staff/templates/new?from=${templateId}`);
  await page.getByRole("button", { name: "Draw the questions" }).click();
  await expect(page).toHaveURL(/\/staff\/templates\/(?!new)[^/?]+$/);
  await page.goto(`/staff/sittings/new?templateId=${templateId}`);
  await page.getByLabel(/^Name/).first().fill("Planned");
  await page.getByRole("button", { name: "Plan this sitting" }).click();
  await expect(page).toHaveURL(/\/staff\/sittings\/(?!new)[^/?]+$/);
  await expect(question).toHaveCount(0);
});

test("until the first exam, Today begins with the order in which a school begins", async ({ browser, hall }) => {
  const { page } = await signIn(browser, hall, "head@school.example", "Head");
  await onToday(page);
  const steps = list(page, "First steps").getByRole("listitem");
  await expect(steps.getByRole("link")).toHaveText(["Name the school", "Add people", "Have questions reviewed", "Make a template", "Plan a sitting"]);
  await expect(steps.filter({ hasText: "(done)" })).toHaveCount(0);
  await expect(page.locator("main section").first()).toContainText("First steps");
  await check(page, "first steps");
  await expect(async () => {
    await page.keyboard.press("j");
    await expect(steps.first().getByRole("link")).toBeFocused({ timeout: 100 });
  }).toPass();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/staff/school");
  const { page: manager } = await hired(page, browser, hall, "manager", [5]);
  await onToday(manager);
  await expect(manager.getByRole("heading", { name: "Next" })).toBeVisible();
  await expect(list(manager, "First steps")).toHaveCount(0);
  const templateId = await template(page, "Paper", [5]);
  await page.goto("/staff");
  await expect(steps.filter({ hasText: "(done)" }).getByRole("link")).toHaveText(["Add people", "Make a template"]);
  await call(page, "POST", "/api/admin/sittings", { name: "First of all", templateId, startsAt: tomorrowNoon() });
  await page.reload();
  await expect(page.getByRole("link", { name: "First of all", exact: true })).toBeVisible();
  await expect(steps.filter({ hasText: "(done)" }).getByRole("link")).toHaveText(["Add people", "Make a template", "Plan a sitting"]);
  await call(page, "PATCH", "/api/admin/school", { name: "Gymnasium Lindenhof" });
  await page.reload();
  await expect(steps.filter({ hasText: "(done)" }).getByRole("link")).toHaveText(["Name the school", "Add people", "Make a template", "Plan a sitting"]);
});
