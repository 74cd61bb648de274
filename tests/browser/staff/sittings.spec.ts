// The pages on which sittings are planned: from an empty school to the day of the exam, and after it.

import type { APIRequestContext, Browser, Locator, Page } from "@playwright/test";
import { check } from "../accessible";
import { takePicture, takesPictures, WITH_PICTURES } from "../documentation";
import { expect, test, type Hall } from "../hall";
import { School, finish, ready, seconds } from "../sitting";
import { at, call, signInAsAdmin, template } from "../student";
import { allRight, entered, handsIn, keysOf } from "./answered";
import { signIn } from "./people";

test.use({ timezoneId: "Asia/Ho_Chi_Minh" });

const MINUTE = 60_000;
const HEADINGS = ["Full name", "E-mail", "Student number", "Room", "Seat", "Time factor", "Extra minutes"];

/** Rows as they come out of a spreadsheet. */
const table = (...rows: string[][]) => [HEADINGS, ...rows].map((cells) => cells.join("\t")).join("\n");

/** Takes a picture for the documentation, of the page or of a part of it. */
async function picture(page: Page, name: string, part: Page | Locator = page): Promise<void> {
  if (!takesPictures) return;
  const before = page.viewportSize()!;
  await page.setViewportSize({ width: before.width, height: 1_160 });
  // Without waiting for any: messages go away by themselves too.
  await page.evaluate(() => document.querySelectorAll<HTMLElement>(".notice .icon").forEach((button) => button.click()));
  await page.getByRole("heading", { level: 1 }).focus();
  await takePicture(part, name);
  await page.setViewportSize(before);
}

/** The page of somebody else, in the same zone. */
async function another(browser: Browser, hall: Hall, email: string, name: string): Promise<Page> {
  return (await signIn(browser, hall, email, name, "/", { timezoneId: "Asia/Ho_Chi_Minh" })).page;
}

/** Ten o'clock of the day after tomorrow in the zone of these tests, so that no time of the sitting is of another day. */
const START = Math.floor(Date.now() / (24 * 60 * MINUTE)) * 24 * 60 * MINUTE + (48 + 3) * 60 * MINUTE;

/** A planned sitting with two candidates, and its page. */
async function planned(page: Page, changes: Record<string, unknown> = {}): Promise<string> {
  await signInAsAdmin(page);
  const templateId = await template(page, "Final paper");
  const { sitting } = await call(page, "POST", "/api/admin/sittings", { name: "Finals", templateId, startsAt: new Date(START).toISOString(), rooms: [{ name: "B12", proctors: ["rita@school.example"] }], ...changes });
  const candidates = [
    { email: "ada@school.example", name: "Ada Lovelace", room: "B12", seat: "1" },
    { email: "bo@school.example", name: "Bo Tran", room: "B12", seat: "2" },
  ];
  await call(page, "PUT", `/api/admin/sittings/${sitting.id}/candidates`, { candidates });
  await page.goto(`/staff/sittings/${sitting.id}`);
  await expect(page.getByRole("heading", { name: sitting.name })).toBeVisible();
  return sitting.id;
}

const read = async (page: Page, id: string) => (await call(page, "GET", `/api/admin/sittings/${id}`)).sitting;
const roster = async (page: Page, id: string) => (await call(page, "GET", `/api/admin/sittings/${id}/candidates`)).candidates;
const moment = (page: Page, name: string) => page.getByRole("slider", { name, exact: true });
const idOf = (page: Page) => new URL(page.url()).pathname.split("/").at(-1) ?? "";

test("an empty school plans a sitting that is ready for its day, by the pages alone", WITH_PICTURES, async ({ page }) => {
  test.setTimeout(180_000);
  await signInAsAdmin(page);
  await template(page, "Final paper");
  await page.goto("/staff/sittings");
  await expect(page.getByText("No sitting is planned.")).toBeVisible();
  await check(page, "no sittings");
  await page.getByRole("main").getByRole("link", { name: "Plan a sitting" }).first().click();

  await expect(page.getByRole("heading", { name: "Plan a sitting" })).toBeVisible();
  await page.getByRole("button", { name: "Plan this sitting" }).click();
  await expect(page.getByText("Give it a name.")).toBeVisible();
  await expect(page.getByLabel("Name")).toBeFocused();
  await check(page, "a new sitting, with what is missing");
  await page.getByLabel("Name").fill("Final exam in mathematics");
  await page.getByLabel("Room", { exact: true }).fill("B12");
  await page.getByLabel("Proctors").fill("rita@school.example");
  await page.getByRole("button", { name: "Plan this sitting" }).click();

  await expect(page.getByRole("heading", { name: "Final exam in mathematics" })).toBeVisible();
  await expect(page.getByText("Nobody is on the roster.")).toBeVisible();
  for (const card of ["Paper", "Time", "People", "Results"]) await expect(page.getByRole("region", { name: card, exact: false }).first()).toBeVisible();
  await expect(page.getByText("Times of Asia/")).toBeVisible();
  await check(page, "a sitting without people");

  await page.getByRole("button", { name: "Import a roster" }).click();
  const list = table(["Ada Lovelace", "ada@school.example", "", "B12", "1", "125", ""], ["Bo Tran", "nobody", "", "B13", "2", "", ""], ["Cy Young", "", "s-3", "B13", "3", "", "10"], ["Di Le", "di@school.example", "", "B12", "4", "fast", ""]);
  await page.getByLabel("Roster, pasted from a spreadsheet").fill(list);
  await expect(page.getByText("This would add 2, update 0 and remove 0.")).toBeVisible();
  await expect(page.getByText("2 rows have errors")).toBeVisible();
  await expect(page.getByRole("row", { name: /nobody|Bo Tran/ }).getByText("E-mail: this is no e-mail address")).toBeVisible();
  await expect(page.getByLabel("More time (%) in row 5")).toHaveAttribute("aria-invalid", "true");
  await check(page, "a roster with errors beside its rows");
  await picture(page, "roster-errors", page.getByRole("region", { name: /^People/ }));
  // Nine columns scroll within the table, and what is wrong stays in sight.
  for (const width of [390, 820, 1366]) {
    await page.setViewportSize({ width, height: 844 });
    const sheet = page.getByRole("region", { name: "The list row by row" });
    await sheet.evaluate((node) => {
      node.scrollIntoView({ block: "center" });
      node.scrollLeft = node.scrollWidth;
    });
    await expect(sheet.getByText("E-mail: this is no e-mail address")).toBeInViewport();
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), `${width}`).toBe(true);
    await check(page, `a roster with errors at ${width}`);
  }
  await page.setViewportSize({ width: 1_280, height: 800 });
  expect(await roster(page, idOf(page))).toEqual([]);
  await page.getByLabel("E-mail in row 3").fill("bo@school.example");
  await page.getByLabel("E-mail in row 3").press("Tab");
  await expect(page.getByText("This would add 3,")).toBeVisible();
  await expect(page.getByLabel("Student number in row 3"), "the keyboard is where it was").toBeFocused();
  await page.getByLabel("More time (%) in row 5").fill("1/2");
  await page.getByLabel("More time (%) in row 5").press("Tab");
  await page.getByRole("button", { name: "Import 4 candidates", exact: true }).click();
  await expect(page.getByText("4 added, 0 updated, 0 removed")).toBeVisible();
  const people = page.getByRole("grid", { name: "People" });
  await expect(people.getByRole("row", { name: /Ada Lovelace/ }).getByText("+25 %")).toBeVisible();
  await expect(people.getByRole("row", { name: /Cy Young/ }).getByText("+10 min")).toBeVisible();
  await expect(page.getByText("3 students with other times: the last stops at")).toBeVisible();

  await expect(page.getByText("Without a proctor: B13.")).toBeVisible();
  await page.getByRole("button", { name: "Rooms…" }).click();
  await check(page, "the rooms");
  await page.getByLabel("Proctors").nth(1).fill("an@school.example");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Without a proctor: B13.")).toBeHidden();

  await expect(page.getByText("1 candidate with neither an account nor an entry slip.")).toBeVisible();
  await page.getByRole("button", { name: "Entry slips…" }).click();
  await check(page, "entry slips");
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download 4 slips" }).click()]);
  expect(file.suggestedFilename()).toMatch(/^Final-exam-in-mathematics-\d{4}-\d{2}-\d{2}-slips\.pdf$/);
  await expect(page.getByText("Ready for its day")).toBeVisible();
  await check(page, "a sitting that is ready");
  await picture(page, "plan-sitting");
  await page.setViewportSize({ width: 820, height: 1_100 });
  await check(page, "a sitting on a small screen");
  // As at 400 % on a screen of 1280 px.
  await page.setViewportSize({ width: 320, height: 640 });
  await check(page, "a sitting at four times its size");
  await page.emulateMedia({ forcedColors: "active" });
  await check(page, "a sitting in forced colours");
  await page.emulateMedia({ forcedColors: null });
  await page.setViewportSize({ width: 1_280, height: 800 });

  await page.getByRole("navigation").getByRole("link", { name: "Sittings" }).click();
  await expect(page.getByText("4 candidates")).toBeVisible();
  await check(page, "the list");
});

test("everything works by keyboard: the list, the line of time, a candidate, undo", async ({ page }) => {
  const id = await planned(page);
  await page.goto("/staff/sittings");
  await expect(page.getByRole("link", { name: "Finals", exact: true })).toBeVisible();
  await page.keyboard.press("j");
  await expect(page.getByRole("link", { name: "Finals", exact: true })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(id));
  const before = await read(page, id);

  // Five minutes a step; nothing is written before Enter, and Escape takes it back.
  await moment(page, "Start").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  expect((await read(page, id)).startsAt).toBe(before.startsAt);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Save the times" })).toBeHidden();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Start moved to")).toBeVisible();
  const after = await read(page, id);
  expect(Date.parse(after.startsAt) - Date.parse(before.startsAt)).toBe(5 * MINUTE);
  // Doors without a time of their own go along.
  expect(Date.parse(after.doorsAt) - Date.parse(before.doorsAt)).toBe(5 * MINUTE);
  await expect(page.getByRole("button", { name: "Undo" })).toBeEnabled();
  await page.getByRole("button", { name: "Undo" }).focus();
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await read(page, id)).startsAt).toBe(before.startsAt);

  await page.getByRole("grid", { name: "People" }).focus();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Ada Lovelace" });
  await expect(dialog.getByText("from the template")).toBeVisible();
  await check(page, "a candidate with what holds");
  await dialog.getByLabel("More time").fill("125");
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("row", { name: /Ada Lovelace/ }).getByText("+25 %")).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("their own")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Undo" }).last()).toBeEnabled();
  await page.getByRole("button", { name: "Undo" }).last().focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("row", { name: /Ada Lovelace/ }).getByText("+25 %")).toBeHidden();
});

test("a moment is dragged to five minutes, and typed to the minute", async ({ page }) => {
  const id = await planned(page);
  const before = await read(page, id);
  await page.getByRole("button", { name: "Set last entry" }).click();
  await page.getByRole("button", { name: "Save the times" }).click();
  await expect(page.getByText("Last entry moved to")).toBeVisible();
  const box = (await moment(page, "Last entry").boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 37, y, { steps: 5 });
  await page.mouse.up();
  await expect.poll(async () => Date.parse((await read(page, id)).entryUntil) > Date.parse(before.startsAt) + 20 * MINUTE).toBe(true);
  expect(Date.parse((await read(page, id)).entryUntil) % (5 * MINUTE)).toBe(0);

  await page.getByLabel("Last entry: time").fill("00:00");
  await expect(page.getByText("The last entry must be after the doors have opened.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Save the times" })).toBeDisabled();
  await check(page, "times that contradict one another");
  await page.getByRole("button", { name: "Take last entry away" }).click();
  await page.getByRole("button", { name: "Save the times" }).click();
  await expect.poll(async () => (await read(page, id)).entryUntil).toBeNull();

  // What is no time goes when it is taken back, and when the moment is set on the line.
  const field = page.getByLabel("Start: time");
  const typed = await field.inputValue();
  await field.fill("");
  await expect(page.getByText("This is no time on this day.")).toBeVisible();
  await page.getByRole("button", { name: "Take back" }).click();
  await expect(page.getByText("This is no time on this day.")).toBeHidden();
  await expect(field).toHaveValue(typed);
  await field.fill("");
  await moment(page, "Start").press("ArrowRight");
  await expect(page.getByText("This is no time on this day.")).toBeHidden();
  await expect(field).not.toHaveValue("");
  await expect(page.getByRole("button", { name: "Save the times" })).toBeEnabled();
});

test("two people change a sitting at once, and neither change is lost unseen", async ({ browser, hall, page }) => {
  const id = await planned(page);
  const max = await another(browser, hall, "max@school.example", "Max");
  await call(page, "PATCH", "/api/admin/users/max%40school.example", { role: "admin" });
  await max.goto(`/staff/sittings/${id}`);
  await expect(max.getByRole("heading", { name: "Finals" })).toBeVisible();

  // What differs by the roster alone is in nobody's way.
  await page.getByRole("button", { name: "Set end" }).click();
  await call(max, "POST", `/api/admin/sittings/${id}/candidates`, { email: "cy@school.example", name: "Cy" });
  await page.getByRole("button", { name: "Save the times" }).click();
  await expect(page.getByText("End moved to")).toBeVisible();
  await max.reload();

  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Finals of grade 5");
  await max.getByRole("button", { name: "Rename" }).click();
  await max.getByLabel("Name", { exact: true }).fill("Finals, spring");
  await max.keyboard.press("Enter");
  await expect(max.getByRole("heading", { name: "Finals, spring" })).toBeVisible();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Somebody has changed this sitting" });
  await expect(dialog.getByRole("row", { name: /^Name/ })).toHaveText(/Finals.*Finals, spring.*Finals of grade 5/);
  await check(page, "two changes at once");
  await dialog.getByRole("button", { name: "Leave theirs" }).click();
  await expect(page.getByRole("heading", { name: "Finals, spring" })).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Finals of grade 5");
  // What was typed is still there, and is saved once the other change was seen.
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await dialog.getByRole("button", { name: "Save mine" }).click();
  await expect(page.getByRole("heading", { name: "Finals of grade 5" })).toBeVisible();
});

test("a candidate and a roster that somebody else has changed are shown anew, and nothing typed is lost", async ({ page }) => {
  const id = await planned(page);
  const [ada] = await roster(page, id);
  await page.getByRole("row", { name: /Ada Lovelace/ }).getByText("Ada Lovelace").click();
  const dialog = page.getByRole("dialog", { name: "Ada Lovelace" });
  await expect(dialog.getByText("What holds")).toBeVisible();
  await call(page, "PATCH", `/api/admin/sittings/${id}/candidates/${ada.id}`, { seat: "9" });
  await dialog.getByLabel("Extra minutes").fill("10");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("Somebody has changed this sitting meanwhile.")).toBeVisible();
  await expect(dialog.getByText("B12 · 9")).toBeVisible();
  await expect(dialog.getByLabel("Extra minutes")).toHaveValue("10");
  await check(page, "a candidate whom two have changed");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("row", { name: /Ada Lovelace/ }).getByText("+10 min")).toBeVisible();
  expect((await roster(page, id))[0]).toMatchObject({ seat: "9", extraMinutes: 10 });

  await page.getByRole("button", { name: "Import a roster" }).click();
  await page.getByLabel("Roster, pasted from a spreadsheet").fill("email\nada@school.example\ncy@school.example");
  await expect(page.getByText("This would add 1, update 1 and remove 1.")).toBeVisible();
  await call(page, "POST", `/api/admin/sittings/${id}/candidates`, { email: "di@school.example", name: "Di" });
  await page.getByRole("button", { name: "Import 2 candidates, remove 1…" }).click();
  await expect(page.getByText("1 candidate is not on it.", { exact: false })).toBeVisible();
  await check(page, "before an import that removes");
  await page.getByRole("dialog").getByRole("button", { name: "Import 2 candidates, remove 1" }).click();
  await expect(page.getByText("Look at it, and import once more", { exact: false })).toBeVisible();
  await expect(page.getByText("This would add 1, update 1 and remove 2.")).toBeVisible();
  await page.getByRole("button", { name: "Import 2 candidates, remove 2…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Import 2 candidates, remove 2" }).click();
  await expect(page.getByText("1 added, 1 updated, 2 removed")).toBeVisible();

  // The wrong list is taken back, with one press now and later by the line above the roster.
  const names = async () => (await roster(page, id)).map((one: any) => one.name);
  const imported = await names();
  await expect(page.getByText(/Last import: .+\s+1 new, 1 there before, 2 taken off\./)).toBeVisible();
  await page.getByRole("button", { name: "Take the import back…" }).click();
  await expect(page.getByText("2 candidates whom it removed come back")).toBeVisible();
  await check(page, "before an import is taken back");
  await page.getByRole("dialog").getByRole("button", { name: "Take the import back" }).click();
  await expect(page.getByText("The import is taken back.")).toBeVisible();
  await expect(page.getByText(/Last import:/)).toBeHidden();
  expect(await names()).toEqual(["Ada Lovelace", "Bo Tran", "Di"]);
  await page.getByRole("button", { name: "Import a roster" }).click();
  await page.getByLabel("Roster, pasted from a spreadsheet").fill("email\nada@school.example\ncy@school.example");
  await page.getByRole("button", { name: "Import 2 candidates, remove 2…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Import 2 candidates, remove 2" }).click();
  // The message of the first import may still be there.
  await expect.poll(names).toEqual(imported);
  await expect(page.getByText(/Last import:/)).toBeVisible();
  await page.locator("[data-undo]").last().click();
  await expect(page.getByText(/Last import:/)).toBeHidden();
  await expect.poll(names).toEqual(["Ada Lovelace", "Bo Tran", "Di"]);
});

test("needs in every exam are asked about for those whose doors are open", async ({ browser, hall }) => {
  const school = await School.open(browser, hall, [{ name: "Ada Lovelace", email: "ada@school.example" }, { name: "Bo Tran" }]);
  const { page } = school;
  const bo = await school.entered("Bo Tran");
  await ready(bo.page);
  await page.goto(`/staff/sittings/${school.sitting.id}`);
  await expect(page.getByText("open since")).toBeVisible();
  await page.getByRole("row", { name: /Ada Lovelace/ }).getByText("Ada Lovelace").click();
  await page.getByRole("button", { name: "In every exam…" }).click();
  const register = page.getByRole("dialog", { name: "Needs of ada@school.example in every exam" });
  await register.getByLabel("More time").fill("150");
  await register.getByRole("button", { name: "Save" }).click();
  await expect(register.getByText("The doors are open already for 1 candidate")).toBeVisible();
  await expect(register.getByText("Ada Lovelace, Final exam in mathematics: usual time → +50 %")).toBeVisible();
  await check(page, "whom a change concerns");
  await register.getByRole("button", { name: "Change 1 candidate too" }).click();
  await expect(register).toBeHidden();
  await expect(page.getByRole("row", { name: /Ada Lovelace/ }).getByText("+50 %")).toBeVisible();
  await page.getByRole("button", { name: "Call off…" }).click();
  await check(page, "before calling off");
  await page.getByRole("button", { name: "Call it off" }).click();
  await expect(page.getByRole("heading", { name: "Sittings" })).toBeVisible();
  expect((await read(page, school.sitting.id)).state).toBe("ended");
});

test("a sitting is postponed with what shall go along, and the page says what stays", async ({ page }) => {
  const iso = (minutes: number) => new Date(START + minutes * MINUTE).toISOString();
  const id = await planned(page, { startsAt: iso(0), entryUntil: iso(20), endsAt: iso(20) });
  const [ada] = await roster(page, id);
  await call(page, "PATCH", `/api/admin/sittings/${id}/candidates/${ada.id}`, { endsAt: iso(15) });
  await page.reload();
  await page.getByRole("button", { name: "Postpone…" }).click();
  const dialog = page.getByRole("dialog", { name: "Move the start" });
  await expect(dialog.getByText("Own times stay as they are, until you change them: Ada Lovelace.")).toBeVisible();
  await dialog.getByRole("button", { name: "+15 min" }).click();
  await dialog.getByLabel("The end for all").uncheck();
  await expect(dialog.getByText("everybody has 15 minutes less")).toBeVisible();
  await check(page, "postponing");
  await dialog.getByLabel("The end for all").check();
  await dialog.getByRole("button", { name: /^Move the start to / }).click();
  await expect(page.getByText("The start is moved to")).toBeVisible();
  expect(await read(page, id)).toMatchObject({ startsAt: iso(15), entryUntil: iso(35), endsAt: iso(35), doorsAt: iso(-15) });
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(async () => (await read(page, id)).startsAt).toBe(iso(0));
  expect(await read(page, id)).toMatchObject({ entryUntil: iso(20), endsAt: iso(20), doorsAt: iso(-30) });
});

test("an exam begins, ends, is released with its number, and those who missed it get another day", async ({ browser, hall }) => {
  test.setTimeout(180_000);
  const school = await School.open(browser, hall, [{ name: "Ada Lovelace", room: "B12" }, { name: "Bo Tran", room: "B12" }], { start: "proctor" });
  const { page } = school;
  const ada = await school.entered("Ada Lovelace");
  await ready(ada.page);
  await page.goto(`/staff/sittings/${school.sitting.id}`);
  await expect(page.getByText("Results can be released when everybody has handed in.")).toBeVisible();
  await page.getByRole("button", { name: "Begin now…" }).click();
  await check(page, "before the beginning");
  await page.getByRole("button", { name: "Begin for 2 candidates" }).click();
  await expect(page.getByText("The exam has begun.")).toBeVisible();
  await at(ada.page, 1);
  await page.reload();
  await expect(page.getByText("1 candidate still at work.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Release results (0)" })).toBeDisabled();
  await finish(ada.page);
  await expect(ada.page.getByRole("heading", { name: "The results are not out yet" })).toBeVisible();
  await page.reload();
  await page.getByRole("button", { name: "Release results (1)" }).click();
  const dialog = page.getByRole("dialog", { name: "Release the results of 1 candidate?" });
  await expect(dialog).toBeVisible();
  await check(page, "before the release");
  await dialog.getByRole("button", { name: /^Release/ }).click();
  await expect(page.getByText("The results of 1 candidate are released.")).toBeVisible();
  await expect(ada.page.getByRole("heading", { name: "Test report" })).toBeVisible();
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download csv" }).click()]);
  expect(file.suggestedFilename()).toMatch(/^Final-exam-in-mathematics-\d{4}-\d{2}-\d{2}-results\.csv$/);
  await check(page, "after the release");

  await page.getByRole("button", { name: "Make-up sitting…" }).click();
  await check(page, "a make-up");
  await page.getByRole("button", { name: "Plan it for 1 candidate" }).click();
  await expect(page.getByRole("heading", { name: "Final exam in mathematics (make-up)" })).toBeVisible();
  await expect(page.getByRole("row", { name: /Bo Tran/ })).toBeVisible();
  expect(await roster(page, idOf(page))).toHaveLength(1);
  // The first one is over, and stands among the past ones.
  await page.goto("/staff/sittings?state=ended");
  await expect(page.getByRole("link", { name: "Final exam in mathematics", exact: true })).toBeVisible();
});

test("several sittings are moved at once, and taken back; what somebody has changed since is left alone", async ({ page }) => {
  const ids = [await planned(page), await planned(page, { name: "Retake", entryUntil: new Date(START + 10 * MINUTE).toISOString() })];
  const starts = async () => Promise.all(ids.map(async (id) => Date.parse((await read(page, id)).startsAt) - START));
  await page.goto("/staff/sittings");
  await expect(page.getByRole("link", { name: "Retake", exact: true })).toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await expect(page.getByRole("toolbar", { name: "1 selected" })).toContainText("Move 1 sitting by 15 minutes");
  await page.keyboard.press("a");
  const bar = page.getByRole("toolbar", { name: "2 selected" });
  await check(page, "two sittings are selected");
  await bar.getByRole("button", { name: "Move 2 sittings by 15 minutes" }).click();
  await expect(page.getByText("The start of 2 sittings is moved by 15 minutes.")).toBeVisible();
  await expect(page.getByRole("toolbar")).toHaveCount(0);
  expect(await starts()).toEqual([15 * MINUTE, 15 * MINUTE]);
  // What has a time of its own moves along.
  expect(Date.parse((await read(page, ids[1] ?? "")).entryUntil) - START).toBe(25 * MINUTE);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Undone.")).toBeVisible();
  expect(await starts()).toEqual([0, 0]);

  // Somebody else moves one of them, which this page has not seen.
  await call(page, "PATCH", `/api/admin/sittings/${ids[0]}`, { startsAt: new Date(START + 5 * MINUTE).toISOString() });
  await page.getByRole("checkbox", { name: "Select Finals" }).check();
  await page.getByRole("checkbox", { name: "Select Retake" }).check();
  await bar.getByLabel("Minutes later").selectOption("+30 min");
  await bar.getByRole("button", { name: "Move 2 sittings by 30 minutes" }).click();
  await expect(page.getByText(/^Not moved: Finals\./)).toBeVisible();
  expect(await starts()).toEqual([5 * MINUTE, 30 * MINUTE]);
  // Who could not be moved stays selected, and what a filter hides is not meant.
  await expect(page.getByRole("checkbox", { name: "Select Finals" })).toBeChecked();
  await expect(page.getByRole("toolbar", { name: "1 selected" })).toBeVisible();
  await page.getByRole("searchbox", { name: "Find" }).fill("retake");
  await expect(page.getByRole("toolbar")).toHaveCount(0);
});

/** Two sittings, in each of which one student has handed in; the first page is asked whether to release both. */
async function twoToRelease(browser: Browser, hall: Hall, request: APIRequestContext): Promise<School[]> {
  const schools: School[] = [];
  for (const [name, student] of [["Finals", "Ada Lovelace"], ["Retake", "Bo Tran"]] as const) {
    const school = await School.open(browser, hall, [{ name: student }], { name });
    const attempt = await entered(request, school, student);
    await school.begin();
    await handsIn(request, attempt, await keysOf(school.page), allRight);
    schools.push(school);
  }
  const { page } = schools[0] as School;
  await page.goto("/staff/sittings");
  await page.getByRole("checkbox", { name: "Select Finals" }).check();
  await page.getByRole("checkbox", { name: "Select Retake" }).check();
  await page.getByRole("button", { name: "Release results of 2 sittings…" }).click();
  return schools;
}

test("the results of several sittings are released with one number", async ({ browser, hall, request }) => {
  const schools = await twoToRelease(browser, hall, request);
  const { page } = schools[0] as School;
  const dialog = page.getByRole("dialog", { name: "Release the results of 2 candidates?" });
  await expect(dialog.getByRole("listitem")).toHaveText(["Finals: 1 candidate", "Retake: 1 candidate"]);
  await check(page, "before the release of several");
  await dialog.getByRole("button", { name: "Release results (2)" }).click();
  await expect(page.getByText("The results of 2 candidates are released.")).toBeVisible();
  for (const { sitting } of schools) expect((await read(page, sitting.id)).releasedAt).not.toBeNull();
  await expect(page.getByRole("toolbar")).toHaveCount(0);
  await page.getByRole("checkbox", { name: "Select Finals" }).check();
  await expect(page.getByText("None of these can be moved or released.")).toBeVisible();
});

test("a network that goes while several are moved leaves the rest selected, with the reason", async ({ page }) => {
  const ids = [await planned(page), await planned(page, { name: "Retake" })];
  const starts = async () => Promise.all(ids.map(async (id) => Date.parse((await read(page, id)).startsAt) - START));
  await page.goto("/staff/sittings");
  await page.getByRole("checkbox", { name: "Select Finals" }).check();
  await page.getByRole("checkbox", { name: "Select Retake" }).check();
  // The second change never arrives.
  let changes = 0;
  await page.route(/\/sittings\/[^/]+$/, (route) => (route.request().method() === "PATCH" && (changes += 1) === 2 ? route.abort() : route.continue()));
  await page.getByRole("button", { name: "Move 2 sittings by 15 minutes" }).click();
  await expect(page.getByText(/^Not moved: (Finals|Retake)\. /)).toBeVisible();
  await expect(page.getByText("The start of 1 sitting is moved by 15 minutes.")).toBeVisible();
  await expect(page.getByRole("toolbar", { name: "1 selected" })).toBeVisible();
  expect((await starts()).sort((one, other) => one - other)).toEqual([0, 15 * MINUTE]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Undone.")).toBeVisible();
  expect(await starts()).toEqual([0, 0]);
});

test("closing the dialog in the middle of a release leaves the rest alone", async ({ browser, hall, request }) => {
  const schools = await twoToRelease(browser, hall, request);
  const { page } = schools[0] as School;
  const dialog = page.getByRole("dialog", { name: "Release the results of 2 candidates?" });
  // The first release is held up until the dialog is closed.
  let letGo = () => {};
  const closed = new Promise<void>((resolve) => (letGo = resolve));
  await page.route(/\/release$/, async (route) => {
    await closed;
    await route.continue();
  });
  await dialog.getByRole("button", { name: "Release results (2)" }).click();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
  letGo();
  await expect(page.getByText(/^Not released: (Finals|Retake)\. The dialog was closed before\./)).toBeVisible();
  const released = await Promise.all(schools.map(async ({ sitting }) => (await read(page, sitting.id)).releasedAt !== null));
  expect(released.sort()).toEqual([false, true]);
  await expect(page.getByRole("toolbar", { name: "1 selected" })).toBeVisible();
});

test("a paper that another exam still needs is released only by who insists", async ({ browser, hall, request }) => {
  const school = await School.open(browser, hall, [{ name: "Ada Lovelace" }], { name: "Finals" });
  const attempt = await entered(request, school, "Ada Lovelace");
  await school.begin();
  const { page, sitting } = school;
  await handsIn(request, attempt, await keysOf(page), allRight);
  const candidates = (await roster(page, sitting.id)).map(({ id }: { id: string }) => id);
  await call(page, "POST", `${school.path}/make-up`, { name: "Finals again", candidates });
  await page.goto(`/staff/sittings/${sitting.id}`);
  await page.getByRole("button", { name: "Release results (1)" }).click();
  const dialog = page.getByRole("dialog", { name: "Release the results of 1 candidate?" });
  await expect(dialog.getByText(/^Others are still to sit the same paper: Finals again\./)).toBeVisible();
  await check(page, "before the release of a paper that others need");
  await dialog.getByRole("button", { name: "Release (1) although others sit this paper later" }).click();
  await expect(page.getByText("The results of 1 candidate are released.")).toBeVisible();
});

test("candidates come and go: one more, a removal that is undone, new codes, and needs in every exam", async ({ page }) => {
  const id = await planned(page);
  await page.getByRole("button", { name: "Add a candidate" }).click();
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.getByText("Give an e-mail address or a student number.")).toBeVisible();
  await page.getByLabel("Name", { exact: true }).fill("Cy Young");
  await page.getByLabel("Student number").fill("s-3");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.getByRole("row", { name: /Cy Young/ })).toBeVisible();

  await page.getByRole("row", { name: /Bo Tran/ }).getByText("Bo Tran").click();
  await page.getByRole("button", { name: "Remove Bo Tran" }).click();
  await expect(page.getByRole("row", { name: /Bo Tran/ })).toBeHidden();
  await page.getByRole("button", { name: "Undo" }).last().click();
  await expect(page.getByRole("row", { name: /Bo Tran/ })).toBeVisible();

  await page.getByRole("button", { name: "Entry slips…" }).click();
  await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download 3 slips" }).click()]);
  await expect(page.getByRole("dialog")).toBeHidden();
  await page.getByRole("button", { name: "Entry slips…" }).click();
  await page.getByRole("button", { name: "Make 3 new codes…" }).click();
  await expect(page.getByText("Every slip that was printed for them before is worth nothing")).toBeVisible();
  await check(page, "old codes die");
  await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Yes, replace 3 codes" }).click()]);
  await expect(page.getByRole("dialog")).toBeHidden();

  await page.getByRole("row", { name: /Ada Lovelace/ }).getByText("Ada Lovelace").click();
  await page.getByRole("button", { name: "In every exam…" }).click();
  const register = page.getByRole("dialog", { name: "Needs of ada@school.example in every exam" });
  await register.getByLabel("More time").fill("150");
  await check(page, "needs in every exam");
  await register.getByRole("button", { name: "Save" }).click();
  await expect(register).toBeHidden();
  await expect(page.getByRole("row", { name: /Ada Lovelace/ }).getByText("+50 %")).toBeVisible();
  await page.getByRole("row", { name: /Ada Lovelace/ }).getByText("Ada Lovelace").click();
  await expect(page.getByRole("dialog").getByText("from the register")).toBeVisible();
  expect(await roster(page, id)).toHaveLength(3);
});

test("a roster comes as files, and columns without headings are named", async ({ page }) => {
  const id = await planned(page);
  await page.getByRole("button", { name: "Import a roster" }).click();
  const csv = (name: string, ...lines: string[]) => ({ name, mimeType: "text/csv", buffer: Buffer.from(lines.join("\n")) });
  // A file is sent as it is, and its errors stand beside its own rows.
  await page.getByLabel("Choose files").setInputFiles(csv("roster.csv", "email;name;factor", "cy@school.example;Cy;", "di@school.example;Di;fast"));
  await expect(page.getByText("This would add 1,")).toBeVisible();
  await expect(page.getByRole("row", { name: /^3/ })).toHaveText(/More time \(%\): write \+25 %.*di@school\.example · Di · fast/);
  await check(page, "a file with an error");
  // Names stand in the order of their columns, and what is new or not read is named.
  await page.getByLabel("Choose files").setInputFiles(csv("roster.csv", "E-mail,Họ đệm,Tên,Lớp,Room", "cy@school.example,Nguyễn Thị Minh,Khai,6A,Z9"));
  await expect(page.getByText("in the order of the columns: Nguyễn Thị Minh Khai")).toBeVisible();
  await expect(page.getByText("Columns that are not known and not read: Lớp.")).toBeVisible();
  await expect(page.getByText("A new room: Z9.")).toBeVisible();
  await page.getByLabel("Choose files").setInputFiles(csv("roster.csv", "email,Rooom", "cy@school.example,Z9"));
  await expect(page.getByText("did you mean room?")).toBeVisible();
  // The two files of a school's system, of which one class is taken.
  const users = csv("users.csv", "sourcedId,status,enabledUser,givenName,familyName,role,email", "u1,active,true,Ada,Lovelace,student,ada@school.example", "u2,active,true,Eve,Stone,student,eve@school.example", "u3,active,true,Max,Planner,teacher,max@school.example");
  const enrolments = csv("enrollments.csv", "sourcedId,classSourcedId,userSourcedId,role", "e1,5a,u1,student", "e2,5b,u2,student", "e3,5a,u3,teacher");
  await page.getByLabel("Choose files").setInputFiles([users, enrolments]);
  await expect(page.getByText("This would add 1, update 1 and remove 1.")).toBeVisible();
  await page.getByLabel("Only those of this class (OneRoster)").fill("5b");
  await page.getByLabel("Only those of this class (OneRoster)").press("Tab");
  await expect(page.getByText("This would add 1, update 0 and remove 2.")).toBeVisible();

  // More time, of which nobody has said whether it is percent or minutes.
  await page.getByLabel("Roster, pasted from a spreadsheet").fill("ID\tFull name\tExtra time\nF-17\tFay Green\t125");
  await expect(page.getByText("“Extra time” can be percent or minutes")).toBeVisible();
  await expect(page.getByText("1 column with values is not used.")).toBeVisible();
  await check(page, "a column that nobody has named yet");
  await page.getByRole("button", { name: "Extra minutes", exact: true }).click();
  await expect(page.getByLabel("Meaning of column 3")).toBeFocused();
  await expect(page.getByText("1 row gives more extra minutes than the whole paper has")).toBeVisible();
  await page.getByLabel("Meaning of column 3").selectOption("More time (%)");
  await expect(page.getByText("more extra minutes than the whole paper has")).toBeHidden();
  await expect(page.getByText("1 column with values is not used.")).toBeHidden();

  await page.getByLabel("Roster, pasted from a spreadsheet").fill("Fay Green\tF-17\nGus Hill\tG-4");
  await expect(page.getByText("One column must be the e-mail address or the student number.")).toBeVisible();
  await page.getByLabel("Meaning of column 2").selectOption("Student number");
  await page.getByRole("button", { name: "Import 2 candidates, remove 2…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Import 2 candidates, remove 2" }).click();
  await expect(page.getByText("2 added, 0 updated, 2 removed")).toBeVisible();
  expect((await roster(page, id)).map((one: any) => [one.name, one.externalId])).toEqual([["Fay Green", "F-17"], ["Gus Hill", "G-4"]]);
});

test("several candidates are moved at once, found, and removed", async ({ page }) => {
  const id = await planned(page, { rooms: [{ name: "B12", proctors: [] }, { name: "B13", proctors: [] }] });
  const people = page.getByRole("grid", { name: "People" });
  await people.focus();
  await page.keyboard.press("a");
  await check(page, "candidates that are selected");
  await page.getByLabel("Move 2 candidates").selectOption("B13");
  await expect(page.getByText("2 candidates moved to B13.")).toBeVisible();
  expect((await roster(page, id)).map((one: any) => one.room)).toEqual(["B13", "B13"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(async () => (await roster(page, id)).map((one: any) => one.room)).toEqual(["B12", "B12"]);
  await page.getByPlaceholder("Find people").fill("lovel");
  await expect(people.getByRole("row", { name: /Bo Tran/ })).toBeHidden();
  await expect(page).toHaveURL(/find=lovel/);
  await page.reload();
  await expect(people.getByRole("row", { name: /Ada Lovelace/ })).toBeVisible();
  await expect(people.getByRole("row", { name: /Bo Tran/ })).toBeHidden();
  await people.focus();
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await page.getByRole("button", { name: "Remove 1 candidate…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove 1 candidate" }).click();
  await expect(page.getByText("Nobody fits these filters.")).toBeVisible();
  expect(await roster(page, id)).toHaveLength(1);
});

test("a draft is put into the calendar, and deleted when it is not wanted", async ({ page }) => {
  const id = await planned(page);
  await page.getByRole("button", { name: "Put into the calendar" }).click();
  await expect(page.getByText("It is in the calendar.")).toBeVisible();
  expect((await read(page, id)).publish).toBe(true);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Not in the calendar")).toBeVisible();
  await page.getByLabel("Who begins?").selectOption("A proctor, by saying begin");
  await expect(page.getByText("Who begins changed.")).toBeVisible();
  expect((await read(page, id)).start).toBe("proctor");
  await page.getByRole("button", { name: "Delete…" }).click();
  await expect(page.getByText("Finals and its roster (2 candidates) are removed for good.")).toBeVisible();
  await check(page, "before a removal");
  await page.getByRole("button", { name: "Delete the sitting" }).click();
  await expect(page.getByText("No sitting is planned.")).toBeVisible();
  await page.goto(`/staff/sittings/${id}`);
  await expect(page.getByText("There is no sitting at this address.")).toBeVisible();
});

test("managers see the sittings of their grades, and students none", async ({ browser, hall, page }) => {
  const id = await planned(page);
  const other = await template(page, "Paper of grade 6", [6]);
  await call(page, "POST", "/api/admin/sittings", { name: "Finals of grade 6", templateId: other, startsAt: seconds(86_400) });
  const max = await another(browser, hall, "max@school.example", "Max");
  await max.goto("/staff/sittings");
  await expect(max.getByText("These pages are for staff")).toBeVisible();
  await call(page, "POST", "/api/admin/review/managers", { email: "max@school.example", name: "Max", grades: [6] });
  await call(page, "PATCH", "/api/admin/users/max%40school.example", { role: "manager" });
  // Roles take effect within five seconds.
  await expect(async () => {
    await max.goto("/staff/sittings");
    await expect(max.getByRole("link", { name: "Finals of grade 6" })).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await expect(max.getByRole("link", { name: "Finals", exact: true })).toBeHidden();
  await expect(max.getByRole("button", { name: "Accommodations" })).toBeHidden();
  await max.goto(`/staff/sittings/${id}`);
  await expect(max.getByText("You have no right to do this.")).toBeVisible();
});

test("what can be done with those who are selected is in sight wherever the list is", async ({ page }) => {
  await page.setViewportSize({ width: 1_366, height: 768 });
  const id = await planned(page);
  const candidates = Array.from({ length: 40 }, (_, index) => ({ email: `p${index}@school.example`, name: `Pupil ${index}`, room: "B12", seat: String(index + 1) }));
  await call(page, "PUT", `/api/admin/sittings/${id}/candidates`, { candidates });
  await page.reload();
  const grid = page.getByRole("grid", { name: "People" });
  await expect(grid.getByRole("row", { name: /Pupil 0/ })).toBeVisible();
  await page.evaluate(() => scrollTo(0, 0));
  await grid.getByRole("row", { name: /Pupil 0/ }).getByRole("checkbox").check();
  await expect(page.getByRole("toolbar", { name: /^1/ })).toBeInViewport({ ratio: 1 });
});
