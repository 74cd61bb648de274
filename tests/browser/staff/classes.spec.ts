// Classes: made, filled, changed and deleted on their pages; taken over by a roster; and the same sitting again next week.

import type { Page } from "@playwright/test";
import { check } from "../accessible";
import { expect, test } from "../hall";
import { School, ready } from "../sitting";
import { call, signInAsAdmin, template } from "../student";
import { hired } from "./people";

test.use({ timezoneId: "Asia/Ho_Chi_Minh" });

const MINUTE = 60_000;
const WEEK = 7 * 24 * 60 * MINUTE;
/** Ten o'clock of the day after tomorrow in the zone of these tests, which knows no other time in summer. */
const START = Math.floor(Date.now() / (24 * 60 * MINUTE)) * 24 * 60 * MINUTE + (48 + 3) * 60 * MINUTE;

const messages = (page: Page) => page.getByRole("region", { name: "Messages", exact: true });
const read = async (page: Page, id: string) => (await call(page, "GET", `/api/admin/classes/${id}`)).class;
const members = async (page: Page, id: string) => (await call(page, "GET", `/api/admin/classes/${id}`)).people;
const roster = async (page: Page, id: string) => (await call(page, "GET", `/api/admin/sittings/${id}/candidates`)).candidates;
const names = (people: { name: string }[]) => people.map(({ name }) => name).sort();
const idOf = (page: Page) => new URL(page.url()).pathname.split("/").at(-1) ?? "";

/** A class with these people, each as an address and a name. */
async function class_(page: Page, name: string, grade: number, people: [string, string][]): Promise<string> {
  const { class: made } = await call(page, "POST", "/api/admin/classes", { name, grade });
  const list = ["email,name", ...people.map((cells) => cells.join(","))].join("\n");
  const status = await page.evaluate(
    async ([id, body]) => (await fetch(`/api/admin/classes/${id}/people`, { method: "PUT", headers: { "Content-Type": "text/csv" }, body: body as string })).status,
    [made.id, list],
  );
  expect(status).toBe(200);
  return made.id;
}

/** A sitting of grade 5 with one candidate, in a room. */
async function planned(page: Page): Promise<string> {
  const templateId = await template(page, "Weekly paper");
  const body = { name: "Weekly test", templateId, startsAt: new Date(START).toISOString(), rooms: [{ name: "B12", proctors: ["rita@school.example"] }] };
  const { sitting } = await call(page, "POST", "/api/admin/sittings", body);
  await call(page, "PUT", `/api/admin/sittings/${sitting.id}/candidates`, { candidates: [{ email: "ada@school.example", name: "Ada Lovelace", room: "B12", seat: "1", factor: 125 }] });
  return sitting.id;
}

test("a class is made, filled from a spreadsheet, changed, and deleted only when asked again", async ({ page }) => {
  test.setTimeout(150_000);
  await signInAsAdmin(page);
  await page.goto("/staff");
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Classes" }).click();
  await expect(page).toHaveURL("/staff/classes");
  await expect(page.getByText("There is no class yet.")).toBeVisible();
  await check(page, "no classes");
  await page.getByRole("button", { name: "New class" }).click();
  const making = page.getByRole("dialog", { name: "New class" });
  await making.getByRole("button", { name: "Make the class" }).click();
  await expect(making.getByText("Give it a name.")).toBeVisible();
  await expect(making.getByLabel("Name")).toBeFocused();
  await check(page, "a new class, with what is missing");
  await making.getByLabel("Name").fill("5A");
  await making.getByRole("combobox", { name: "Grade" }).selectOption("Grade 5");
  await making.getByRole("button", { name: "Make the class" }).click();
  await expect(page.getByRole("heading", { name: "5A", level: 1 })).toBeVisible();
  await expect(page.getByText("Nobody is in this class yet.")).toBeVisible();
  await check(page, "a class without people");
  const id = idOf(page);

  await page.getByRole("button", { name: "Import people" }).click();
  const list = page.getByLabel("People, pasted from a spreadsheet");
  await list.fill("Full name\tE-mail\tRoom\tTime factor\nAda Lovelace\tada@school.example\tB12\t125\nBo Tran\tnobody\tB12\t");
  await expect(page.getByText("This would add 1, update 0 and remove 0.")).toBeVisible();
  await expect(page.getByText("1 row has an error.")).toBeVisible();
  // Rooms are those of a sitting.
  await expect(page.getByText("1 column with values is not used.")).toBeVisible();
  await check(page, "people with an error beside its row");
  expect(await members(page, id)).toEqual([]);
  await page.getByLabel("E-mail in row 3").fill("bo@school.example");
  await page.getByLabel("E-mail in row 3").press("Tab");
  await page.getByRole("button", { name: "Import 2 people", exact: true }).click();
  await expect(messages(page).getByText("The list is imported: 2 added, 0 updated, 0 removed.")).toBeVisible();
  const people = page.getByRole("grid", { name: "People" });
  await expect(people.getByRole("row", { name: /Ada Lovelace/ }).getByText("+25 %")).toBeVisible();
  await check(page, "a class with people");
  await page.setViewportSize({ width: 320, height: 640 });
  await check(page, "a class at four times its size");
  await page.setViewportSize({ width: 1_280, height: 800 });

  // The list is changed as it is, and who is no longer on it is named first.
  await page.getByRole("button", { name: "Change the list" }).click();
  await expect(list).toHaveValue(/bo@school\.example/);
  await list.fill((await list.inputValue()).split("\n").filter((line) => !line.includes("bo@school.example")).join("\n"));
  await page.getByRole("button", { name: "Import 1 person, remove 1…" }).click();
  await expect(page.getByRole("dialog").getByText("1 person is not on it.", { exact: false })).toBeVisible();
  await check(page, "before people leave a class");
  await page.getByRole("dialog").getByRole("button", { name: "Import 1 person, remove 1" }).click();
  await expect.poll(async () => names(await members(page, id))).toEqual(["Ada Lovelace"]);
  await expect(people.getByRole("row", { name: /Ada Lovelace/ })).toBeVisible();
  await expect(people.getByRole("row", { name: /Bo Tran/ })).toBeHidden();

  await page.getByRole("button", { name: "Rename…" }).click();
  const renaming = page.getByRole("dialog", { name: "Name and grade" });
  await call(page, "PATCH", `/api/admin/classes/${id}`, { name: "5 Blue" });
  await renaming.getByLabel("Name").fill("5B");
  await renaming.getByRole("button", { name: "Save" }).click();
  await expect(renaming.getByText(/^Somebody else has changed this class meanwhile: it is 5 Blue of grade 5 now\./)).toBeVisible();
  await expect(renaming.getByLabel("Name")).toHaveValue("5B");
  await check(page, "a class that two have renamed");
  await renaming.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { name: "5B", level: 1 })).toBeVisible();
  await messages(page).getByRole("button", { name: "Undo" }).last().click();
  await expect(page.getByRole("heading", { name: "5 Blue", level: 1 })).toBeVisible();
  expect(await read(page, id)).toMatchObject({ name: "5 Blue", grade: 5, people: 1 });

  await page.getByRole("button", { name: "Delete…" }).click();
  const removing = page.getByRole("dialog", { name: "Delete 5 Blue?" });
  await expect(removing.getByText("The class and its list of 1 person are removed for good.")).toBeVisible();
  await check(page, "before a class is deleted");
  await removing.getByRole("button", { name: "Delete the class" }).click();
  await expect(messages(page).getByText("5 Blue is deleted.")).toBeVisible();
  await expect(page).toHaveURL("/staff/classes");
  await expect(page.getByText("There is no class yet.")).toBeVisible();
  await page.goto(`/staff/classes/${id}`);
  await expect(page.getByText("There is no class at this address.")).toBeVisible();
});

test("classes stand by grade, are found, and those of a grade are its managers'", async ({ browser, hall, page }) => {
  await signInAsAdmin(page);
  for (const [name, grade] of [["10A", 10], ["5A10", 5], ["5A2", 5], ["6A", 6]] as const) await call(page, "POST", "/api/admin/classes", { name, grade });
  await page.goto("/staff/classes");
  const rows = page.getByRole("grid", { name: "Classes" }).getByRole("rowheader");
  await expect(rows).toHaveText(["5A2", "5A10", "6A", "10A"]);
  await check(page, "classes");
  await page.getByRole("combobox", { name: "Grade" }).selectOption("Grade 5");
  await expect(page.getByText("2 of 4 classes")).toBeVisible();
  await page.getByRole("searchbox", { name: "Find" }).fill("a1");
  await expect(rows).toHaveText(["5A10"]);
  await expect(page).toHaveURL(/grade=5.*find=a1/);
  await page.reload();
  await expect(rows).toHaveText(["5A10"]);
  await page.getByRole("searchbox", { name: "Find" }).fill("x");
  await expect(page.getByText("No class fits these filters.")).toBeVisible();
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await expect(rows).toHaveCount(4);

  // A name that the grade has is refused in words, and what was typed stays.
  await page.getByRole("button", { name: "New class" }).click();
  const making = page.getByRole("dialog", { name: "New class" });
  await making.getByLabel("Name").fill("6a");
  await making.getByRole("combobox", { name: "Grade" }).selectOption("Grade 6");
  await making.getByRole("button", { name: "Make the class" }).click();
  await expect(making.getByText("The grade has a class of this name already.")).toBeVisible();
  await expect(making.getByLabel("Name")).toHaveValue("6a");
  await page.keyboard.press("Escape");

  const { page: manager } = await hired(page, browser, hall, "manager", [6], "/staff/classes");
  await expect(manager.getByRole("grid", { name: "Classes" }).getByRole("rowheader")).toHaveText(["6A"]);
  const { page: reviewer } = await hired(page, browser, hall, "reviewer", [6], "/staff/classes");
  await expect(reviewer.getByText("Classes are kept by managers of the grade and by administrators.")).toBeVisible();
});

test("a roster takes classes over, and says first who would come and who is there", async ({ page }) => {
  await signInAsAdmin(page);
  await class_(page, "5A", 5, [["ada@school.example", "Ada L."], ["bo@school.example", "Bo Tran"]]);
  await class_(page, "5B", 5, [["bo@school.example", "Bo Tran"], ["cy@school.example", "Cy Young"]]);
  await class_(page, "9A", 9, [["di@school.example", "Di Le"]]);
  const id = await planned(page);
  await page.goto(`/staff/sittings/${id}`);
  await page.getByRole("button", { name: "Add classes…" }).click();
  const dialog = page.getByRole("dialog", { name: "Add classes" });
  // Those of the grade of the exam are shown first.
  await expect(dialog.getByRole("checkbox")).toHaveCount(2);
  await dialog.getByRole("combobox", { name: "Grade" }).selectOption("All");
  await expect(dialog.getByRole("checkbox")).toHaveCount(3);
  await dialog.getByRole("checkbox", { name: "5A" }).check();
  await expect(dialog.getByText("1 candidate would come, 1 is there already.")).toBeVisible();
  await dialog.getByRole("checkbox", { name: "5B" }).check();
  await expect(dialog.getByText("2 candidates would come, 1 is there already.")).toBeVisible();
  await check(page, "classes to add");
  expect(await roster(page, id)).toHaveLength(1);
  // Somebody else changes the sitting meanwhile.
  await call(page, "POST", `/api/admin/sittings/${id}/candidates`, { email: "cy@school.example", name: "Cy" });
  await dialog.getByRole("button", { name: "Add 2 candidates" }).click();
  await expect(dialog.getByText(/^Somebody has changed this sitting meanwhile\./)).toBeVisible();
  await expect(dialog.getByText("1 candidate would come, 2 are there already.")).toBeVisible();
  await dialog.getByRole("button", { name: "Add 1 candidate" }).click();
  await expect(messages(page).getByText("1 candidate of 5A, 5B added.")).toBeVisible();
  const all = await roster(page, id);
  // Whoever was there stays as they were.
  expect(names(all)).toEqual(["Ada Lovelace", "Bo Tran", "Cy"]);
  expect(all.find(({ name }: { name: string }) => name === "Ada Lovelace")).toMatchObject({ room: "B12", seat: "1", factor: 125 });
  await expect(page.getByRole("grid", { name: "People" }).getByRole("row", { name: /Bo Tran/ })).toBeVisible();
});

test("the same again next week, with another paper if one wants, and taken back", async ({ page }) => {
  await signInAsAdmin(page);
  const id = await planned(page);
  await template(page, "Paper of the second week");
  await page.goto(`/staff/sittings/${id}`);
  await page.getByRole("button", { name: "Again next week…" }).click();
  const dialog = page.getByRole("dialog", { name: "The same again" });
  await expect(dialog.getByLabel("Name")).toHaveValue("Weekly test");
  await expect(dialog.getByLabel("Start: time")).toHaveValue("10:00");
  await expect(dialog.getByLabel("Template").locator("option:checked")).toHaveText(/^New questions, same settings as /);
  await check(page, "the same again");
  await dialog.getByLabel("Template").selectOption({ index: 1 });
  await expect(dialog.getByText("The paper stays the same too", { exact: false })).toBeVisible();
  await dialog.getByLabel("Start: time").fill("10:15");
  await dialog.getByLabel("Template").selectOption({ index: 2 });
  await dialog.getByRole("button", { name: "Plan it for 1 candidate" }).click();
  await expect(messages(page).getByText("Weekly test is planned.")).toBeVisible();
  await expect(page).not.toHaveURL(new RegExp(id));
  const made = idOf(page);
  await expect(page.getByText("Paper of the second week").first()).toBeVisible();
  const { sitting } = await call(page, "GET", `/api/admin/sittings/${made}`);
  expect(sitting).toMatchObject({ name: "Weekly test", state: "draft", template: "Paper of the second week", rooms: [{ name: "B12", proctors: ["rita@school.example"] }] });
  expect(Date.parse(sitting.startsAt)).toBe(START + WEEK + 15 * MINUTE);
  expect(await roster(page, made)).toMatchObject([{ name: "Ada Lovelace", room: "B12", seat: "1", factor: 125 }]);

  // It is taken back with its notice.
  await messages(page).getByRole("button", { name: "Undo" }).click();
  await expect(page).toHaveURL(new RegExp(id));
  await call(page, "GET", `/api/admin/sittings/${made}`, undefined, 404);
});

test("one that is over leads to the next one from the top of its page, and nothing of it comes along", async ({ browser, hall }) => {
  const school = await School.open(browser, hall, [{ name: "Ada Lovelace", room: "B12", seat: "4" }]);
  const { page, sitting } = school;
  const ada = await school.entered("Ada Lovelace");
  await ready(ada.page);
  await call(page, "DELETE", school.path);
  await page.goto(`/staff/sittings/${sitting.id}`);
  await page.getByRole("button", { name: "Again next week…" }).click();
  await check(page, "one that is over, again");
  await page.getByRole("dialog", { name: "The same again" }).getByRole("button", { name: "Plan it for 1 candidate" }).click();
  await expect(messages(page).getByText(/^Final exam in mathematics is planned, with the new paper .+ \(2\)\.$/)).toBeVisible();
  await expect(page.getByRole("grid", { name: "People" }).getByRole("row", { name: /Ada Lovelace/ })).toBeVisible();
  const made = idOf(page);
  const again = (await call(page, "GET", `/api/admin/sittings/${made}`)).sitting;
  expect(again).toMatchObject({ state: "draft", template: `${sitting.template} (2)`, openedAt: null, endedAt: null, releasedAt: null });
  expect(again.code).not.toBe(sitting.code);
  expect(Math.abs(Date.parse(again.startsAt) - Date.parse(sitting.startsAt) - WEEK)).toBeLessThan(MINUTE);
  expect(await roster(page, made)).toMatchObject([{ name: "Ada Lovelace", room: "B12", seat: "4", state: "expected", sessionId: null, hasAccessCode: false }]);
});

test("on a phone the list of classes is seen whole, and on a desk it says more", async ({ page }) => {
  await signInAsAdmin(page);
  for (const [name, grade] of [["5A", 5], ["The long name of a class that meets on Thursdays", 10]] as const) await call(page, "POST", "/api/admin/classes", { name, grade });
  const grid = page.getByRole("grid", { name: "Classes" });
  for (const width of [390, 820, 1_366]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto("/staff/classes");
    await expect(grid.getByRole("rowheader")).toHaveCount(2);
    await expect(grid.getByRole("columnheader")).toHaveCount(width < 768 ? 3 : 5);
    expect(await grid.evaluate((node) => node.scrollWidth - node.clientWidth), `${width} px`).toBeLessThanOrEqual(0);
    await check(page, `classes, ${width} px`);
  }
});

test("the pages of classes are in Vietnamese too", async ({ page }) => {
  await signInAsAdmin(page);
  await class_(page, "5A", 5, [["ada@school.example", "Ada Lovelace"]]);
  await page.goto("/staff/classes");
  await page.getByLabel("Language").selectOption("vi");
  await expect(page.getByRole("heading", { name: "Lớp", level: 1 })).toBeVisible();
  await check(page, "classes in Vietnamese");
  await page.getByRole("link", { name: "5A" }).click();
  await expect(page.getByRole("button", { name: "Nhập học sinh" })).toBeVisible();
  await check(page, "a class in Vietnamese");
});
