// What the pages look like where it matters: forced colours, the narrowest phones, edges, fonts, titles, and the pages that the
// server renders itself.

import type { Locator, Page } from "@playwright/test";
import { check, fits } from "./accessible";
import { altered } from "./answers";
import { expect, test } from "./hall";
import { answer, at, draw, handIn, next, report, saving, SHORT, signInAsAdmin, start, tenQuestions } from "./student";

const NARROW = { width: 320, height: 568 };

/** The darkest and the lightest pixel of the element as it is shown, from 0 to 255. */
async function extremes(page: Page, shown: Locator): Promise<{ darkest: number; lightest: number }> {
  const picture = (await shown.screenshot()).toString("base64");
  return page.evaluate(async (picture) => {
    const image = new Image();
    image.src = `data:image/png;base64,${picture}`;
    await image.decode();
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d")!;
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    let [darkest, lightest] = [255, 0];
    for (let at = 0; at < data.length; at += 4) {
      const light = Math.round((data[at]! * 299 + data[at + 1]! * 587 + data[at + 2]! * 114) / 1000);
      [darkest, lightest] = [Math.min(darkest, light), Math.max(lightest, light)];
    }
    return { darkest, lightest };
  }, picture);
}

/** The colours that an element is shown with. Forced colours count, and shadows do not. */
const look = (shown: Locator) =>
  shown.evaluate((element) => {
    const { color, backgroundColor, borderWidth, borderColor, outlineWidth, outlineStyle } = getComputedStyle(element);
    return [color, backgroundColor, borderWidth, borderColor, outlineStyle === "none" ? "" : outlineWidth].join(" ");
  });

for (const colorScheme of ["light", "dark"] as const) {
  test(`what is chosen shows where colours are forced: ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ forcedColors: "active", colorScheme });
    await page.goto("/");
    const grade = (number: number) => page.locator(".grades label").nth(number - 1);
    const short = page.locator(".kinds label").nth(1);
    const [five, six, kind] = [await look(grade(5)), await look(grade(6)), await look(short)];
    expect(five).not.toBe(six);
    await short.click();
    // The colours of a hover and of the focus are not what is looked at.
    await page.getByRole("heading", { level: 1 }).click();
    expect(await look(short)).not.toBe(kind);
    await start(page, SHORT);
    await answer(page, "B");
    const option = (index: number) => page.locator("fieldset label").nth(index);
    expect(await look(option(1))).not.toBe(await look(option(0)));
    const number = (of: number) => page.locator(".wide-panel ol button").nth(of - 1);
    await next(page);
    await page.keyboard.press("ArrowRight");
    await at(page, 3);
    expect(await look(number(3))).not.toBe(await look(number(2)));
    await page.keyboard.press("p");
    const tool = (name: string) => page.getByRole("button", { name, exact: true });
    await draw(page, "Line", [40, 300], [300, 340]);
    expect(await look(tool("Line"))).not.toBe(await look(tool("Pen")));
    const { darkest, lightest } = await extremes(page, page.locator(".place"));
    expect(lightest - darkest, "ink on paper").toBeGreaterThan(150);
    expect(lightest, "the paper is light, as the ink is dark").toBeGreaterThan(240);
    await tool("Done").click();
    for (let turn = 0; turn < 10; turn += 1) await page.keyboard.press("ArrowRight");
    await handIn(page);
    await report(page);
    const bar = (part: string) => page.locator(`.scale ${part}`);
    expect(await look(bar(".reached"))).not.toBe(await look(bar(".bar")));
    const fill = (part: string) => page.locator(`svg .${part}`).first().evaluate((rect) => getComputedStyle(rect).fill);
    expect(await fill("right")).not.toBe(await fill("all"));
    const all = page.getByRole("button", { name: "All questions" });
    expect(await look(all)).not.toBe(await look(page.getByRole("button", { name: "Only mistakes" })));
  });
}

/** Checks that no word of the bar stands out of its button, and no button out of the bar. */
async function barFits(page: Page): Promise<void> {
  const buttons = await page.locator("nav .button:visible").evaluateAll((found) =>
    found.map((button) => {
      const [box, range] = [button.getBoundingClientRect(), document.createRange()];
      range.selectNodeContents(button);
      const words = range.getBoundingClientRect();
      return { name: button.textContent?.trim(), room: Math.min(words.left - box.left, box.right - words.right), left: box.left, right: box.right };
    }),
  );
  expect(buttons.length).toBeGreaterThanOrEqual(2);
  for (const [index, { name, room, left, right }] of buttons.entries()) {
    expect(room, name).toBeGreaterThanOrEqual(4);
    expect(left, name).toBeGreaterThanOrEqual(index === 0 ? 0 : (buttons[index - 1]?.right ?? 0));
    expect(right, name).toBeLessThanOrEqual(NARROW.width);
  }
}

/** How many stand in each row. */
async function rows(cells: Locator): Promise<number[]> {
  await expect(cells.last()).toBeVisible();
  return cells.evaluateAll((found) => {
    const tops = found.map((cell) => Math.round(cell.getBoundingClientRect().top));
    return [...new Set(tops)].map((top) => tops.filter((other) => other === top).length);
  });
}

for (const [locale, words] of [["en-GB", { start: "Start the test", panel: "Questions" }], ["vi-VN", { start: "Bắt đầu làm bài", panel: "Câu hỏi" }]] as const) {
  test.describe(`on the narrowest phones: ${locale}`, () => {
    test.use({ locale, viewport: NARROW });

    test("the bar fits, and grids have rows of five", async ({ page }) => {
      await page.goto("/");
      expect(await rows(page.locator(".grades label"))).toEqual([5, 5]);
      await fits(page, "start");
      await page.goto(SHORT);
      await page.getByRole("button", { name: words.start }).click();
      await expect(page.locator("#question-text")).toBeVisible();
      await barFits(page);
      await page.getByRole("button", { name: words.panel }).click();
      expect(await rows(page.locator("dialog ol button"))).toEqual([5, 5]);
      await fits(page, "panel");
      await page.keyboard.press("Escape");
      for (let turn = 0; turn < 9; turn += 1) await page.keyboard.press("ArrowRight");
      await barFits(page);
      await page.keyboard.press("ArrowRight");
      expect(await rows(page.locator("main ol button"))).toEqual([5, 5]);
      await check(page, "review");
    });
  });
}

for (const width of [320, 390]) {
  test(`the clock leaves what is saved to be read: ${width}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 740 });
    await start(page);
    await saving(page, "saved");
    await page.getByRole("button", { name: "Show the time left" }).click();
    const [mark, clock] = [(await page.locator("[data-saving]").boundingBox())!, (await page.locator(".chip").boundingBox())!];
    const isBeside = clock.x >= mark.x + mark.width + 4 || clock.y >= mark.y + mark.height;
    expect(isBeside, JSON.stringify({ mark, clock })).toBe(true);
  });
}

test("the head, the columns and the bar have the same edges, and rows of the review have ten", async ({ page }) => {
  for (const width of [1920, 1280, 800]) {
    await page.setViewportSize({ width, height: 900 });
    await start(page, `${SHORT}&name=${width}`);
    const left = async (shown: string) => Math.round((await page.locator(shown).first().boundingBox())!.x);
    const right = async (shown: string) => page.locator(shown).last().evaluate((element) => Math.round(element.getBoundingClientRect().right - parseFloat(getComputedStyle(element).paddingRight) * Number(element.matches(".bare"))));
    expect([await left("header .where"), await left("nav .button")], String(width)).toEqual([await left("main .card"), await left("main .card")]);
    expect(Math.abs((await right("header .button")) - (await right("nav .main"))), String(width)).toBeLessThanOrEqual(3);
    if (width > 1_024) expect(await rows(page.locator(".wide-panel ol button"))).toEqual([5, 5]);
    const lines = await page.locator(".panel ul li:visible").evaluateAll((found) => found.map((item) => item.getBoundingClientRect().height));
    for (const height of lines) expect(height, "a word of the legend is broken").toBeLessThan(40);
    for (let turn = 0; turn < 10; turn += 1) await page.keyboard.press("ArrowRight");
    expect(await rows(page.locator("main ol button"))).toEqual([10]);
  }
});

test("a page that can't be shown says why in its title", async ({ page }) => {
  await page.goto("/test/11");
  await expect(page).toHaveTitle("There are tests for grades 1 to 10. – Exam Hall");
  await page.goto("/t/5e0c39a5-31c1-4a60-a9a0-5d0c55a0a6f5");
  await expect(page).toHaveTitle("This test does not exist, or it is over. – Exam Hall");
  await page.goto("/report/nothing");
  await expect(page).toHaveTitle("There is no report with this address. – Exam Hall");
  await page.routeWebSocket(/\/api\/live$/, (socket) => socket.close({ code: 4404 }));
  await page.route(/\/api\/live\/[^/]+$/, (route) => route.fulfill({ status: 404, json: { error: "Session not found" } }));
  await page.goto(SHORT);
  await page.getByRole("button", { name: "Start the test" }).click();
  await expect(page.getByRole("heading", { name: "This test can’t go on here" })).toBeVisible();
  await expect(page).toHaveTitle("This test can’t go on here – Exam Hall");
});

test("an unknown address has a page for people, and JSON for programs", async ({ page }) => {
  for (const address of ["/nothing", "/test", "/test/5/6", "/t", "/report", "/nothing/at/all?x=1"]) {
    const answer = await page.goto(address);
    expect(answer?.status(), address).toBe(404);
    await expect(page.getByRole("heading", { name: "There is no page at this address." }), address).toBeFocused();
    await expect(page).toHaveTitle("There is no page at this address. – Exam Hall");
  }
  await check(page, "unknown");
  // A second time, when the browser has it already.
  await page.reload();
  await expect(page.getByRole("heading", { name: "There is no page at this address." })).toBeVisible();
  await page.getByRole("link", { name: "To the start page" }).click();
  await expect(page.getByRole("heading", { name: "Choose your test" })).toBeVisible();
  const asked = await page.request.get("/nothing");
  expect([asked.status(), await asked.json()]).toEqual([404, { error: "Not found" }]);
  expect(await (await page.goto("/api/nothing"))?.json()).toEqual({ error: "Not found" });
});

/** Collects what goes wrong on the console, and the fonts that are fetched for pages. */
function heard(page: Page): { errors: string[]; fonts: string[] } {
  const [errors, fonts]: string[][] = [[], []];
  page.on("console", (message) => message.type() === "error" && errors.push(`${message.text()} ${message.location().url}`));
  page.on("request", (request) => request.resourceType() === "font" && fonts.push(new URL(request.url()).pathname.split("/").at(-1)!.replace(/-\w+\.woff2$/, "")));
  return { errors, fonts };
}

test.describe("without a service worker, which fetches everything", () => {
  test.use({ serviceWorkers: "block" });

  test("a guest's pages load one font and leave the console clean", async ({ page }) => {
    const found = heard(page);
    // Without formulas and shapes, which have fonts of their own.
    await altered(page, /\/api\/questions\?/, (bank: { options: string[] }[]) =>
      bank.map((question) => ({ ...question, question: "How much is $5 and $3?", options: question.options.map((_, index) => String(index)) })),
    );
    await page.goto("/");
    await expect(page.getByRole("link", { name: "Sign in" })).toBeVisible();
    await start(page);
    await saving(page, "saved");
    await page.evaluate(() => document.fonts.ready);
    expect(found.errors).toEqual([]);
    expect([...new Set(found.fonts)].join()).toMatch(/^lexend-latin-wght-normal[^,]*$/);
    // The bank of another grade may be under way.
    await page.unrouteAll({ behavior: "wait" });
  });

  test("what Lexend lacks comes from one font, and only where it is shown", async ({ page }) => {
    await signInAsAdmin(page);
    const { address, ids } = await tenQuestions(page);
    const found = heard(page);
    await edit(page, ids, "If π ≤ 4 and √x ≠ 2, how large is ∠ABC → θ in x₀ + x₁ + 10⁻⁵ ≈ ∞?");
    await start(page, address);
    await page.evaluate(() => document.fonts.ready);
    await expect.poll(() => found.fonts.some((name) => name.startsWith("dejavu-sans-mathematics"))).toBe(true);
    const session = await page.context().newCDPSession(page);
    await session.send("DOM.enable");
    await session.send("CSS.enable");
    const { root } = await session.send("DOM.getDocument");
    const { nodeId } = await session.send("DOM.querySelector", { nodeId: root.nodeId, selector: "#question-text .rich" });
    const { fonts } = await session.send("CSS.getPlatformFontsForNode", { nodeId });
    expect(fonts.map(({ familyName, isCustomFont }) => `${familyName} ${isCustomFont}`).sort()).toEqual(["DejaVu Sans true", expect.stringMatching(/^Lexend.* true$/)]);
    expect(fonts.find(({ familyName }) => familyName === "DejaVu Sans")?.glyphCount).toBe(13);
  });

  test("formulas have a font of their own, which comes before the first of them is shown and fits the text", async ({ page }) => {
    await signInAsAdmin(page);
    const { address, ids } = await tenQuestions(page);
    await edit(page, ids, "What is $2\\frac{1}{3} \\times \\sqrt{x^2 + 16} \\le \\left(\\frac{\\pi}{2}\\right)^3$ of it?");
    const found = heard(page);
    let letGo = () => {};
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await page.route(/noto-sans-mathematics/, async (route) => {
      await held;
      await route.continue();
    });
    await start(page, address);
    const formula = page.locator("#question-text math");
    await expect(page.locator("#question-text")).toContainText("of it?");
    await expect(formula).toBeHidden();
    await expect(page.locator("#question-text")).not.toContainText("\\frac");
    letGo();
    await expect(formula).toBeVisible();
    expect(found.fonts.filter((name) => name.startsWith("noto-sans-mathematics"))).toHaveLength(1);
    const session = await page.context().newCDPSession(page);
    await session.send("DOM.enable");
    await session.send("CSS.enable");
    const { root } = await session.send("DOM.getDocument");
    for (const selector of ["#question-text math mi", "#question-text math mo", "#question-text math msqrt mn"]) {
      const { nodeId } = await session.send("DOM.querySelector", { nodeId: root.nodeId, selector });
      const { fonts } = await session.send("CSS.getPlatformFontsForNode", { nodeId });
      expect(fonts.map(({ familyName, isCustomFont }) => `${familyName} ${isCustomFont}`), selector).toEqual(["Noto Sans Math true"]);
    }
    const [line, text] = [await formula.boundingBox(), await page.locator("#question-text").boundingBox()];
    expect(line!.width).toBeLessThan(text!.width);
  });

  test("a formula is shown without its font if that does not come, and does not change later", async ({ page }) => {
    await signInAsAdmin(page);
    const { address, ids } = await tenQuestions(page);
    await edit(page, ids, "What is $\\frac{1}{3}$?");
    let letGo = () => {};
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await page.route(/noto-sans-mathematics/, async (route) => {
      await held;
      await route.continue();
    });
    await start(page, address);
    const formula = page.locator("#question-text math");
    await expect(formula).toBeVisible();
    const before = await formula.boundingBox();
    const arrived = page.waitForResponse(/noto-sans-mathematics/);
    letGo();
    await (await arrived).finished();
    expect(await page.evaluate(() => [...document.fonts].some(({ family }) => family.includes("Noto Sans Mathematics")))).toBe(false);
    expect(await formula.boundingBox()).toEqual(before);
  });
});

/** Gives these questions this text, and these options. */
async function edit(page: Page, ids: string[], question: string, options?: string[]): Promise<void> {
  await page.evaluate(
    async ([ids, updates]) => {
      for (const id of ids) {
        const body = JSON.stringify({ questionId: id, grade: 5, comment: "", updates });
        const response = await fetch("/api/review/edit", { method: "POST", headers: { "Content-Type": "application/json" }, body });
        if (!response.ok) throw new Error(await response.text());
      }
    },
    [ids, { question, ...(options && { options }) }] as const,
  );
}

test("two dollars put a formula in a line of its own, on the page, the sheet and the report", async ({ page }) => {
  await signInAsAdmin(page);
  const found = heard(page);
  const { address, ids } = await tenQuestions(page);
  await edit(page, ids, "Find $x$ in\n$$\\frac{x}{2} + \\sum_{n=1}^{3} n = 10$$\nif it costs $5.");
  await start(page, address);
  const formula = page.locator("#question-text math[display=block]");
  await expect(formula).toBeVisible();
  await expect(page.locator("#question-text")).not.toContainText("$$");
  await expect(page.locator("#question-text")).toContainText("if it costs $5.");
  const [text, own] = [(await page.locator("#question-text").boundingBox())!, (await formula.boundingBox())!];
  expect(Math.abs(own.x + own.width / 2 - (text.x + text.width / 2)), "in the middle").toBeLessThan(3);
  await check(page, "formula");
  await page.setViewportSize(NARROW);
  await check(page, "formula on a phone");
  await page.keyboard.press("p");
  await expect(page.locator(".sheet math[display=block]")).toBeVisible();
  await page.getByRole("button", { name: "Done" }).click();
  for (let turn = 0; turn < 10; turn += 1) await page.keyboard.press("ArrowRight");
  await handIn(page);
  await report(page);
  await expect(page.locator("article math[display=block]")).toHaveCount(10);
  expect(found.errors.filter((error) => error.includes("Content Security Policy"))).toEqual([]);
});

test("answers that are formulas are named in words, and screen readers get words alone where that is wanted", async ({ page }) => {
  await signInAsAdmin(page);
  const { address, ids } = await tenQuestions(page);
  await edit(page, ids, "What is $\\frac{5}{8}$ of $x^2$?", ["$\\frac{3}{4}$", "$\\sqrt{16}$ m", "$-x$", "none"]);
  await start(page, address);
  const text = page.locator("#question-text");
  const names = ["A 3 quarters", "B the square root of 16 m", "C negative x", "D none"];
  const named = async () => {
    for (const name of names) await expect(page.getByRole("radio", { name, exact: true })).toBeAttached();
  };
  await named();
  await expect(text.locator("math").first()).toHaveAccessibleName("5 eighths");
  const before = await text.boundingBox();
  await page.getByRole("button", { name: "My view (Aa)" }).click();
  await page.getByLabel("Formulas in words for screen readers").check();
  await check(page, "the choice");
  await page.keyboard.press("Escape");
  await expect(text).toMatchAriaSnapshot("- paragraph: /^What is 5 eighths of x squared ?\\?$/");
  await named();
  await check(page, "formulas in words");
  expect(await text.boundingBox(), "nothing looks different").toEqual(before);
  await page.reload();
  await expect(text).toContainText("x squared");
  await next(page);
  await named();
});

test("the server's own pages look like all others", async ({ page }) => {
  const found = heard(page);
  const style = (shown: string, ...names: string[]) => page.locator(shown).first().evaluate((element, names) => names.map((name) => getComputedStyle(element).getPropertyValue(name)), names);
  const looks = async () => [
    await style("html", "background-color", "color", "font-family", "font-size"),
    await style(".card", "background-color", "border-radius", "padding"),
    await style("h1", "font-size", "font-weight"),
    await style(".button.main", "background-color", "color", "border-radius", "min-height", "font-weight"),
    await style("header .name", "font-weight", "color"),
  ];
  await page.goto("/");
  const usual = await looks();
  const edge = (await page.locator("header .name").boundingBox())!.x;
  await page.goto("/auth/sign-in?return_to=/");
  await expect(page.getByLabel("E-mail address")).toBeFocused();
  expect(await looks()).toEqual(usual);
  expect((await page.locator("header .name").boundingBox())!.x).toBe(edge);
  await check(page, "sign-in");
  await page.setViewportSize(NARROW);
  await check(page, "sign-in on a phone");
  await page.getByLabel("E-mail address").fill("nobody@nothing");
  await page.getByLabel("Name").fill("Nobody");
  await page.getByLabel("E-mail address").evaluate((field: HTMLInputElement) => (field.type = "text"));
  await page.getByLabel("E-mail address").fill("nobody");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert")).toHaveText("This is not an e-mail address.");
  await check(page, "wrong address");
  expect(found.errors.filter((error) => !error.includes("400"))).toEqual([]);
});

for (const viewport of [{ width: 1366, height: 768 }, { width: 1280, height: 720 }, { width: 1024, height: 768 }])
  test(`a question with its answers and the way on is seen whole: ${viewport.width} × ${viewport.height}`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await altered(page, /\/api\/questions/, (bank: object[]) =>
      bank.map((question) => ({ ...question, image: undefined, question: "Anna walks three laps around the lake, and each lap is 2.4 kilometres long. ".repeat(2) })),
    );
    await start(page);
    await answer(page, "B");
    const box = async (part: string) => (await page.locator(part).first().boundingBox())!;
    const bar = await box("nav");
    expect(bar.y + bar.height).toBeLessThanOrEqual(viewport.height);
    for (const part of ["section.card", ".panel.card"])
      if (await page.locator(part).first().isVisible()) {
        const { y, height } = await box(part);
        expect(y, part).toBeGreaterThanOrEqual((await box("header")).height);
        expect(y + height, part).toBeLessThanOrEqual(bar.y);
      }
    expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight), "nothing to scroll").toBeLessThanOrEqual(0);
    await expect(page.getByRole("img", { name: "1 of 10 questions answered" })).toBeVisible();
  });
