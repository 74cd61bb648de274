// What all staff pages have in common: the school's face and clocks, one button that stands out, boxes as large as a finger needs them,
// and messages that cover nothing.

import type { Browser, Page } from "@playwright/test";
import { check } from "../accessible";
import { expect, test, type Hall } from "../hall";
import { School } from "../sitting";
import { call, template } from "../student";
import { onToday, signIn } from "./people";

const WIDTHS = [390, 820, 1_366];
const NAME = "Trường Trung học cơ sở Lê Lợi";

const messages = (page: Page) => page.getByRole("region", { name: "Messages", exact: true });
const rail = (page: Page) => page.getByRole("navigation", { name: "Pages" });

/** The head, whose school has a name, a colour and a zone. */
async function named(browser: Browser, hall: Hall, options = {}): Promise<Page> {
  const { page } = await signIn(browser, hall, "head@school.example", "Head", "/healthz", options);
  await call(page, "PATCH", "/api/admin/school", { name: NAME, colour: "#7a1f1f", timeZone: "Asia/Ho_Chi_Minh" });
  await page.goto("/staff");
  await onToday(page);
  return page;
}

test("the rail, the title and the sign-in have the school's name and colour, and a change shows at once", async ({ browser, hall }) => {
  const page = await named(browser, hall);
  await expect(page.getByRole("banner").getByRole("link", { name: NAME })).toBeVisible();
  await expect(page).toHaveTitle(`Today – ${NAME}`);
  const accent = () => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--accent").trim());
  await expect.poll(accent).toBe("#7a1f1f");
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 844 });
    await check(page, `a school's own face, ${width} px`);
  }
  await page.goto("/staff/school");
  await page.getByLabel("Name of the school").fill("Lê Lợi");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("banner").getByRole("link", { name: "Lê Lợi", exact: true })).toBeVisible();
  const guest = await (await browser.newContext({ baseURL: hall.url, locale: "en-GB" })).newPage();
  await guest.goto("/auth/sign-in?return_to=/staff");
  await expect(guest.getByRole("link", { name: "Lê Lợi", exact: true })).toBeVisible();
  await check(guest, "sign-in of a school");
  await guest.goto("/staff");
  await expect(guest.getByText("Lê Lợi", { exact: true })).toBeVisible();
});

test("times are by the school's clocks, wherever whoever looks is", async ({ browser, hall }) => {
  const page = await named(browser, hall, { timezoneId: "America/New_York" });
  const templateId = await template(page, "Paper");
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  await call(page, "POST", "/api/admin/sittings", { name: "Early exam", templateId, startsAt: `${tomorrow}T01:30:00Z` });
  await page.goto("/staff/sittings");
  await expect(page.getByRole("listitem").filter({ hasText: "Early exam" }).locator("time")).toHaveText("08:30");
  await expect(page.getByText(/Asia\/Ho_Chi_Minh, UTC\+7/).first()).toBeVisible();
});

/** Every page that has an address of its own, with what a school has on a day of an exam. */
async function addresses(school: School): Promise<[string, string][]> {
  const { id, templateId } = school.sitting as { id: string; templateId: string };
  return [
    ["today", "/staff"],
    ["sittings", "/staff/sittings"],
    ["a new sitting", "/staff/sittings/new"],
    ["a sitting", `/staff/sittings/${id}`],
    ["its desk", `/staff/sittings/${id}/desk`],
    ["templates", "/staff/templates"],
    ["a new template", "/staff/templates/new"],
    ["a template", `/staff/templates/${templateId}`],
    ["its settings", `/staff/templates/${templateId}?view=settings`],
    ["its list", `/staff/templates/${templateId}?view=choose`],
    ["questions", "/staff/questions?grade=5"],
    ["a question", "/staff/questions?grade=5&question=g5-001"],
    ["a new question", "/staff/questions/new?grade=5"],
    ["importing", "/staff/questions/import"],
    ["sign-off", "/staff/signoff"],
    ["the sign-off of a grade", "/staff/signoff/5"],
    ["results", "/staff/results"],
    ["the calendar", "/staff/calendar"],
    ["a new event", "/staff/calendar/new"],
    ["classes", "/staff/classes"],
    ["people", "/staff/people"],
    ["adding people", "/staff/people/add"],
    ["the register", "/staff/people/accommodations"],
    ["the settings", "/staff/school"],
    ["tokens", "/staff/school?tab=tokens"],
    ["webhooks", "/staff/school?tab=webhooks"],
    ["learning platforms", "/staff/school/platforms"],
    ["a new platform", "/staff/school/platforms/new"],
    ["the audit", "/staff/school/audit"],
  ];
}

/** What stands out, and the boxes that are too small or off the first line of their words. */
async function looks(page: Page): Promise<{ main: string[]; danger: string[]; boxes: string[] }> {
  return page.evaluate(() => {
    const isShown = (node: Element) => node.getClientRects().length > 0 && node.closest("[aria-hidden=true]") === null;
    const shown = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)].filter(isShown);
    const nameOf = (node: Element) => node.textContent?.trim() ?? "";
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.color = "var(--accent)";
    const loud = getComputedStyle(probe).color;
    probe.remove();
    const isLoud = (node: Element) => getComputedStyle(node).backgroundColor === loud;
    const boxes = shown("main input:is([type=checkbox], [type=radio]), .rail input[type=checkbox]").flatMap((box) => {
      const { width, height, top } = box.getBoundingClientRect();
      const label = box.closest("label");
      const words = document.createRange();
      const text = label === null ? undefined : [...(function* texts(node: Node): Generator<Text> {
        for (const child of node.childNodes) {
          if (child instanceof Text && child.data.trim() !== "") yield child;
          else yield* texts(child);
        }
      })(label)][0];
      if (width < 24 || height < 24) return [`${nameOf(label ?? box)}: ${width} × ${height}`];
      if (text === undefined) return [];
      words.selectNodeContents(text);
      const [line] = [...words.getClientRects()].filter(({ width }) => width > 1);
      const off = line === undefined ? 0 : Math.abs(top + height / 2 - (line.top + line.height / 2));
      return off > 3 ? [`${nameOf(label ?? box)}: ${off} px off its line`] : [];
    });
    return {
      main: shown("main .button").filter(isLoud).map(nameOf),
      // What deletes has neither a ground nor a border before it is meant.
      danger: shown("main .button.danger").filter((node) => getComputedStyle(node).borderTopColor !== "rgba(0, 0, 0, 0)").map(nameOf),
      boxes,
    };
  });
}

test("each page has one button that stands out at most, none that deletes, and boxes of 24 px on the line of their words", async ({ browser, hall }) => {
  // Some thirty pages.
  test.setTimeout(150_000);
  const school = await School.open(browser, hall, [{ name: "Ada" }, { name: "Bo" }], { rooms: [{ name: "Room 101" }] });
  const { page } = school;
  await page.setViewportSize({ width: 1_366, height: 768 });
  let [boxes, mains] = [0, 0];
  for (const [name, address] of await addresses(school)) {
    await page.goto(address);
    await expect(page.getByRole("heading", { level: 1 }), name).toBeVisible();
    await expect(page.getByText("One moment…"), name).toHaveCount(0);
    await page.mouse.move(0, 0);
    const found = await looks(page);
    expect(found.main.length, `${name}: ${found.main.join(", ")}`).toBeLessThanOrEqual(1);
    expect([found.danger, found.boxes], name).toEqual([[], []]);
    mains += found.main.length;
    boxes += await page.locator("main input:is([type=checkbox], [type=radio])").count();
  }
  expect(mains).toBeGreaterThan(8);
  expect(boxes).toBeGreaterThan(20);
});

/** The message that lies over what has the focus, if one does. */
async function covered(page: Page): Promise<string | undefined> {
  return page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    const focused = document.activeElement;
    const box = focused?.getBoundingClientRect();
    if (focused == null || box === undefined || focused === document.body || focused.closest("[aria-label=Messages]") !== null || box.height > 160) return undefined;
    const over = [...document.querySelectorAll(".notice")].map((notice) => notice.getBoundingClientRect());
    const isOver = over.some(({ left, right, top, bottom }) => box.right > left && box.left < right && box.bottom > top && box.top < bottom);
    return isOver ? focused.outerHTML.slice(0, 200) : undefined;
  });
}

/** Something is on the record, which is saved as a file only then. */
const recorded = (page: Page) => call(page, "PATCH", "/api/admin/school", { name: "School" });

test("no message lies over what has the focus, on any screen", async ({ browser, hall }) => {
  test.setTimeout(120_000);
  const { page } = await signIn(browser, hall, "head@school.example", "Head", "/staff/school");
  await recorded(page);
  await page.route("**/api/admin/audit/export*", (route) => route.fulfill({ status: 500, json: { error: "No" } }));
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 640 });
    await page.goto("/staff/school/audit");
    await page.getByRole("button", { name: /csv/i }).click();
    await expect(messages(page).getByText(/exam server/)).toBeVisible();
    await check(page, `a complaint, ${width} px`);
    expect(await covered(page), `the button that was pressed, ${width} px`).toBeUndefined();
    const seen = new Set<string>();
    for (let turn = 0; turn < 25; turn += 1) {
      await page.keyboard.press("Tab");
      expect(await covered(page), `${width} px`).toBeUndefined();
      seen.add(await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 120) ?? ""));
    }
    expect(seen.size, "the focus goes through the page").toBeGreaterThan(10);
  }
});

test("a page is longer at its end by what a message covers there", async ({ browser, hall }) => {
  const { page } = await signIn(browser, hall, "head@school.example", "Head", "/staff/school", { viewport: { width: 1_366, height: 768 } });
  await recorded(page);
  await page.goto("/staff/school/audit");
  await page.route("**/api/admin/audit/export*", (route) => route.fulfill({ status: 500, json: { error: "No" } }));
  await page.getByRole("button", { name: /csv/i }).click();
  const notice = messages(page).locator(".notice");
  await expect(notice).toBeVisible();
  const covered = await notice.evaluate((node) => innerHeight - node.getBoundingClientRect().top);
  expect(covered).toBeLessThan(200);
  const room = () => page.evaluate(() => Number.parseFloat(getComputedStyle(document.querySelector("main") ?? document.body).paddingBottom));
  await expect.poll(room).toBeGreaterThanOrEqual(covered);
});

test("what is said again is counted", async ({ browser, hall }) => {
  const { page } = await signIn(browser, hall, "head@school.example", "Head", "/staff/school");
  for (const name of ["First", "Second", "Third"]) {
    await page.getByLabel("Name of the school").fill(name);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByRole("banner").getByRole("link", { name, exact: true })).toBeVisible();
  }
  await expect(messages(page).locator(".notice")).toHaveCount(1);
  await expect(messages(page).locator(".notice")).toContainText("3 ×");
  await messages(page).getByRole("button", { name: "Undo" }).click();
  await expect(page.getByLabel("Name of the school")).toHaveValue("Second");
});

test("on a phone the rail is one row, with the page that is shown, and the rest opens below", async ({ browser, hall }) => {
  const { page } = await signIn(browser, hall, "head@school.example", "Head", "/staff/people", { viewport: { width: 390, height: 844 } });
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(rail(page).getByRole("link", { name: "People" })).toHaveAttribute("aria-current", "page");
  const tops = await rail(page).locator("a, button").evaluateAll((entries) => entries.map((entry) => entry.getBoundingClientRect().top));
  expect([tops.length, new Set(tops).size]).toEqual([5, 1]);
  await rail(page).getByRole("button", { name: "More" }).click();
  await check(page, "all pages of the rail, 390 px");
  await rail(page).getByRole("link", { name: "Templates" }).click();
  await expect(page).toHaveURL("/staff/templates");
  await expect(rail(page).getByRole("button", { name: "More" })).toHaveAttribute("aria-expanded", "false");
  await expect(rail(page).getByRole("link", { name: "Templates" })).toHaveAttribute("aria-current", "page");
});
