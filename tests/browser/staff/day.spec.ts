// A whole exam day by the pages alone, on two servers: from the roster to the results in a workbook. Thirty candidates have real
// pages, two hundred are simulated, and one of the servers is killed in the middle.

import type { BrowserContext, Page } from "@playwright/test";
import { readFileSync } from "node:fs";
import { expect, test } from "../hall";
import { SimulatedCandidate } from "../simulated";
import { codesOf, enter, finish, ready } from "../sitting";
import { answer, at, saving, template } from "../student";
import { hasServices, TwoServers } from "../two_servers";
import { signIn } from "./people";

test.use({ chance: 1 });

const PAGES = 30;
const SIMULATED = 200;
const ALL = PAGES + SIMULATED;
/** How many pages enter and hand in at once: each has a browser's work to do on the same cores. */
const AT_ONCE = 5;

const name = (index: number) => `Student ${String(index + 1).padStart(3, "0")}`;
const room = (index: number) => (index % 2 === 0 ? "A1" : "A2");
const step = (page: Page, called: string) => page.getByRole("navigation", { name: "The steps of the day" }).getByRole("button", { name: new RegExp(called) });

async function inTurns<T>(all: T[], work: (one: T) => Promise<unknown>): Promise<void> {
  for (let first = 0; first < all.length; first += AT_ONCE) await Promise.all(all.slice(first, first + AT_ONCE).map(work));
}

test("a whole exam day goes by the pages alone, on two servers of which one is killed", async ({ browser }) => {
  test.skip(!hasServices(), "needs `eval \"$(scripts/services start)\"`");
  test.setTimeout(600_000);
  const site = new TwoServers();
  const devices: { context: BrowserContext; page: Page }[] = [];
  const simulated: SimulatedCandidate[] = [];
  try {
    await site.open();
    const { page: head } = await signIn(browser, site, "head@school.example", "Head");
    await template(head, "Final paper");
    let code = "";
    let codes = new Map<string, string>();
    let address = "";

    await test.step("the sitting is planned, and its roster pasted", async () => {
      await head.goto("/staff/sittings/new");
      await head.getByLabel("Name").fill("Final exam in mathematics");
      const startsAt = new Date(Date.now() + 20 * 60_000);
      const two = (number: number) => String(number).padStart(2, "0");
      await head.getByLabel("Start: day").fill(`${startsAt.getFullYear()}-${two(startsAt.getMonth() + 1)}-${two(startsAt.getDate())}`);
      await head.getByLabel("Start: time").fill(`${two(startsAt.getHours())}:${two(startsAt.getMinutes())}`);
      await head.getByLabel("A proctor, by saying begin").check();
      await head.getByLabel("Room", { exact: true }).fill("A1");
      await head.getByRole("button", { name: "Plan this sitting" }).click();
      await head.getByRole("dialog", { name: "Open the doors now?" }).getByRole("button", { name: "Yes, open the doors now" }).click();
      await expect(head.getByText("Nobody is on the roster.")).toBeVisible();
      address = new URL(head.url()).pathname;
      const rows = Array.from({ length: ALL }, (_, index) => [name(index), `s-${index}`, room(index), String(index + 1), index === 2 ? "125" : ""].join("\t"));
      await head.getByRole("button", { name: "Import a roster" }).click();
      await head.getByLabel("Roster, pasted from a spreadsheet").fill([["Full name", "Student number", "Room", "Seat", "Time factor"].join("\t"), ...rows].join("\n"));
      await expect(head.getByText(`This would add ${ALL}, update 0 and remove 0.`)).toBeVisible();
      await head.getByRole("button", { name: `Import ${ALL} candidates`, exact: true }).click();
      await expect(head.getByText(`${ALL} added, 0 updated, 0 removed`)).toBeVisible();
      await head.getByRole("button", { name: "Entry slips…" }).click();
      const [slips] = await Promise.all([head.waitForEvent("download", { timeout: 60_000 }), head.getByRole("button", { name: `Download ${ALL} slips` }).click()]);
      codes = codesOf(await slips.path(), Array.from({ length: ALL }, (_, index) => name(index)));
      expect(codes.size).toBe(ALL);
      code = /\/s\/([2-9A-Y]{5})/.exec((await head.getByText("/s/").first().textContent()) ?? "")?.[1] ?? "";
    });

    await test.step("everybody enters, and the desk says that all are ready", async () => {
      for (let index = PAGES; index < ALL; index += 1) simulated.push(new SimulatedCandidate(site.url, code, codes.get(name(index)) ?? ""));
      for (const one of simulated) one.enter();
      await inTurns(Array.from({ length: PAGES }, (_, index) => name(index)), async (one) => {
        const context = await browser.newContext({ baseURL: site.url, locale: "en-GB" });
        const page = await context.newPage();
        devices.push({ context, page });
        await enter(page, `/s/${code}`, codes.get(one) ?? "");
      });
      await head.goto(`${address}/desk`);
      await inTurns(devices, ({ page }) => ready(page));
      await expect(head.locator("[data-count=here]")).toHaveText(`${ALL} of ${ALL}`, { timeout: 60_000 });
      await expect(head.getByText(`${ALL} students ready`)).toBeVisible({ timeout: 60_000 });
    });
    const pages = devices.map(({ page }) => page);

    await test.step("the exam begins for all at one moment", async () => {
      await step(head, "Begin").click();
      await head.getByRole("button", { name: `Begin now for ${ALL} students` }).click();
      await head.getByRole("button", { name: "Yes, begin" }).click();
      await Promise.all(pages.map((page) => at(page, 1)));
      await expect.poll(() => simulated.filter(({ hasBegun }) => hasBegun).length).toBe(SIMULATED);
    });

    await test.step("they answer, an incident is put on record, and a server is killed", async () => {
      await inTurns(pages, (page) => answer(page, "B"));
      for (const [index, one] of simulated.entries()) one.answer(0, "ABCD".charAt(index % 4));
      await step(head, "Incidents").click();
      await head.getByRole("button", { name: "Note an incident of the room…" }).click();
      await head.getByLabel("What happened").fill("The light went out for a minute.");
      await head.getByRole("button", { name: "Put on record" }).click();
      await expect(head.getByRole("grid", { name: "Incidents" })).toContainText("The light went out for a minute.");
      await site.servers[0].kill();
      for (const [index, one] of simulated.entries()) one.answer(1, "ABCD".charAt(index % 4));
      await inTurns(pages, async (page) => {
        await page.keyboard.press("ArrowRight");
        await answer(page, "C");
        await saving(page, "saved");
      });
      await expect.poll(() => simulated.filter(({ isSaved }) => isSaved).length, { timeout: 60_000 }).toBe(SIMULATED);
      await step(head, "Watch").click();
      await expect(head.locator("[data-count=work]")).toHaveText(String(ALL), { timeout: 60_000 });
      await expect(head.locator("[data-count=offline]")).toHaveText("0", { timeout: 60_000 });
    });

    await test.step("all hand in, and nobody goes before their test is stored", async () => {
      await step(head, "Dismiss").click();
      for (const one of simulated) one.handIn();
      await expect(head.locator("[data-dismiss]")).toContainText(`${SIMULATED} of ${ALL} tests are stored.`, { timeout: 60_000 });
      await inTurns(pages, finish);
      await expect(head.locator("[data-dismiss=all]")).toHaveText(`All ${ALL} tests are stored. The room may go.`, { timeout: 60_000 });
      await head.goto(address.replace("/staff", "") + "/screen");
      await expect(head.getByText(`All ${ALL} tests are stored`)).toBeVisible();
      expect(simulated.flatMap(({ faults }) => faults)).toEqual([]);
    });

    await test.step("the results are released, and everybody sees their own", async () => {
      await head.goto(address);
      await head.getByRole("button", { name: `Release results (${ALL})` }).click();
      await head.getByRole("dialog").getByRole("button", { name: /^Release/ }).click();
      await expect(head.getByText(`The results of ${ALL} candidates are released.`)).toBeVisible();
      await Promise.all(pages.map((page) => expect(page.getByRole("heading", { name: "Test report" })).toBeVisible({ timeout: 60_000 })));
    });

    await test.step("the results are taken along", async () => {
      await head.goto(`/staff/results?sittingId=${address.split("/").at(-1)}`);
      const [file] = await Promise.all([head.waitForEvent("download"), head.getByRole("link", { name: `Save ${ALL} results as csv` }).click()]);
      const lines = readFileSync(await file.path(), "utf8").trim().split("\n").slice(1);
      expect(lines).toHaveLength(ALL);
      // Both answers of everybody are there: that of before the kill and that of after it.
      const answered = lines.filter((line) => (line.match(/,"?[A-D]"?(?=,|\r|$)/g) ?? []).length >= 2);
      expect(answered).toHaveLength(ALL);
      await expect(head.getByRole("link", { name: `Save ${ALL} results as xlsx` })).toBeVisible();
    });
  } finally {
    for (const one of simulated) one.leave();
    for (const { context } of devices) await context.close();
    await site.close();
  }
});
