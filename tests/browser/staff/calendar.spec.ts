// The pages of the calendar: events as a month, a week and a list, one event with the exam that it announces, and what events have.

import type { Page } from "@playwright/test";
import { check } from "../accessible";
import { takePicture, takesPictures, WITH_PICTURES } from "../documentation";
import { expect, test } from "../hall";
import { call, signInAsAdmin, template } from "../student";
import { hired } from "./people";

test.use({ timezoneId: "Asia/Ho_Chi_Minh" });

const API = "/wp-json/tribe/events/v1";
const ZONE = { timezoneId: "Asia/Ho_Chi_Minh" };
const notices = (page: Page) => page.getByRole("region", { name: "Messages" });
const main = (page: Page) => page.getByRole("main");
const day = (page: Page, date: string) => page.locator(`button[data-day="${date}"]`);
const events = async (page: Page, query = "") => (await call(page, "GET", `${API}/events?start_date=2020-01-01&end_date=2100-01-01${query}`)).events;

/** An event of a morning in June 2027. */
async function announced(page: Page, title: string, date: string, fields: object = {}): Promise<number> {
  const times = { start_date: `${date} 09:00`, end_date: `${date} 10:30`, timezone: "Asia/Ho_Chi_Minh" };
  return (await call(page, "POST", `${API}/events`, { title, ...times, ...fields }, 201)).id;
}

/** A school with some events, and the page of its head. */
async function school(page: Page): Promise<void> {
  await signInAsAdmin(page);
  const hall = { venue: { venue: "Great Hall", city: "Ghent" } };
  await announced(page, "Maths final", "2027-06-17", { categories: ["Exams"], tags: ["maths"], exam: { grade: 5 }, ...hall });
  await announced(page, "Physics final", "2027-06-18", { categories: ["Exams"] });
  await announced(page, "Sports day", "2027-06-18", { all_day: true, end_date: "2027-06-19", organizer: [{ organizer: "Rita" }] });
  await announced(page, "Staff meeting", "2027-06-21", { status: "draft" });
}

async function opened(page: Page, address = "/staff/calendar?day=2027-06-17"): Promise<void> {
  await page.goto(address);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
}

/** The narrowest and the widest of what is promised. */
async function everywhere(page: Page, state: string): Promise<void> {
  await check(page, state);
  await page.setViewportSize({ width: 820, height: 1_100 });
  await check(page, `${state}, on a tablet`);
  // As at 400 % on a screen of 1280 px.
  await page.setViewportSize({ width: 320, height: 640 });
  await check(page, `${state}, at four times its size`);
  await page.emulateMedia({ forcedColors: "active" });
  await check(page, `${state}, in forced colours`);
  await page.emulateMedia({ forcedColors: null });
  await page.setViewportSize({ width: 1_280, height: 800 });
}

test("an event is made by mouse, with all that it brings along, changed, and taken back", async ({ page }) => {
  test.setTimeout(150_000);
  await signInAsAdmin(page);
  await template(page, "Final paper");
  await opened(page);
  await expect(page.getByText("Nothing on this day.")).toBeVisible();
  await check(page, "an empty month");
  await page.getByRole("link", { name: "New event on this day" }).click();

  await expect(page.getByRole("heading", { name: "New event" })).toBeVisible();
  await expect(page.getByLabel("Start, day")).toHaveValue("2027-06-17");
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.getByText("Give the event a title.")).toBeVisible();
  await expect(page.getByLabel("Title")).toBeFocused();
  await page.getByLabel("Title").fill("Maths & more");
  await page.getByLabel("Start, time").fill("13:00");
  await expect(page.getByLabel("End, time")).toHaveValue("14:00");
  await page.getByLabel("Description").fill("Bring a ruler.\n\nAnd a <b>pencil</b>.");
  await page.getByLabel("This event announces").selectOption("A test of a template");
  await page.getByRole("combobox", { name: /^Template/ }).selectOption({ label: "Final paper, grade 5, 20 min" });
  await page.getByLabel("Opens so many minutes").fill("15");
  await expect(page.getByText("The end of the event closes nothing")).toBeVisible();
  // A test that takes longer than its event is named, and mended by a button.
  await page.getByLabel("End, time").fill("13:10");
  await page.getByLabel("End, time").press("Tab");
  await expect(page.getByText("The test takes 20 minutes, and the event 10.")).toBeVisible();
  await page.getByRole("button", { name: "Make the event as long" }).click();
  await expect(page.getByLabel("End, time")).toHaveValue("13:20");
  await expect(page.getByText("The test takes 20 minutes")).toHaveCount(0);
  await page.getByLabel("End, time").fill("14:00");
  await page.getByLabel("Venue").selectOption("A new one…");
  const venue = page.getByRole("group", { name: "New venue" });
  await venue.getByLabel("Name").fill("Great Hall");
  await venue.getByLabel("City").fill("Ghent");
  await page.getByLabel("Organizers").selectOption("A new one…");
  await page.getByRole("group", { name: "New organizer" }).getByLabel("Name").fill("Rita");
  await page.getByRole("combobox", { name: "Categories" }).fill("Exams, Grade 5,");
  await page.getByLabel("Tags").fill("2027");
  await page.getByLabel("Tags").press("Enter");
  await expect(page.getByText("A name of digits alone does not work here.")).toBeVisible();
  await page.getByLabel("Tags").fill("maths");
  await page.getByLabel("Tags").press("Enter");
  await check(page, "a new event");
  await page.getByRole("button", { name: "Create" }).click();

  await expect(page.getByRole("heading", { name: "Maths & more" })).toBeVisible();
  await expect(notices(page).getByText("Saved, but students can begin")).toHaveCount(0);
  const [made] = await events(page);
  expect([made.start_date, made.end_date, made.status]).toEqual(["2027-06-17 13:00:00", "2027-06-17 14:00:00", "publish"]);
  // Browsers know the zone by either of its names.
  expect(made.timezone).toMatch(/^Asia\/(Ho_Chi_Minh|Saigon)$/);
  expect(made.exam).toMatchObject({ opensMinutesBefore: 15 });
  expect([made.venue.venue, made.venue.city, made.organizer[0].organizer]).toEqual(["Great Hall", "Ghent", "Rita"]);
  expect([made.categories.map(({ name }: { name: string }) => name), made.tags[0].name]).toEqual([["Exams", "Grade 5"], "maths"]);
  expect(made.description).toContain("<p>And a <b>pencil</b>.</p>");
  await expect(page.getByLabel("Description")).toHaveValue("Bring a ruler.\n\nAnd a <b>pencil</b>.");
  await everywhere(page, "an event");
  await page.getByRole("button", { name: "Share" }).click();
  const share = page.getByRole("dialog", { name: "The link of the event’s page" });
  await expect(share.getByRole("textbox", { name: "Link" })).toHaveValue(/\/event\/maths-more\/$/);
  await expect(share.getByRole("img", { name: "QR code of the link" })).toBeVisible();
  await page.keyboard.press("Escape");

  await page.getByLabel("Title").fill("Maths final");
  await expect(page.getByText("Not saved yet.")).toBeVisible();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { name: "Maths final" })).toBeVisible();
  await notices(page).getByRole("button", { name: "Undo" }).last().click();
  await expect(page.getByRole("heading", { name: "Maths & more" })).toBeVisible();

  await page.getByRole("button", { name: "Move to the trash" }).click();
  await expect(page).toHaveURL("/staff/calendar?day=2027-06-17");
  await expect(page.getByText("Nothing on this day.")).toBeVisible();
  await notices(page).getByRole("button", { name: "Undo" }).last().click();
  await expect(page.getByRole("heading", { name: "Maths & more" })).toBeVisible();
  expect((await events(page)).map(({ status }: { status: string }) => status)).toEqual(["publish"]);
});

test("month, week and list show the same events, and their filters are in the address", async ({ page }) => {
  test.setTimeout(150_000);
  await school(page);
  await opened(page);
  const month = page.getByRole("table", { name: "June 2027" });
  await expect(month.getByRole("link", { name: "Maths final" })).toContainText("09:00");
  await expect(month.getByRole("link", { name: "Sports day" })).toHaveCount(2);
  await expect(day(page, "2027-06-18")).toHaveAccessibleName(/^Friday,? 18 June, 2 events$/);
  await expect(main(page).getByRole("listitem").filter({ hasText: "Great Hall · Exams" })).toContainText("Exam");
  await everywhere(page, "a month");
  await day(page, "2027-06-21").click();
  await expect(page).toHaveURL(/day=2027-06-21/);
  await expect(page.getByRole("region", { name: /^Monday,? 21 June 2027$/ }).getByText("Draft")).toBeVisible();
  await page.getByRole("button", { name: "Next month" }).click();
  await expect(page.getByRole("table", { name: "July 2027" })).toBeVisible();

  await opened(page);
  await page.getByRole("button", { name: "Week", exact: true }).click();
  await expect(page.getByRole("region", { name: /^Fri,? 18 Jun, 2 events$/ }).getByRole("link")).toHaveText(["Sports day", "Physics final"]);
  await everywhere(page, "a week");
  await page.getByRole("button", { name: "Next week" }).click();
  await expect(page.getByRole("link", { name: "Staff meeting" })).toBeVisible();

  await page.getByRole("button", { name: "List", exact: true }).click();
  await page.getByLabel("Go to the day").fill("2027-06-01");
  await expect(page.getByRole("heading", { level: 3 })).toHaveText([/^Thursday,? 17 June 2027$/, /^Friday,? 18 June 2027$/, /^Monday,? 21 June 2027$/]);
  await everywhere(page, "a list");
  await page.getByLabel("Category").selectOption("Exams");
  await expect(main(page).getByRole("listitem")).toHaveCount(2);
  await page.getByLabel("Search").fill("physics");
  await expect(main(page).getByRole("listitem")).toHaveCount(1);
  await expect(page).toHaveURL(/search=physics/);
  await page.reload();
  await expect(main(page).getByRole("listitem")).toHaveCount(1);
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await page.getByLabel("Status").selectOption("Draft");
  await expect(main(page).getByRole("listitem").getByRole("link")).toHaveText(["Staff meeting"]);
});

test("everything works by keyboard", async ({ page }) => {
  await school(page);
  await opened(page);
  await expect(page.getByRole("link", { name: "Maths final" }).first()).toBeVisible();
  await page.keyboard.press("ArrowRight");
  await expect(day(page, "2027-06-18")).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(day(page, "2027-06-25")).toBeFocused();
  await page.keyboard.press("PageDown");
  await expect(page.getByRole("table", { name: "July 2027" })).toBeVisible();
  await expect(day(page, "2027-07-25")).toBeFocused();
  await page.keyboard.press("t");
  await expect(page.locator("[data-day][aria-current=date]")).toBeFocused();
  await expect(page).not.toHaveURL(/day=/);

  await opened(page, "/staff/calendar?view=list&day=2027-06-01");
  await expect(page.getByRole("link", { name: "Maths final" })).toBeVisible();
  await page.keyboard.press("j");
  await expect(page.getByRole("link", { name: "Maths final" })).toBeFocused();
  await page.keyboard.press("j");
  await expect(page.getByRole("link", { name: "Sports day" })).toBeFocused();
  await page.keyboard.press("k");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Maths final" })).toBeFocused();
  await page.goBack();
  await expect(page.getByRole("link", { name: "Maths final" })).toBeVisible();

  await page.keyboard.press("n");
  await expect(page.getByRole("heading", { name: "New event" })).toBeVisible();
  await page.getByLabel("Title").focus();
  await page.keyboard.type("Chess");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Chess" })).toBeVisible();
  await page.getByRole("heading", { level: 1 }).focus();
  await page.keyboard.press("Control+z");
  await expect(page.getByRole("heading", { name: "Calendar", level: 1 })).toBeVisible();
  expect((await events(page, "&search=Chess")).length).toBe(0);
});

test("what was typed stays when the server can't be reached, or refuses it", async ({ page }) => {
  await school(page);
  await opened(page, "/staff/calendar/new?day=2027-06-17");
  await page.getByLabel("Title").fill("Chess");
  await page.getByLabel("Website").fill("school.example");
  await page.getByLabel("End, time").fill("08:00");
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.getByText("A website begins with https://")).toBeVisible();
  await expect(page.getByText("not before it starts")).toBeVisible();
  await check(page, "an event with faults");
  await page.getByLabel("Website").fill("");
  await page.getByLabel("End, time").fill("11:00");
  await page.route(`**${API}/events`, (route) => route.abort());
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.getByText("The exam server can’t be reached.")).toBeVisible();
  await expect(page.getByLabel("Title")).toHaveValue("Chess");
  await page.unroute(`**${API}/events`);
  await page.getByLabel("Time zone").fill("Nowhere/Town");
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.getByText("The server does not accept this. Change it.")).toBeVisible();
  await expect(page.getByLabel("Time zone")).toHaveAttribute("aria-invalid", "true");
  await page.getByLabel("Time zone").fill("Europe/Brussels");
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("heading", { name: "Chess" })).toBeVisible();
  expect((await events(page, "&search=Chess"))[0]).toMatchObject({ timezone: "Europe/Brussels", utc_start_date: "2027-06-17 07:00:00" });
  await opened(page, "/staff/calendar/99999");
  await expect(page.getByText("There is no event at this address.")).toBeVisible();
});

test("a reviewer prepares events, which a manager publishes", async ({ page, browser, hall }) => {
  test.setTimeout(150_000);
  await school(page);
  const { page: reviewers } = await hired(page, browser, hall, "reviewer", [5], "/staff/calendar/new?day=2027-06-17", ZONE);
  await expect(reviewers.getByLabel("Status")).toHaveValue("draft");
  await expect(reviewers.getByLabel("Status").getByRole("option")).toHaveText(["Draft", "Waiting for review"]);
  await expect(reviewers.getByLabel("This event announces").getByRole("option")).toHaveText(["No exam", "A test of a grade’s questions"]);
  await reviewers.getByLabel("Title").fill("Quiz");
  await reviewers.getByLabel("This event announces").selectOption("A test of a grade’s questions");
  await reviewers.getByLabel("Status").selectOption("Waiting for review");
  await reviewers.getByRole("button", { name: "Create" }).click();
  await expect(reviewers.getByRole("heading", { name: "Quiz" })).toBeVisible();
  const address = new URL(reviewers.url()).pathname;

  const { page: managers } = await hired(page, browser, hall, "manager", [5], "/staff/calendar?view=list&day=2027-06-01&status=pending", ZONE);
  await managers.getByRole("link", { name: "Quiz" }).click();
  await managers.getByLabel("Status").selectOption("Published");
  await managers.getByRole("button", { name: "Save" }).click();
  await expect(notices(managers).getByText("Quiz is saved.")).toBeVisible();

  await reviewers.goto(address);
  await expect(reviewers.getByText("This event is published, so a manager changes it.")).toBeVisible();
  await expect(reviewers.getByRole("button", { name: "Save" })).toHaveCount(0);
  await expect(reviewers.getByRole("button", { name: "Move to the trash" })).toHaveCount(0);
  await everywhere(reviewers, "an event to read");
  await reviewers.goto("/staff/calendar?view=list&day=2027-06-01&status=draft");
  await reviewers.getByRole("link", { name: "Staff meeting" }).click();
  await expect(reviewers.getByText("This event is not published. Whoever made it can open it")).toBeVisible();
  await reviewers.goto("/staff/calendar?tab=categories");
  await expect(main(reviewers).getByText("Exams")).toBeVisible();
  await expect(main(reviewers).getByRole("button", { name: "Subscribe" })).toBeVisible();
  await expect(main(reviewers).getByRole("button")).toHaveCount(1);
});

test("venues, organizers, categories and tags have lists of their own", async ({ page }) => {
  await school(page);
  await opened(page);
  await page.getByRole("link", { name: "Venues" }).click();
  await expect(main(page).getByRole("listitem")).toHaveCount(1);
  await everywhere(page, "venues");
  await page.getByRole("button", { name: "New venue" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
  await expect(page.getByText("Give it a name.")).toBeVisible();
  await check(page, "a new venue");
  await page.getByRole("dialog").getByLabel("Name").fill("Gym");
  await page.getByRole("dialog").getByLabel("City").fill("Ghent");
  await page.keyboard.press("Enter");
  await expect(main(page).getByRole("listitem")).toHaveCount(2);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.getByRole("heading", { level: 1 }).focus();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await expect(page.getByRole("button", { name: "Gym", exact: true })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByLabel("Name").fill("Old gym");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("button", { name: "Old gym", exact: true })).toBeVisible();
  await notices(page).getByRole("button", { name: "Undo" }).last().click();
  await expect(page.getByRole("button", { name: "Gym", exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Delete Gym" }).click();
  await expect(main(page).getByRole("listitem")).toHaveCount(1);
  await notices(page).getByRole("button", { name: "Undo" }).last().click();
  await expect(main(page).getByRole("listitem")).toHaveCount(2);

  await page.getByRole("link", { name: "Organizers" }).click();
  await expect(page.getByRole("button", { name: "Rita", exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Categories" }).click();
  await expect(main(page).getByRole("listitem")).toContainText(["2 events"]);
  await page.getByRole("button", { name: "New category" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("exams");
  await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
  await expect(page.getByText("There is one with this name already.")).toBeVisible();
  await page.getByRole("dialog").getByLabel("Name").fill("Finals");
  await page.getByRole("dialog").getByLabel("Belongs to").selectOption("Exams");
  await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
  await expect(main(page).getByRole("listitem")).toHaveCount(2);
  await page.getByRole("button", { name: "Delete Exams" }).click();
  await expect(page.getByRole("dialog").getByText("It is taken from 2 events that everyone sees")).toBeVisible();
  await check(page, "a category is deleted");
  await page.getByRole("button", { name: "Delete for good" }).click();
  await expect(main(page).getByRole("listitem")).toHaveCount(1);
  expect((await events(page, "&search=Physics"))[0].categories).toEqual([]);
});

test("calendar programs subscribe to all events or to a category", async ({ page, context, hall }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: hall.url });
  await school(page);
  await opened(page);
  await page.getByRole("button", { name: "Subscribe" }).click();
  const webcal = `${hall.url.replace("http:", "webcal:")}${API}/events?ical=1`;
  await expect(page.getByLabel("Address")).toHaveValue(webcal);
  await check(page, "an address to subscribe to");
  await page.getByRole("dialog").getByLabel("Category").selectOption("Exams");
  await page.getByRole("button", { name: "Copy the address" }).click();
  await expect(notices(page).getByText("The address is on the clipboard.")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${webcal}&categories=exams`);
  const file = await page.request.get(`${API}/events?ical=1&categories=exams&start_date=2027-06-01`);
  expect(await file.text()).toContain("SUMMARY:Maths final");
});

test("an event that a sitting keeps says so, and one in the trash can be restored", async ({ page }) => {
  await signInAsAdmin(page);
  const templateId = await template(page, "Final paper");
  const body = { name: "Finals", templateId, startsAt: "2027-06-17T02:00:00Z", rooms: [{ name: "B12" }], publish: true };
  const { sitting } = await call(page, "POST", "/api/admin/sittings", body);
  await opened(page);
  await page.getByRole("table").getByRole("link", { name: "Finals" }).click();
  await expect(page.getByText("This event is kept by a sitting")).toBeVisible();
  await check(page, "the event of a sitting");
  await page.getByRole("link", { name: "Finals", exact: true }).click();
  await expect(page).toHaveURL(`/staff/sittings/${sitting.id}`);

  const id = await announced(page, "Chess", "2027-06-17");
  await call(page, "DELETE", `${API}/events/${id}`);
  await opened(page, "/staff/calendar?view=list&day=2027-06-01&status=trash");
  await page.getByRole("link", { name: "Chess" }).click();
  await expect(page.getByText("This event is in the trash.")).toBeVisible();
  await check(page, "an event in the trash");
  await page.getByRole("button", { name: "Restore it as a draft" }).click();
  await expect(page.getByLabel("Status")).toHaveValue("draft");
});

test("the calendar speaks Vietnamese", async ({ page }) => {
  await school(page);
  await page.evaluate(() => localStorage.setItem("examhall-language", "vi"));
  await page.goto("/staff/calendar?day=2027-06-17");
  await expect(page.getByRole("heading", { name: "Lịch", level: 1 })).toBeVisible();
  await expect(page.getByRole("link", { name: "Maths final" }).first()).toBeVisible();
  await check(page, "a month in Vietnamese");
  await page.getByRole("link", { name: "Maths final" }).first().click();
  await expect(page.getByLabel("Tên sự kiện")).toHaveValue("Maths final");
  await check(page, "an event in Vietnamese");
});

if (takesPictures) {
  test("the calendar has its pictures", WITH_PICTURES, async ({ page }) => {
    await school(page);
    await announced(page, "Parents’ evening", "2027-06-09", { start_date: "2027-06-09 18:00", end_date: "2027-06-09 20:00" });
    await announced(page, "Reading week", "2027-06-28", { all_day: true, end_date: "2027-07-02" });
    await opened(page);
    await expect(page.getByRole("link", { name: "Reading week" }).first()).toBeVisible();
    await page.setViewportSize({ width: 1_280, height: 1_040 });
    await takePicture(page, "staff-calendar");
    await page.getByRole("table").getByRole("link", { name: "Maths final" }).click();
    await expect(page.getByLabel("Title")).toHaveValue("Maths final");
    await expect(page.getByLabel("Venue")).toHaveValue(/\d/);
    await takePicture(page, "staff-event");
  });
}
