// Pages that something translates all the same, though they ask not to be: each text is taken out of the page and put into
// two elements, as browsers and their extensions do. What is shown must still be true, and belong together.

import type { Page } from "@playwright/test";
import { settled } from "./accessible";
import { LONG, shortened } from "./frames";
import { expect, test } from "./hall";
import { ready, School, seconds } from "./sitting";
import { answer, at, saving, start } from "./student";
import { onToday } from "./staff/people";

/** Once, as a browser does when it is asked to; or over and over, as an extension does that watches the page. */
async function translate(page: Page, isInsisting = false): Promise<void> {
  await page.evaluate((isInsisting) => {
    const isFound = (text: Text) => text.data.trim() !== "" && text.parentElement?.localName !== "font";
    let turn = 0;
    function replace(root: Node) {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Text[] = [];
      for (let node: Node | null = root; node !== null; node = walker.nextNode()) if (node instanceof Text && isFound(node)) texts.push(node);
      for (const text of texts) {
        const [outer, inner] = [document.createElement("font"), document.createElement("font")];
        inner.textContent = text.data;
        outer.append(inner);
        if ((turn += 1) % 2 === 0) text.replaceWith(outer);
        else {
          text.before(outer);
          text.remove();
        }
      }
    }
    if (isInsisting) new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach(replace))).observe(document.body, { childList: true, subtree: true });
    replace(document.body);
  }, isInsisting);
}

const flat = (text: string) => text.replace(/\s+/g, " ").trim();

async function shownQuestion(page: Page): Promise<string> {
  await settled(page);
  return flat([await page.locator("#question-text").innerText(), ...(await page.locator(".option").allInnerTexts())].join(" | "));
}

test("a question that is translated keeps its text, its options and its answer, and the clock and the mark go on", async ({ page, context }) => {
  const answered: { questionId: string; selected: string }[] = [];
  page.on("websocket", (socket) => socket.on("framesent", ({ payload }) => String(payload).includes('"answer"') && answered.push(JSON.parse(String(payload)))));
  const time = await shortened(page);
  await start(page, LONG);
  await saving(page, "saved");
  expect(await page.evaluate(() => document.documentElement.translate), "the browser is asked not to").toBe(false);
  const questions: string[] = [];
  for (let number = 1; number <= 10; number += 1) {
    await at(page, number);
    questions.push(await shownQuestion(page));
    if (number < 10) await page.keyboard.press("ArrowRight");
  }
  expect(new Set(questions).size).toBe(10);

  for (const [index, isInsisting] of [false, true].entries()) {
    for (let number = 10; number > 1; number -= 1) await page.keyboard.press("ArrowLeft");
    await at(page, 1);
    await translate(page, isInsisting);
    for (let turn = 0; turn < 7; turn += 1) await page.keyboard.press("ArrowRight");
    await at(page, 8);
    await expect(page.locator("h1")).toHaveCount(1);
    expect(await shownQuestion(page)).toBe(questions[7]);
    await translate(page);
    await page.keyboard.press("ArrowRight");
    await at(page, 9);
    expect(await shownQuestion(page)).toBe(questions[8]);
    await answer(page, "BC".charAt(index));
    await expect.poll(() => answered.length).toBe(index + 1);
    const bank = (await (await page.request.get("/api/questions?grade=5")).json()) as { id: string; question: string }[];
    const { question } = bank.find(({ id }) => id === answered[index]!.questionId)!;
    const words = question.split("$")[0]!;
    expect(words.length).toBeGreaterThan(5);
    expect(flat(questions[8]!)).toContain(flat(words));
    await saving(page, "saved");
    await expect(page.locator("[data-saving] .long")).toHaveText("Saved");

    await context.setOffline(true);
    await expect(page.locator("[data-saving] .long")).toHaveText("Offline: kept on this device");
    await translate(page);
    await context.setOffline(false);
    await expect(page.locator("[data-saving] .long")).toHaveText("Saved");

    time.set(2_000_000 - index * 300_000);
    await expect(page.locator(".time")).toHaveText(["34 minutes left", "29 minutes left"][index]!);
  }
  for (const [left, shown] of [[600_900, /^10 minutes left$/], [170_000, /^02:4\d$/], [158_000, /^02:3\d$/]] as const) {
    await translate(page);
    time.set(left);
    await expect(page.locator(".time")).toHaveText(shown);
  }
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("listitem").getByText("9 questions have no answer yet.")).toBeVisible();
  await page.getByRole("button", { name: "Hand in" }).click();
  await page.getByRole("button", { name: "Yes, hand in" }).click();
  await expect(page.getByRole("heading", { name: "Your test has arrived" })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.translate), "a report may be translated").toBe(true);
});

test("a waiting room, the desk, the projector and Today that are translated go on", async ({ browser, hall }) => {
  test.setTimeout(120_000);
  const rooms = [{ name: "B12", proctors: ["rita@school.example"] }];
  const school = await School.open(browser, hall, [{ name: "Ada", room: "B12", seat: "1" }, { name: "Bo", room: "B12", seat: "2" }], { startsAt: seconds(3_600), rooms });
  const ada = (await school.entered("Ada")).page;
  await ready(ada);
  const figures = ada.getByRole("timer");
  await translate(ada);
  const first = await figures.innerText();
  await expect(figures).not.toHaveText(first);
  await school.change({ startsAt: seconds(7_200) });
  await expect(figures).toHaveText(/^0?1:5\d:\d\d$/);

  const { page } = school;
  const screen = await page.context().newPage();
  const today = await page.context().newPage();
  await page.goto(`/staff/sittings/${school.sitting.id}/desk?step=watch`);
  await screen.goto(`/sittings/${school.sitting.id}/screen`);
  await today.goto("/staff");
  await onToday(today);
  await expect(page.locator("[data-count=here]")).toHaveText("1 of 2");
  await expect(screen.getByText("1 student still to come")).toBeVisible();
  for (const one of [page, screen, today]) {
    expect(await one.evaluate(() => document.documentElement.translate)).toBe(false);
    await translate(one);
  }
  const clocks = [page.locator(".desk-head .time"), screen.locator("[role=timer].clock"), today.locator(".rail .clock")];
  const shown = await Promise.all(clocks.map((clock) => clock.innerText()));
  const bo = (await school.entered("Bo")).page;
  await ready(bo);
  await expect(page.locator("[data-count=here]")).toHaveText("2 of 2");
  await expect(screen.getByText("still to come")).toHaveCount(0);
  await expect(screen.getByText("2 of 2 ready")).toBeVisible();
  for (const [index, clock] of clocks.entries()) await expect(clock).not.toHaveText(shown[index]!);

  await translate(ada);
  await school.change({ startsAt: seconds(1) });
  await at(ada, 1);
  await answer(ada, "B");
  const tile = page.locator("li.tile", { hasText: "Ada" });
  await expect(tile).toContainText("1/10");
  await tile.getByRole("button").click();
  const drawer = page.locator(".drawer");
  await expect(drawer).toContainText("1 of 10");
  await translate(page);
  await ada.keyboard.press("ArrowRight");
  await answer(ada, "C");
  await expect(tile).toContainText("2/10");
  await expect(drawer).toContainText("2 of 10");
  await expect(page.locator("[data-count=work]")).toHaveText("2");
});
