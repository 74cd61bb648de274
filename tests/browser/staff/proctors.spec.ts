// What proctors look for at the desk: the step that is on, the orders for everyone, a seat, a code for one student, and what the
// others have noted.

import type { Page } from "@playwright/test";
import { check } from "../accessible";
import { lost } from "../answers";
import { expect, test } from "../hall";
import { enter, ready, School, type Candidate } from "../sitting";
import { at, call } from "../student";

const ROOM: Candidate[] = [
  { name: "Ada", room: "B12", seat: "1" },
  { name: "Bo", room: "B12", seat: "2", factor: 125 },
];
const PLAN = { start: "proctor", rooms: [{ name: "B12", proctors: ["rita@school.example"] }] };

const desk = (school: School) => `/staff/sittings/${school.sitting.id}/desk`;
const opensAt = (page: Page, step: string) => expect(page.locator(".desk")).toHaveAttribute("data-step", step);

test("a desk opens at the step that is on", async ({ browser, hall }) => {
  test.setTimeout(90_000);
  const school = await School.open(browser, hall, ROOM, PLAN);
  const { page } = school;
  const ada = (await school.entered("Ada")).page;
  await ready(ada);
  await page.goto(desk(school));
  await opensAt(page, "prepare");
  await school.begin();
  await at(ada, 1);
  await page.goto(desk(school));
  await opensAt(page, "watch");
  await expect(page.locator("li.tile")).toHaveCount(2);
});

test("the orders for everyone stick to the foot of the window, and nothing is behind them for good", async ({ browser, hall }) => {
  test.setTimeout(90_000);
  const names = Array.from({ length: 40 }, (_, index) => ({ name: `Student ${index + 1}`, room: "B12", seat: String(index + 1) }));
  const school = await School.open(browser, hall, names, PLAN);
  const { page } = school;
  await ready((await school.entered("Student 1")).page);
  await school.begin();
  for (const [width, height] of [[390, 780], [820, 1180], [1366, 768]] as const) {
    await page.setViewportSize({ width, height });
    await page.goto(`${desk(school)}?step=watch`);
    const orders = page.getByRole("group", { name: "Everyone in the room" });
    await expect(page.locator("li.tile").first()).toBeVisible();
    const foot = async () => {
      const { y, height: high } = (await orders.boundingBox())!;
      return { bottom: y + high, high };
    };
    expect((await foot()).bottom, `${width} px, at the top of the page`).toBeLessThanOrEqual(height + 1);
    expect((await foot()).high, `${width} px: the room is what there is to see`).toBeLessThan(height / 4);
    await check(page, `${width} px, with orders at the foot`);
    await orders.getByRole("button", { name: "Pause everyone…" }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await page.keyboard.press("Escape");
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const last = page.locator("main details").last();
    if (await last.isVisible()) expect((await last.boundingBox())!.y, `${width} px, at its end`).toBeGreaterThanOrEqual((await foot()).bottom - 1);
  }
});

test("long names keep their last word, and students stand below the name of their hall", async ({ browser, hall }) => {
  const rooms = [{ name: "B12", proctors: [] }, { name: "C3", proctors: [] }];
  const long = "Nguyễn Phúc Bảo Trân Thị Minh";
  const candidates = [
    { name: `${long} Khai`, room: "B12", seat: "1" },
    { name: `${long} Khoa`, room: "B12", seat: "2" },
    { name: "Eve", room: "C3", seat: "1" },
  ];
  const school = await School.open(browser, hall, candidates, { ...PLAN, rooms });
  const { page } = school;
  for (const width of [390, 820, 1366]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${desk(school)}?step=watch`);
    await expect(page.locator("[data-hall]")).toHaveText(["B12 2 students", "C3 1 student"]);
    const [first, heading, eve] = await Promise.all([page.locator("li.tile").first(), page.locator("[data-hall=C3]"), page.locator("li.tile", { hasText: "Eve" })].map((one) => one.boundingBox()));
    expect(first!.y, `${width} px`).toBeLessThan(heading!.y);
    expect(heading!.y, `${width} px`).toBeLessThan(eve!.y);
    for (const last of ["Khai", "Khoa"]) {
      const end = page.locator("li.tile .cut .end", { hasText: last });
      const isWhole = await end.evaluate((element) => element.scrollWidth <= element.clientWidth && element.getBoundingClientRect().right <= element.closest("li")!.getBoundingClientRect().right);
      expect(isWhole, `${last} at ${width} px`).toBe(true);
    }
    await expect(page.getByRole("button", { name: new RegExp(`B12 · .*${long} Khai`) }).first()).toBeVisible();
    await check(page, `${width} px, by hall`);
  }
  await page.locator("li.tile").first().getByRole("button").focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.locator("li.tile", { hasText: "Eve" }).getByRole("button")).toBeFocused();
  await page.goto(`/sittings/${school.sitting.id}/screen`);
  await page.getByRole("button", { name: "Show names" }).click();
  await expect(page.getByRole("heading", { level: 2 })).toHaveText(["B12", "C3"]);
  await check(page, "names on the projector");
});

test("a number finds the seat first", async ({ browser, hall }) => {
  const candidates = ["2", "12", "112", "120"].map((seat) => ({ name: `At ${seat}`, room: "B12", seat }));
  const school = await School.open(browser, hall, candidates, PLAN);
  const { page } = school;
  await page.goto(`${desk(school)}?step=watch`);
  await page.getByPlaceholder("Find a name or a seat").fill("12");
  await expect(page.locator("li.tile .cut")).toHaveText(["At 12", "At 112", "At 120"]);
  await page.goto(`${desk(school)}?step=attendance`);
  await page.getByPlaceholder("Find a name or a seat").fill("12");
  await expect(page.getByRole("grid").getByRole("rowheader")).toHaveText(["At 12", "At 112", "At 120"]);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("12");
  await expect(page.getByRole("option").filter({ hasText: "At " }).first()).toContainText("At 12");
});

test("extra time and extra minutes have chips, before the beginning too", async ({ browser, hall }) => {
  const school = await School.open(browser, hall, [...ROOM, { name: "Cy", room: "B12", seat: "3", extraMinutes: 10 }], PLAN);
  const { page } = school;
  const tile = (name: string) => page.locator("li.tile", { hasText: name });
  for (const width of [390, 820, 1366]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${desk(school)}?step=watch`);
    await expect(tile("Bo").locator(".more")).toHaveText(["+25 %"]);
    await expect(tile("Cy").locator(".more")).toHaveText(["+10 min"]);
    await expect(tile("Ada").locator(".more")).toHaveCount(0);
    await check(page, `${width} px, chips`);
  }
  await call(page, "PATCH", `${school.path}/candidates/${(await candidate(school, "Cy")).id}`, { extraMinutes: 15 });
  await expect(tile("Cy").locator(".more")).toHaveText(["+15 min"]);
  await tile("Cy").getByRole("button").click();
  await expect(page.locator(".drawer .state")).toContainText("+15 min");
});

async function candidate(school: School, name: string): Promise<any> {
  const { candidates } = await call(school.page, "GET", `${school.path}/candidates`);
  return candidates.find((one: { name: string }) => one.name === name);
}

test("a change of the plan is said in words on the record", async ({ browser, hall }) => {
  const school = await School.open(browser, hall, ROOM, PLAN);
  const { page } = school;
  await school.change({ perRoom: true });
  await page.goto(`${desk(school)}?step=watch`);
  await page.locator("li.tile", { hasText: "Ada" }).getByRole("button").click();
  await expect(page.locator("[data-record]")).toContainText("Plan changed Each room begins for itself now");
  await check(page, "the record");
  await page.evaluate(() => localStorage.setItem("examhall-language", "vi"));
  await page.reload();
  await page.locator("li.tile", { hasText: "Ada" }).getByRole("button").click();
  await expect(page.locator("[data-record]")).toContainText("Nay từng phòng bắt đầu riêng");
});

test("a code for another device works where the student looks first: at the address on the board", async ({ browser, hall }) => {
  test.setTimeout(120_000);
  const school = await School.open(browser, hall, ROOM, PLAN);
  const { page } = school;
  const ada = (await school.entered("Ada")).page;
  await ready(ada);
  await school.begin();
  await at(ada, 1);
  const codeFor = async () => {
    await page.goto(`${desk(school)}?step=watch`);
    await page.locator("li.tile", { hasText: "Ada" }).getByRole("button").click();
    await page.locator(".drawer").getByRole("button", { name: "Another device…" }).click();
    await expect(page.getByRole("dialog")).toContainText(school.address);
    return (await page.locator("[data-code]").textContent()) ?? "";
  };
  const fromBoard = (await school.device({ viewport: { width: 390, height: 780 } })).page;
  await fromBoard.goto(school.address);
  await check(fromBoard, "the page of the exam");
  await fromBoard.getByLabel("Access code").fill((await codeFor()).toLowerCase());
  await fromBoard.keyboard.press("Enter");
  await at(fromBoard, 1);
  await expect(ada.getByRole("heading", { name: "This test is open somewhere else" })).toBeVisible();

  const fromStart = (await school.device()).page;
  await fromStart.goto("/");
  const [code, card] = await Promise.all([fromStart.getByText("I have a code"), fromStart.getByRole("heading", { level: 1 })].map((one) => one.boundingBox()));
  expect(code!.y, "before what would begin another test").toBeLessThan(card!.y);
  await fromStart.getByText("I have a code").click();
  await fromStart.getByLabel("Code from your teacher").fill(school.sitting.code.toLowerCase());
  await check(fromStart, "the first page");
  await fromStart.keyboard.press("Enter");
  await expect(fromStart.getByRole("heading", { name: "Enter your exam" })).toBeVisible();
  await fromStart.goto("/");
  await fromStart.getByText("I have a code").click();
  await fromStart.getByLabel("Code from your teacher").fill(await codeFor());
  await fromStart.keyboard.press("Enter");
  await at(fromStart, 1);
});

test("one candidate gets a code or a slip by two clicks, and so does somebody who is not on the list", async ({ browser, hall }) => {
  test.setTimeout(120_000);
  const school = await School.open(browser, hall, ROOM, PLAN);
  const { page } = school;
  const dialog = page.getByRole("dialog");
  const shownCode = async () => {
    await expect(page.locator("[data-access-code]")).toHaveText(/^[2-9A-Y]{5}-[2-9A-Y]{5}$/);
    return (await page.locator("[data-access-code]").textContent()) ?? "";
  };
  for (const width of [390, 820, 1366]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${desk(school)}?step=attendance`);
    await page.getByRole("button", { name: "Access code…: Ada" }).click();
    await check(page, `${width} px, asked for a code`);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Somebody else has come…" }).click();
    await check(page, `${width} px, somebody else`);
    await page.keyboard.press("Escape");
  }
  await page.getByRole("button", { name: "Access code…: Ada" }).click();
  await dialog.getByRole("button", { name: "Show a new code" }).click();
  const code = await shownCode();
  const shown = page.locator("[data-access-code]");
  await expect(shown, "is read out").toBeFocused();
  await expect(shown).toHaveAttribute("translate", "no");
  await expect(dialog).toContainText(school.address);
  await check(page, "a new access code");
  await dialog.getByRole("button", { name: "New slip (PDF)" }).click();
  await expect(dialog.getByRole("alert"), "nothing is void yet").toContainText("which is shown above, will be void");
  const [slip] = await Promise.all([page.waitForEvent("download"), dialog.getByRole("button", { name: "Yes, print another code" }).click()]);
  expect(slip.suggestedFilename()).toMatch(/^Final-exam-in-mathematics-\d{4}-\d{2}-\d{2}-Ada-slip\.pdf$/);
  await expect(page.locator("[data-access-code]")).toHaveCount(0);
  await dialog.getByRole("button", { name: "Show a new code" }).click();
  const last = await shownCode();
  expect(last).not.toBe(code);
  await dialog.getByRole("button", { name: "Close" }).first().click();
  for (const void_ of [school.code("Ada"), code]) {
    const late = (await school.device()).page;
    await enter(late, school.address, void_);
    await expect(late.getByRole("alert")).toContainText("does not fit this exam");
  }
  const ada = (await school.device()).page;
  await enter(ada, school.address, last);
  await expect(ada.getByRole("definition").getByText("Ada", { exact: true })).toBeVisible();

  await page.getByRole("button", { name: "Somebody else has come…" }).click();
  await dialog.getByLabel("Name").fill("Eve");
  await dialog.getByLabel("Room").selectOption("B12");
  await dialog.getByLabel("Seat").fill("31");
  await dialog.getByRole("button", { name: "Add, and show a code" }).click();
  const walkIn = (await school.device()).page;
  await enter(walkIn, school.address, await shownCode());
  await expect(walkIn.getByRole("definition").getByText("Eve", { exact: true })).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).first().click();
  await expect(page.getByRole("row").filter({ hasText: "Eve" })).toContainText("has entered");

  const { page: rita } = await school.device();
  await signInAs(rita, "Rita");
  await rita.goto(`${desk(school)}?room=B12&step=watch`);
  await rita.locator("li.tile", { hasText: "Bo" }).getByRole("button").click();
  await rita.locator(".drawer").getByRole("button", { name: "Access code…" }).click();
  await expect(rita.getByRole("dialog").getByRole("button", { name: "New slip (PDF)" }), "only who manages the exam prints").toHaveCount(0);
  await rita.getByRole("dialog").getByRole("button", { name: "Show a new code" }).click();
  const bo = (await school.device()).page;
  await enter(bo, school.address, (await rita.locator("[data-access-code]").textContent()) ?? "");
  await expect(bo.getByRole("definition").getByText("Bo", { exact: true })).toBeVisible();
  await rita.getByRole("dialog").getByRole("button", { name: "Close" }).first().click();
  await expect(rita.locator("[data-record]")).toContainText("New access code rita@school.example");
  await rita.goto(`${desk(school)}?room=B12&step=attendance`);
  await expect(rita.getByRole("button", { name: "Somebody else has come…" })).toHaveCount(0);
});

test("who is added twice, since the answer was lost, is on the list once", async ({ browser, hall }) => {
  test.setTimeout(90_000);
  const school = await School.open(browser, hall, ROOM, PLAN);
  const { page } = school;
  const dialog = page.getByRole("dialog");
  await page.goto(`${desk(school)}?step=attendance`);
  await page.getByRole("button", { name: "Somebody else has come…" }).click();
  await dialog.getByLabel("Name").fill("Eve");
  await dialog.getByLabel("Room").selectOption("B12");
  const way = await lost(page, "**/candidates");
  const add = dialog.getByRole("button", { name: "Add, and show a code" });
  await add.click();
  await expect(dialog.getByRole("alert")).toContainText("can’t be reached");
  way.stop();
  await add.click();
  await expect(dialog.getByText("Eve is on the list already.")).toBeVisible();
  await check(page, "somebody who is on the list already");
  await dialog.getByRole("button", { name: "Show a new code" }).click();
  const eve = (await school.device()).page;
  await enter(eve, school.address, (await page.locator("[data-access-code]").textContent()) ?? "");
  await expect(eve.getByRole("definition").getByText("Eve", { exact: true })).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).first().click();
  await expect(page.getByRole("row").filter({ hasText: "Eve" })).toHaveCount(1);
});

test("a desk has its dialogs when the network goes away, and says so of one that it could not load", async ({ browser, hall }) => {
  test.setTimeout(90_000);
  const school = await School.open(browser, hall, ROOM, PLAN);
  const { page } = school;
  const dialog = page.getByRole("dialog");
  const ask = () => page.getByRole("button", { name: "Access code…: Ada" }).click();
  const PART = /\/assets\/staff-AccessCode-[^/]+\.js$/;
  const loaded = page.waitForResponse(PART);
  await page.goto(`${desk(school)}?step=attendance`);
  await (await loaded).finished();
  await page.waitForFunction(() => performance.getEntriesByType("resource").some(({ name }) => name.includes("/assets/staff-LateWork-")));
  await expect(page.getByRole("button", { name: "Access code…: Ada" })).toBeVisible();
  await page.context().setOffline(true);
  await ask();
  await expect(dialog.getByRole("button", { name: "Show a new code" })).toBeVisible();
  await page.context().setOffline(false);

  await page.route(PART, (route) => route.abort());
  await page.reload();
  await ask();
  const again = dialog.getByRole("alert").getByRole("button", { name: "Try again" });
  await expect(dialog.getByRole("alert")).toContainText("The exam server can’t be reached.");
  await check(page, "a dialog that could not be loaded");
  await page.context().setOffline(true);
  await again.click();
  await expect(again, "without a server the desk is not loaded anew").toBeVisible();
  await page.context().setOffline(false);
  await page.unroute(PART);
  await Promise.all([page.waitForEvent("load"), again.click()]);
  await ask();
  await expect(dialog.getByRole("button", { name: "Show a new code" })).toBeVisible();
});

test("at the desk of all rooms an incident is said to be of the whole exam", async ({ browser, hall }) => {
  test.setTimeout(60_000);
  const school = await School.open(browser, hall, ROOM, PLAN);
  const { page } = school;
  await page.goto(`${desk(school)}?step=incidents`);
  await page.getByRole("button", { name: "Note an incident of the room…" }).click();
  await expect(page.getByRole("dialog", { name: "Incident: The whole exam" })).toContainText("all proctors read it");
  await check(page, "an incident of the whole exam");
  await page.goto(`${desk(school)}?room=B12&step=incidents`);
  await page.getByRole("button", { name: "Note an incident of the room…" }).click();
  await expect(page.getByRole("dialog", { name: "Incident: the whole room" })).not.toContainText("all proctors read it");
});

async function signInAs(page: Page, name: string): Promise<void> {
  await page.goto("/auth/sign-in?return_to=/");
  await page.getByLabel("E-mail address").fill(`${name.toLowerCase()}@school.example`);
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText(`Signed in as ${name}`)).toBeVisible();
}

test("what one proctor notes the others of the room see, and the projector does not", async ({ browser, hall }) => {
  test.setTimeout(120_000);
  const rooms = [{ name: "B12", proctors: ["rita@school.example", "an@school.example"] }];
  const school = await School.open(browser, hall, ROOM, { ...PLAN, rooms });
  const { page: head } = school;
  const [{ page: rita }, { page: an }] = await Promise.all([school.device(), school.device()]);
  await signInAs(rita, "Rita");
  await signInAs(an, "An");
  const { page: screen } = await school.device({ storageState: await head.context().storageState() });
  await screen.goto(`/sittings/${school.sitting.id}/screen`);
  await an.goto(`${desk(school)}?room=B12&step=incidents`);
  await expect(an.getByText("Nothing was noted.")).toBeVisible();
  await rita.goto(`${desk(school)}?room=B12&step=incidents`);
  await rita.getByRole("button", { name: "Note an incident of the room…" }).click();
  await rita.getByLabel("Noise").check();
  await rita.getByLabel("What happened").fill("The fire bell rang for a minute.");
  await rita.getByRole("button", { name: "Put on record" }).click();
  await expect(rita.getByRole("grid", { name: "Incidents" }).getByRole("row")).toHaveCount(2);
  const seen = an.getByRole("grid", { name: "Incidents" });
  await expect(seen).toContainText("The fire bell rang for a minute.", { timeout: 20_000 });
  await expect(seen).toContainText("rita@school.example");
  await expect(an.getByRole("status").filter({ hasText: "Noted by rita@school.example: Noise, B12: The fire bell rang for a minute." })).toBeVisible();
  for (const width of [390, 820, 1366]) {
    await an.setViewportSize({ width, height: 900 });
    await check(an, `${width} px, an incident of somebody else`);
  }
  await an.reload();
  await expect(seen).toContainText("The fire bell rang for a minute.");
  await expect(screen.getByText("fire bell")).toHaveCount(0);
});

test("a school has kinds of incidents of its own", async ({ browser, hall }) => {
  test.setTimeout(90_000);
  const school = await School.open(browser, hall, ROOM, PLAN);
  const { page } = school;
  await page.goto("/staff/school");
  const form = page.getByRole("form", { name: "Settings" });
  await form.getByLabel("Kinds of incidents of your own").fill("Sổ đầu bài\nSổ đầu bài");
  await expect(form.getByText("One of these stands here twice.")).toBeVisible();
  await form.getByLabel("Kinds of incidents of your own").fill("Sổ đầu bài\nCalculator borrowed\n");
  for (const width of [390, 820, 1366]) {
    await page.setViewportSize({ width, height: 900 });
    await check(page, `${width} px, kinds of incidents`);
  }
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("The settings of the school are saved.")).toBeVisible();
  await page.reload();
  await expect(form.getByLabel("Kinds of incidents of your own")).toHaveValue("Sổ đầu bài\nCalculator borrowed");

  const { page: rita } = await school.device({ viewport: { width: 390, height: 780 } });
  await signInAs(rita, "Rita");
  await rita.goto(`${desk(school)}?room=B12&step=incidents`);
  await expect(rita.getByText("Nothing was noted.")).toBeVisible();
  await rita.getByRole("button", { name: "Note an incident of the room…" }).click();
  await expect(rita.getByRole("dialog").getByRole("radio").first()).toHaveAttribute("value", "Sổ đầu bài");
  await rita.getByLabel("Calculator borrowed").check();
  await rita.getByLabel("What happened").fill("Given back at the end.");
  await check(rita, "own kinds");
  await rita.getByRole("button", { name: "Put on record" }).click();
  await expect(rita.getByRole("grid", { name: "Incidents" })).toContainText("Calculator borrowed");
});
