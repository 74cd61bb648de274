// The desk of an exam day and the projector's page, with real pages of students beside them.

import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { WebSocketServer } from "ws";
import { check, fits } from "../accessible";
import { expect, test } from "../hall";
import { finish, ready, School, type Candidate } from "../sitting";
import { answer, at, call, start } from "../student";

const ROOM: Candidate[] = [
  { name: "Ada", room: "B12", seat: "1" },
  { name: "Bo", room: "B12", seat: "2", factor: 125 },
  { name: "Cy", room: "B12", seat: "10" },
  { name: "Dan", room: "B12", seat: "11" },
];
const PLAN = { start: "proctor", rooms: [{ name: "B12", proctors: ["rita@school.example"] }] };

const desk = (school: School) => `/staff/sittings/${school.sitting.id}/desk`;
const step = (page: Page, name: string) => page.getByRole("navigation", { name: "The steps of the day" }).getByRole("button", { name: new RegExp(name) });
const tile = (page: Page, name: string) => page.locator("li.tile", { hasText: name });
const drawer = (page: Page) => page.getByRole("region", { name: /./ }).and(page.locator(".drawer"));
const said = (page: Page, text: string | RegExp) => expect(page.getByRole("status").filter({ hasText: text }).first()).toBeVisible();

async function shown(page: Page, name: string): Promise<void> {
  await step(page, name).click();
  await expect(page.locator(".desk")).toHaveAttribute("data-step", name.toLowerCase());
}

test("an exam day at the desk, by mouse", async ({ browser, hall }) => {
  test.setTimeout(180_000);
  const school = await School.open(browser, hall, ROOM, PLAN);
  const { page } = school;
  const devices = await Promise.all(["Ada", "Bo", "Cy"].map((name) => school.entered(name)));
  const [ada, bo, cy] = devices.map(({ page }) => page) as [Page, Page, Page];
  for (const one of [ada, bo, cy]) await ready(one);

  await test.step("prepare", async () => {
    await page.goto(desk(school));
    await expect(page.locator(".desk")).toHaveAttribute("data-step", "prepare");
    await expect(page.getByText(`/s/${school.sitting.code}`)).toBeVisible();
    await expect(page.locator("[data-unready=notEntered]")).toHaveText("1 student not entered");
    await expect(page.getByText("Everyone who is here is ready. 3 students ready")).toBeVisible();
    await expect(page.locator("[data-count=here]")).toHaveText("3 of 4");
    await check(page, "prepare");
  });

  await test.step("attendance", async () => {
    await shown(page, "Attendance");
    await expect(page.getByText("1 student neither here nor marked.")).toBeVisible();
    await page.getByRole("button", { name: "Present: Dan" }).click();
    await said(page, "1 student marked present");
    await page.getByRole("button", { name: "Absent: Dan" }).click();
    await said(page, "1 student marked absent");
    await expect(page.getByRole("button", { name: "Absent: Dan" })).toHaveAttribute("aria-pressed", "true");
    await page.getByRole("region", { name: "Messages" }).getByRole("button", { name: "Undo" }).click();
    await expect(page.getByRole("button", { name: "Present: Dan" })).toHaveAttribute("aria-pressed", "true");
    await page.getByRole("button", { name: "Absent: Dan" }).click();
    await expect(step(page, "Attendance")).toHaveAttribute("data-light", "done");
    await check(page, "attendance");
  });

  await test.step("begin", async () => {
    await shown(page, "Begin");
    await page.getByRole("button", { name: "Begin now for 3 students" }).click();
    await check(page, "asked whether to begin");
    await page.getByRole("button", { name: "Yes, begin" }).click();
    for (const one of [ada, bo, cy]) await at(one, 1);
    await expect(page.locator("[data-beginning]")).toContainText("It began at");
    await expect(step(page, "Begin")).toHaveAttribute("data-light", "done");
    await check(page, "begun");
  });

  await test.step("watch: five minutes, a pause, a message, another device", async () => {
    await shown(page, "Watch");
    await expect(page.locator("li.tile")).toHaveText([/^\s*1\s*Ada/, /^\s*2\s*Bo/, /^\s*10\s*Cy/, /^\s*11\s*Dan/]);
    await answer(ada, "B");
    await expect(tile(page, "Ada")).toContainText("1/10");
    await check(page, "watching");
    await tile(page, "Ada").getByRole("button").click();
    await expect(drawer(page).getByRole("heading", { name: "Ada" })).toBeVisible();
    await expect(drawer(page).locator("[data-explained]")).toContainText("template");
    await drawer(page).getByRole("button", { name: "Give 5 minutes" }).click();
    await said(page, "1 student got 5 minutes");
    await expect(drawer(page).locator("[data-record]")).toContainText("More time");
    await drawer(page).getByRole("button", { name: "Pause" }).click();
    await said(page, "1 student paused");
    await expect(tile(page, "Ada")).toContainText("Paused");
    await check(page, "the drawer of someone who is paused");
    await page.getByRole("region", { name: "Messages" }).getByRole("button", { name: "Undo" }).last().click();
    await expect(tile(page, "Ada")).toContainText("At work");
    await drawer(page).getByRole("button", { name: "Take minutes back…" }).click();
    await page.getByLabel("Minutes to take back").fill("120");
    await page.getByRole("button", { name: "Yes, take 120 minutes back" }).click();
    await expect(page.getByText("somebody would have less than a minute left, so nothing was changed.")).toBeVisible();
    await drawer(page).getByRole("button", { name: "Take minutes back…" }).click();
    await page.getByLabel("Minutes to take back").fill("2");
    await page.getByLabel("Minutes to take back").press("Enter");
    await said(page, "2 minutes taken back from 1 student");
    await expect(drawer(page).locator("[data-record]")).toContainText("Less time");
    await expect(ada.getByText("Your time has been changed: it ends 2 minutes earlier.").first()).toBeVisible();
    await drawer(page).getByRole("button", { name: "Undo: −2 min" }).click();
    await expect(ada.getByText("You have 2 more minutes.").first()).toBeVisible();
    await drawer(page).getByRole("button", { name: "Message…" }).click();
    await page.getByRole("button", { name: "Please look at the board." }).click();
    await check(page, "a message");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect(ada.getByText("Please look at the board.").first()).toBeVisible();
    await drawer(page).getByRole("button", { name: "Another device…" }).click();
    await expect(page.locator("[data-code]")).toHaveText(/^[2-9A-Y]{4}-[2-9A-Y]{4}$/);
    await check(page, "a code for another device");
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).first().click();
    await drawer(page).getByRole("button", { name: "Close" }).click();
    await expect(drawer(page)).toHaveCount(0);
  });

  await test.step("watch: many at once", async () => {
    await tile(page, "Ada").getByRole("checkbox").check();
    await tile(page, "Cy").getByRole("checkbox").check();
    await page.getByLabel("Minutes to give").selectOption("10");
    await check(page, "two are selected");
    await page.getByRole("button", { name: "Give 2 students 10 minutes" }).click();
    await said(page, "2 students got 10 minutes");
    await page.getByRole("button", { name: "Pause 2 students" }).click();
    await said(page, "2 students paused");
    await page.getByRole("button", { name: "Let 2 students go on" }).click();
    await said(page, "2 students went on");
    await page.getByRole("button", { name: "Select none" }).click();
  });

  await test.step("watch: everyone", async () => {
    await page.getByRole("button", { name: "Pause everyone…" }).click();
    await page.getByLabel("A word for the students").fill("Fire alarm");
    await page.getByLabel("A word for the students").press("Enter");
    await said(page, /Everyone is paused: 3 students/);
    await expect(page.locator("[data-standing=paused]")).toContainText("Fire alarm");
    for (const one of [ada, bo, cy]) await expect(one.getByRole("heading", { name: "Time is stopped: Fire alarm" })).toBeVisible();
    await page.getByRole("button", { name: "Give everyone 10 minutes" }).click();
    await said(page, /Everyone got 10 minutes/);
    await page.getByRole("button", { name: "Undo: +10 min" }).click();
    await said(page, "Taken back.");
    await page.getByRole("button", { name: "Let everyone go on" }).click();
    await said(page, /Everyone goes on: 3 students/);
    await at(ada, 1);
    await expect(page.locator("[data-standing=running]")).toContainText("It was stopped for");
    await expect(page.getByRole("button", { name: "Let everyone go on" })).toBeDisabled();
    await page.getByRole("button", { name: "Table", exact: true }).click();
    await expect(page.getByRole("grid", { name: "Students" }).getByRole("row")).toHaveCount(5);
    await check(page, "as a table");
    await page.getByRole("button", { name: "Tiles", exact: true }).click();
    await page.getByPlaceholder("Find a name or a seat").fill("cy");
    await expect(page.locator("li.tile")).toHaveCount(1);
    await page.getByPlaceholder("Find a name or a seat").fill("");
  });

  await test.step("somebody leaves the page, and it is seen without anything moving", async () => {
    await bo.evaluate(() => {
      Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
      Object.defineProperty(document, "hidden", { value: true, configurable: true });
      document.hasFocus = () => false;
      document.dispatchEvent(new Event("visibilitychange"));
      window.dispatchEvent(new Event("blur"));
    });
    await expect(page.locator("[data-attention]")).toContainText("Has left the page");
    await expect(tile(page, "Bo")).toContainText("Has left the page");
    await check(page, "someone needs attention");
  });

  await test.step("incidents", async () => {
    await shown(page, "Incidents");
    await page.getByRole("button", { name: "Note an incident of the room…" }).click();
    await page.getByLabel("Noise").check();
    await page.getByLabel("What happened").fill("The fire bell rang for a minute.");
    await check(page, "an incident");
    await page.getByRole("button", { name: "Put on record" }).click();
    await expect(page.getByRole("grid", { name: "Incidents" })).toContainText("The fire bell rang for a minute.");
    await check(page, "incidents");
    const [report] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download the report (CSV)" }).click()]);
    expect(report.suggestedFilename()).toMatch(/-\d{4}-\d{2}-\d{2}-incidents\.csv$/);
  });

  await test.step("dismiss", async () => {
    await shown(page, "Dismiss");
    await expect(page.locator("[data-dismiss]")).toContainText("0 of 3 tests are stored.");
    await finish(ada);
    await expect(tile(page, "Ada")).toContainText("may go");
    await expect(tile(page, "Cy")).toContainText("stays");
    await page.getByRole("button", { name: "End the test of all 2 who still work…" }).click();
    await expect(page.getByRole("dialog", { name: "End 2 students’ tests?" })).toContainText("Bo, Cy");
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await check(page, "one may go");
    await Promise.all([finish(bo), finish(cy)]);
    await expect(page.locator("[data-dismiss=all]")).toHaveText("All 3 tests are stored. The room may go.");
    await expect(step(page, "Dismiss")).toHaveAttribute("data-light", "done");
    await check(page, "all may go");
  });
});

test("the desk by keyboard alone", async ({ browser, hall }) => {
  test.setTimeout(120_000);
  const school = await School.open(browser, hall, ROOM.slice(0, 3), PLAN);
  const { page } = school;
  const [ada, bo] = await Promise.all(["Ada", "Bo"].map(async (name) => (await school.entered(name)).page));
  await ready(ada as Page);
  await ready(bo as Page);
  await page.goto(desk(school));
  await expect(page.locator("[data-count=here]")).toHaveText("2 of 3");

  await page.keyboard.press("3");
  await page.getByRole("button", { name: /^Begin now/ }).press("Enter");
  await page.getByRole("button", { name: "Yes, begin" }).press("Enter");
  await at(ada as Page, 1);
  await page.keyboard.press("4");
  await expect(tile(page, "Bo")).toContainText("At work");

  await tile(page, "Ada").getByRole("button").focus();
  await page.keyboard.press("j");
  await expect(tile(page, "Bo").getByRole("button")).toBeFocused();
  await page.keyboard.press("+");
  await said(page, "1 student got 5 minutes");
  await page.keyboard.press("p");
  await expect(tile(page, "Bo")).toContainText("Paused");
  // A key that was hit twice takes nothing back.
  await page.keyboard.press("p");
  await expect(tile(page, "Bo")).toContainText("Paused");
  await page.keyboard.press("Control+z");
  await expect(tile(page, "Bo")).toContainText("At work");
  await page.keyboard.press("m");
  await page.getByLabel("Message", { exact: true }).fill("Well done so far.");
  await page.keyboard.press("Tab");
  await page.getByRole("button", { name: "Send", exact: true }).press("Enter");
  await expect((bo as Page).getByText("Well done so far.").first()).toBeVisible();

  await tile(page, "Bo").getByRole("button").focus();
  await page.keyboard.press("Enter");
  await expect(drawer(page).getByRole("heading", { name: "Bo" })).toBeFocused();
  await page.keyboard.press("i");
  await page.getByLabel("What happened").fill("A telephone rang.");
  await page.getByRole("button", { name: "Put on record" }).press("Enter");
  await said(page, "The incident is on record");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await drawer(page).getByRole("heading", { name: "Bo" }).focus();
  await page.keyboard.press("Escape");
  await expect(drawer(page)).toHaveCount(0);
  await expect(tile(page, "Bo").getByRole("button")).toBeFocused();

  await page.keyboard.press("a");
  await expect(page.getByRole("status").filter({ hasText: "3 students selected" })).toBeVisible();
  await page.keyboard.press("+");
  await said(page, "2 students got 5 minutes");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("status").filter({ hasText: "Everyone in the room" })).toBeVisible();
  await page.keyboard.press("/");
  await expect(page.getByPlaceholder("Find a name or a seat")).toBeFocused();
});

test("a server that is killed and comes back: the desk says so, and an order given meanwhile arrives", async ({ browser, hall }) => {
  test.setTimeout(120_000);
  const school = await School.open(browser, hall, ROOM.slice(0, 2), PLAN);
  const { page } = school;
  const ada = (await school.entered("Ada")).page;
  await ready(ada);
  await school.begin();
  await at(ada, 1);
  await page.goto(desk(school));
  await shown(page, "Watch");
  await expect(tile(page, "Ada")).toContainText("At work");

  await hall.kill();
  await expect(page.locator("[data-banner=lost]")).toContainText("No connection to the server.");
  await check(page, "without a server");
  await tile(page, "Ada").getByRole("button").click();
  await drawer(page).getByRole("button", { name: "Pause" }).click();
  await expect(page.getByText("1 order on the way")).toBeVisible();

  await hall.start(2);
  await expect(page.locator("[data-banner]")).toHaveCount(0, { timeout: 30_000 });
  await said(page, "1 student paused");
  await expect(tile(page, "Ada")).toContainText("Paused");
  await expect(page.getByText("order on the way")).toHaveCount(0);

  const offer = page.locator("[data-outage]");
  await expect(offer).toContainText("The server was away for 2 min");
  await offer.getByRole("button", { name: "Give 3 minutes to 1 student" }).click();
  await said(page, "1 student got 3 minutes");
});

test("the proctor of a room runs it from a phone, and is offered only what is theirs", async ({ browser, hall }) => {
  test.setTimeout(120_000);
  const rooms = [{ name: "B12", proctors: ["rita@school.example"] }, { name: "B13" }];
  const school = await School.open(browser, hall, [...ROOM, { name: "Eve", room: "B13", seat: "1" }], { start: "proctor", perRoom: true, rooms });
  const { page } = await school.device({ viewport: { width: 390, height: 780 }, hasTouch: true });
  await page.goto("/auth/sign-in?return_to=/");
  await page.getByLabel("E-mail address").fill("rita@school.example");
  await page.getByLabel("Name").fill("Rita");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("Signed in as Rita")).toBeVisible();
  const ada = (await school.entered("Ada")).page;
  await ready(ada);

  await page.goto(`${desk(school)}?room=B12`);
  await expect(page.locator("[data-count=here]")).toHaveText("1 of 4");
  await expect(page.getByText("Eve", { exact: true })).toHaveCount(0);
  await check(page, "a phone, preparing");
  await shown(page, "Begin");
  await page.getByRole("button", { name: "Begin now for 1 student" }).tap();
  await check(page, "a phone, asked whether to begin");
  await page.getByRole("button", { name: "Yes, begin" }).tap();
  await at(ada, 1);
  await shown(page, "Watch");
  await expect(tile(page, "Ada")).toContainText("At work");
  await check(page, "a phone, watching");
  await tile(page, "Ada").getByRole("button").tap();
  await expect(drawer(page).getByRole("heading", { name: "Ada" })).toBeVisible();
  await expect(drawer(page).locator("[data-record]")).toBeVisible();
  await expect(drawer(page).locator("[data-explained]"), "only who manages the exam may ask").toHaveCount(0);
  await check(page, "a phone, one student");
  await drawer(page).getByRole("button", { name: "Close" }).tap();
  await shown(page, "Incidents");
  await expect(page.getByRole("link", { name: /Download the report/ })).toHaveCount(0);
  await check(page, "a phone, incidents");
  await shown(page, "Dismiss");
  await finish(ada);
  await expect(page.locator("[data-dismiss=all]")).toHaveText("The test is stored. The room may go.");
  await check(page, "a phone, all may go");

  await page.goto(`${desk(school)}?room=B13`);
  await expect(page.locator("[data-banner=forbidden]")).toBeVisible();
  await check(page, "a room of somebody else");
});

test("what a desk shows is in its address, from step to step and from room to room", async ({ browser, hall }) => {
  const rooms = [{ name: "B12", proctors: [] }, { name: "C3", proctors: [] }];
  const school = await School.open(browser, hall, [...ROOM, { name: "Eve", room: "C3", seat: "1" }], { ...PLAN, rooms });
  const { page } = school;
  const grid = page.getByRole("grid");
  await page.goto(desk(school));
  await page.locator("[data-unready=notEntered]").click();
  await expect(page).toHaveURL(/why=notEntered/);
  await page.reload();
  await expect(page.locator("[data-unready=notEntered]")).toHaveAttribute("aria-pressed", "true");

  await shown(page, "Attendance");
  await page.getByRole("button", { name: "Present: Eve" }).click();
  await said(page, "1 student marked present");
  await page.getByRole("button", { name: "Not marked", exact: true }).click();
  await expect(grid.getByRole("row")).toHaveCount(5);
  await page.getByPlaceholder("Find a name or a seat").fill("an");
  await expect(grid.getByRole("rowheader")).toHaveText(["Dan"]);
  await check(page, "attendance of those who fit");
  await page.reload();
  await expect(grid.getByRole("rowheader")).toHaveText(["Dan"]);
  await page.getByPlaceholder("Find a name or a seat").fill("");
  await page.getByRole("group", { name: "Show" }).getByRole("button", { name: "Present", exact: true }).click();
  await expect(grid.getByRole("rowheader")).toHaveText(["Eve"]);
  await page.getByRole("combobox", { name: "Room" }).selectOption("B12");
  await expect(page).toHaveURL(/room=B12/);
  await expect(page.locator(".desk")).toHaveAttribute("data-step", "attendance");
  await expect(page.getByRole("button", { name: "Present", exact: true }).first()).toHaveAttribute("aria-pressed", "true");

  await shown(page, "Incidents");
  for (const [kind, text] of [["Noise", "Building site"], ["Device", "A mouse is broken"]] as const) {
    await page.getByRole("button", { name: "Note an incident of the room…" }).click();
    await page.getByLabel(kind).check();
    await page.getByLabel("What happened").fill(text);
    await page.getByRole("button", { name: "Put on record" }).click();
    await expect(grid).toContainText(text);
  }
  await page.getByRole("combobox", { name: "Kind" }).selectOption("Noise");
  await expect(grid.getByRole("row")).toHaveCount(2);
  await expect(page).toHaveURL(/kind=noise/);
  await check(page, "incidents of one kind");
});

test("the desk of a grade, and of a template, has no roster and no steps that need one", async ({ browser, hall }) => {
  const school = await School.open(browser, hall, ROOM.slice(0, 1), PLAN);
  const { page } = school;
  const student = (await school.device()).page;
  await start(student);
  await page.goto("/staff/desk?grade=5");
  await expect(page.getByRole("heading", { name: "Desk: Grade 5" })).toBeVisible();
  await expect(page.locator("li.tile")).toHaveCount(1);
  await expect(page.locator("li.tile")).toContainText("0/10");
  await expect(page.getByRole("navigation", { name: "The steps of the day" }).getByRole("button")).toHaveCount(2);
  await page.locator("li.tile").getByRole("button").click();
  await expect(drawer(page).getByRole("button", { name: "Give 5 minutes" })).toBeVisible();
  await expect(drawer(page).getByRole("button", { name: "Note an incident…" })).toHaveCount(0);
  await check(page, "a grade");
  await page.goto(`/staff/desk?templateId=${school.sitting.templateId}`);
  await expect(page.getByRole("heading", { name: "Desk: Final paper" })).toBeVisible();
  await expect(page.getByText("Nobody is in this room yet.")).toBeVisible();
  await check(page, "a template, with nobody in it");
});

test("the projector shows the address, numbers and the end, and names only when asked", async ({ browser, hall }) => {
  test.setTimeout(120_000);
  const school = await School.open(browser, hall, ROOM.slice(0, 2), PLAN);
  const { page } = school;
  const ada = (await school.entered("Ada")).page;
  await ready(ada);
  await page.goto(`/sittings/${school.sitting.id}/screen`);
  const code = page.locator("b.code");
  await expect(code).toHaveText(school.sitting.code);
  const height = await code.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize) / innerHeight);
  expect(height, "as a part of the screen").toBeGreaterThan(0.25);
  await expect(page.getByText("1 student still to come")).toBeVisible();
  await expect(page.getByText("Bo")).toHaveCount(0);
  await page.getByRole("button", { name: "Show names" }).click();
  await expect(page.getByText("Bo")).toBeVisible();
  await page.getByRole("button", { name: "Hide names" }).click();
  await expect(page.getByText("Bo")).toHaveCount(0);
  await check(page, "before the beginning");
  await school.begin();
  await expect(page.locator("main")).toHaveAttribute("data-phase", "running");
  await expect(page.getByText("0 of 2 handed in")).toBeVisible();
  await check(page, "running");
  await at(ada, 1);
  await finish(ada);
  await expect(page.getByText("The test is stored")).toBeVisible();
  await check(page, "the end");
});

test("the desk is readable at 200 and 400 %, in forced colours and in Vietnamese", async ({ browser, hall }) => {
  const school = await School.open(browser, hall, ROOM, PLAN);
  const { page } = school;
  await page.goto(desk(school));
  await page.emulateMedia({ forcedColors: "active" });
  for (const width of [640, 320]) {
    await page.setViewportSize({ width, height: 700 });
    for (const name of ["Prepare", "Attendance", "Begin", "Watch", "Incidents", "Dismiss"]) {
      await shown(page, name);
      await fits(page, `${name} at ${width}`);
    }
  }
  await page.evaluate(() => localStorage.setItem("examhall-language", "vi"));
  await page.reload();
  await expect(page.getByRole("heading", { name: /^Bàn giám thị/ })).toBeVisible();
  await check(page, "Vietnamese");
});

const SEATS = 5_000;
const MOMENT = "2027-06-01T02:00:00.000Z";

/** A row of a hall that nobody sits in: the socket is a stub. */
function seat(index: number, answered: number): object {
  const isWorking = answered % 7 !== 6;
  return {
    sessionId: `s${index}`, student: `Student ${index}`, account: `student-${index}@school.example`, grade: 5, templateId: "5e0c39a5-31c1-4a60-a9a0-5d0c55a0a6f5", mode: "standard",
    state: isWorking ? "active" : "paused", connected: answered % 11 !== 0, stage: 1, answered: answered % 41, marked: answered % 3, total: 40, currentQuestionId: `g5-${answered % 40}`,
    startedAt: MOMENT, deadline: new Date(Date.now() + 3_600_000).toISOString(), away: answered % 13 === 0, awayCount: answered % 5, lastSeenAt: new Date().toISOString(), score: null,
    sittingId: "91aa", candidateId: `c${index}`, ready: true, room: `B${Math.floor(index / 25)}`, seat: String((index % 25) + 1), factor: 100,
    progress: "a".repeat(answered % 41).padEnd(40, "-"), at: answered % 40, trouble: [], refused: 0,
  };
}

test("five thousand rows that change sixty times a second hold up no frame", async ({ browser, hall }) => {
  test.setTimeout(150_000 + WINDOWS * 3 * WINDOW_MS);
  const school = await School.open(browser, hall, ROOM.slice(0, 1), PLAN);
  const { page } = school;
  const plain = await framesOfPlainPage(await page.context().newPage(), school);
  const stop = await feed(page, school);
  await page.goto(`${desk(school)}?step=watch`);
  await expect(page.locator("li.tile").first()).toBeVisible();
  await expect(page.locator("[data-attention] li").first()).toBeVisible();
  const client = await page.context().newCDPSession(page);
  const heap = async () => {
    await client.send("HeapProfiler.collectGarbage");
    return page.evaluate(() => (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize / 1e6);
  };
  // What is still being loaded is no frame of work.
  await page.waitForFunction(() => document.querySelectorAll("li.tile").length > 20);
  await measure(page, WINDOW_MS);
  // Whatever else the machine does may spoil one window, which the median leaves out. Everything that the page does from time to
  // time is done ten times in each.
  const windows: { measured: Measured; heap: number }[] = [];
  for (let turn = 0; turn < WINDOWS; turn += 1) windows.push({ measured: await measure(page, WINDOW_MS), heap: await heap() });
  stop();
  for (const { measured, heap } of windows) console.log(`${summary(measured)}, heap ${heap.toFixed(0)} MB`);
  const [first, last] = [windows[0]?.heap ?? NaN, windows.at(-1)?.heap ?? NaN];
  const slowest = medianOf(windows.map(({ measured }) => share(measured, 0.99)));
  console.log(`99th of 100 frames in the median window: ${slowest.toFixed(1)} ms, of a plain page ${plain.toFixed(1)} ms`);
  // A machine on which even a plain page misses frames would otherwise be what is measured.
  expect(slowest, "ms of the 99th of 100 frames, in the median window").toBeLessThan(Math.max(FRAME_MS, plain + FRAMES_MORE * (1_000 / 60) + 1));
  expect(last - first, "MB of heap more").toBeLessThan(10);
});

/**
 * Gives the desk of this page five thousand seats, of which each changes about once a second. Returns how to stop it. They come over
 * a socket, since messages that the driver of the browser hands to a page cost the page more than what it does with them.
 */
async function feed(page: Page, school: School): Promise<() => void> {
  const room = { sittingId: school.sitting.id };
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  await once(server, "listening");
  server.on("connection", (socket) => {
    let feeding: NodeJS.Timeout | undefined;
    const send = (frame: object) => socket.send(JSON.stringify({ room, serverTime: new Date().toISOString(), partial: false, ...frame }));
    socket.on("close", () => clearInterval(feeding));
    socket.on("message", (message) => {
      if (!String(message).includes('"watch"')) return;
      for (let from = 0; from < SEATS; from += 500) {
        const isLast = from + 500 === SEATS;
        send({ type: "roster", seq: isLast ? 1 : 0, sessions: Array.from({ length: 500 }, (_, index) => seat(from + index, from + index)), complete: isLast });
      }
      let turn = 0;
      clearInterval(feeding);
      feeding = setInterval(() => {
        turn += 1;
        send({ type: "changes", seq: 1 + turn, sessions: Array.from({ length: 84 }, (_, index) => seat((turn * 84 + index) % SEATS, turn + index)), removed: [] });
      }, 1_000 / 60);
    });
  });
  const client = await page.context().newCDPSession(page);
  await client.send("Page.enable");
  await client.send("Page.setBypassCSP", { enabled: true });
  await page.addInitScript((port) => {
    const Plain = WebSocket;
    globalThis.WebSocket = class extends Plain {
      constructor(url: string | URL, protocols?: string | string[]) {
        super(String(url).endsWith("/api/live/proctor") ? `ws://127.0.0.1:${port}` : url, protocols);
      }
    };
  }, (server.address() as AddressInfo).port);
  return () => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  };
}

/** The 99th of 100 frames, in the median window, of a page that reads the same messages and shows forty lines of them, in ms. */
async function framesOfPlainPage(page: Page, school: School): Promise<number> {
  const stop = await feed(page, school);
  await page.goto("/healthz");
  await page.evaluate(() => {
    const lines = Array.from({ length: 40 }, () => Object.assign(document.createElement("p"), { textContent: "-" }));
    const scroller = Object.assign(document.createElement("div"), { className: "scroller" });
    scroller.style.cssText = "height: 400px; overflow: auto";
    scroller.append(...lines);
    document.body.replaceChildren(scroller);
    const socket = new WebSocket(`${location.origin.replace("http", "ws")}/api/live/proctor`);
    socket.onopen = () => socket.send('{"type":"watch"}');
    socket.onmessage = ({ data }) => {
      for (const [index, { progress }] of JSON.parse(data).sessions.entries()) (lines[index % lines.length] as HTMLElement).textContent = progress;
    };
  });
  await measure(page, WINDOW_MS / 5);
  const windows: Measured[] = [];
  for (let turn = 0; turn < Math.max(3, WINDOWS / 10); turn += 1) windows.push(await measure(page, WINDOW_MS));
  stop();
  await page.close();
  for (const measured of windows) console.log(`plain page: ${summary(measured)}`);
  return medianOf(windows.map((measured) => share(measured, 0.99)));
}

const medianOf = (numbers: number[]) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? NaN;

interface Measured {
  /** Milliseconds from each frame to the next. */
  deltas: number[];
  /** Of each task of the page that took more than 50 ms. */
  long: number[];
}

const FRAME_MS = 50;
/** As many frames more than a plain page needs may one take. */
const FRAMES_MORE = 3;
const WINDOW_MS = 5_000;
/** `DESK_WINDOWS=120` makes ten minutes of it. */
const WINDOWS = Number(process.env["DESK_WINDOWS"] ?? 3);
const share = ({ deltas }: Measured, part: number) => deltas.toSorted((one, other) => one - other)[Math.min(deltas.length - 1, Math.floor(deltas.length * part))] as number;

function summary(measured: Measured): string {
  const { deltas, long } = measured;
  const over = deltas.filter((delta) => delta > FRAME_MS + 1).length;
  return `frames ${deltas.length}, median ${share(measured, 0.5).toFixed(1)} ms, 99th ${share(measured, 0.99).toFixed(1)} ms, longest ${share(measured, 1).toFixed(1)} ms, over ${FRAME_MS} ms ${over}, long tasks ${long.length}`;
}

function measure(page: Page, milliseconds: number): Promise<Measured> {
  return page.evaluate(
    (milliseconds) =>
      new Promise<Measured>((resolve) => {
        const [deltas, long]: [number[], number[]] = [[], []];
        const observer = new PerformanceObserver((list) => long.push(...list.getEntries().map(({ duration }) => duration)));
        observer.observe({ type: "longtask" });
        const first = performance.now();
        let last = first;
        const frame = (now: number) => {
          deltas.push(now - last);
          last = now;
          // Scrolling all the while, as somebody does who looks for a seat.
          document.querySelector(".scroller")?.scrollBy(0, 7);
          if (now - first < milliseconds) requestAnimationFrame(frame);
          else resolve({ deltas: deltas.slice(2), long });
        };
        requestAnimationFrame(frame);
      }),
    milliseconds,
  );
}

test("a picture of which a part is missing says so, until it is whole again", async ({ browser, hall }) => {
  const school = await School.open(browser, hall, ROOM.slice(0, 1), PLAN);
  const { page } = school;
  let say = (_: boolean) => {};
  await page.routeWebSocket(/\/api\/live\/proctor$/, (socket) => {
    const frame = (type: string, partial: boolean, sessions: object[]) => socket.send(JSON.stringify({ type, room: {}, seq: 1, serverTime: new Date().toISOString(), partial, sessions, removed: [], complete: true }));
    socket.onMessage((message) => String(message).includes('"watch"') && frame("roster", true, [seat(1, 1)]));
    say = (partial) => frame("changes", partial, []);
  });
  await page.goto(`${desk(school)}?step=watch`);
  await expect(page.locator("[data-banner=partial]")).toBeVisible();
  await check(page, "a part is missing");
  say(false);
  await expect(page.locator("[data-banner]")).toHaveCount(0);
});

test("nothing in the list of attention moves while it is pointed at", async ({ browser, hall }) => {
  const school = await School.open(browser, hall, ROOM.slice(0, 1), PLAN);
  const { page } = school;
  const room = { sittingId: school.sitting.id };
  let say = (_: object[]) => {};
  await page.routeWebSocket(/\/api\/live\/proctor$/, (socket) => {
    let seq = 1;
    const frame = (type: string, sessions: object[]) => socket.send(JSON.stringify({ type, room, seq: (seq += 1), serverTime: new Date().toISOString(), partial: false, sessions, removed: [], complete: true }));
    socket.onMessage((message) => String(message).includes('"watch"') && frame("roster", [1, 2, 3].map((number) => ({ ...seat(number, 1), away: number === 3, trouble: [], connected: true }))));
    say = (sessions) => frame("changes", sessions);
  });
  await page.goto(`${desk(school)}?step=watch`);
  const list = page.locator("[data-attention] li");
  await expect(list).toHaveText([/Student 3/]);
  await list.first().hover();
  say([{ ...seat(1, 1), away: false, connected: true, refused: 3 }, { ...seat(2, 1), away: true, connected: true }]);
  await expect(list, "the more urgent one comes last").toHaveText([/Student 3/, /Student 1.*Answers could not be stored/s, /Student 2/]);
  say([{ ...seat(3, 1), away: false, connected: true }]);
  await expect(list.first()).toContainText("all right again");
  await page.getByRole("heading", { level: 1 }).hover();
  await expect(list).toHaveText([/Student 1/, /Student 2/]);
  await expect(page.locator("[data-attention] h2")).toContainText("2");
});

test("a second tap takes nothing back, wherever an order is given", async ({ browser, hall }) => {
  test.setTimeout(120_000);
  const school = await School.open(browser, hall, ROOM, PLAN);
  const { page: head } = school;
  for (const name of ["Ada", "Bo"]) await ready((await school.entered(name)).page);
  const state = await head.context().storageState();
  /** Taps there, waits until that has been carried out, and taps there once more. */
  async function twice(page: Page, name: string, isDone: () => Promise<void>): Promise<void> {
    const button = page.locator("main").getByRole("button", { name, exact: true });
    await button.scrollIntoViewIfNeeded();
    await button.click({ trial: true });
    const { x, y, width, height } = (await button.boundingBox())!;
    await page.touchscreen.tap(x + width / 2, y + height / 2);
    await isDone();
    await page.touchscreen.tap(x + width / 2, y + height / 2);
  }
  const kinds = async (name: string) => {
    const { sessions } = await call(head, "GET", `/api/live/sessions?sittingId=${school.sitting.id}`);
    const { sessionId } = sessions.find(({ student }: { student: string }) => student === name);
    const { events } = await call(head, "GET", `/api/live/sessions/${sessionId}/events`);
    const count = (of: string) => events.filter(({ kind }: { kind: string }) => kind === of).length;
    return [count("pause"), count("unpause"), count("extend")];
  };

  let rounds = 0;
  for (const width of [390, 820, 1366]) {
    const { page, context } = await school.device({ viewport: { width, height: 800 }, hasTouch: true, storageState: state });
    await page.goto(`${desk(school)}?room=B12&step=attendance`);
    const row = (name: string) => page.getByRole("row").filter({ hasText: name });
    for (const name of ["Cy", "Dan"]) await page.getByRole("checkbox", { name: `Select ${name}`, exact: true }).check();
    const chosen = page.getByRole("toolbar");
    await twice(page, "Mark 2 students present", () => expect(row("Dan").getByRole("button", { name: "Present: Dan" })).toHaveAttribute("aria-pressed", "true"));
    await expect(chosen.getByRole("button", { name: "Mark 2 students absent" })).toBeEnabled();
    for (const name of ["Cy", "Dan"]) await expect(row(name).getByRole("button", { name: `Present: ${name}` })).toHaveAttribute("aria-pressed", "true");
    await chosen.getByRole("button", { name: "Mark 2 students absent" }).tap();
    await expect(row("Dan").getByRole("button", { name: "Absent: Dan" })).toHaveAttribute("aria-pressed", "true");

    if (width === 390) await school.begin();
    await shown(page, "Watch");
    await expect(tile(page, "Ada")).toContainText("At work");
    for (const name of ["Ada", "Bo"]) await tile(page, name).getByRole("checkbox").check();
    await twice(page, "Pause 2 students", () => expect(tile(page, "Bo")).toContainText("Paused"));
    await twice(page, "Let 2 students go on", () => expect(tile(page, "Bo")).toContainText("At work"));
    await page.getByRole("button", { name: "Select none" }).tap();
    await tile(page, "Ada").getByRole("button").tap();
    await twice(page, "Pause", () => expect(page.locator(".drawer").getByText("Paused", { exact: true }).first()).toBeVisible());
    await twice(page, "Go on", () => expect(page.locator(".drawer").getByText("At work", { exact: true })).toBeVisible());
    // An order that is on the record says that those before it are too.
    await drawer(page).getByRole("button", { name: "Give 5 minutes" }).tap();
    await said(page, "1 student got 5 minutes");
    rounds += 1;
    await expect.poll(() => kinds("Ada")).toEqual([2 * rounds, 2 * rounds, rounds]);
    expect(await kinds("Bo")).toEqual([rounds, rounds, 0]);
    await context.close();
  }
});
