// What hands do by accident, and what the page must not do under them: double taps, messages that come while a student
// draws, the focus after what covered the page, and what is told to those who can't see it.

import type { Locator, Page, WebSocketRoute } from "@playwright/test";
import { LONG, shortened } from "./frames";
import { expect, test } from "./hall";
import { answer, at, chosen, closeMessage, draw, kept, next, OFTEN, saving, SHORT, start } from "./student";

const PHONE = { width: 390, height: 844 };

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const boxOf = async (locator: Locator): Promise<Box> => (await locator.boundingBox())!;

function areApart(one: Box, other: Box): boolean {
  return one.x + one.width <= other.x || other.x + other.width <= one.x || one.y + one.height <= other.y || other.y + other.height <= one.y;
}

/** Goes to the review without seeing every question. */
async function review(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Questions" }).click();
  await page.locator("dialog").getByRole("button", { name: "Review" }).click();
  await expect(page.getByRole("heading", { name: "Review your test" })).toBeVisible();
}

test.describe("on a phone with a touch screen", () => {
  test.use({ viewport: PHONE, hasTouch: true });

  for (const [name, address, open, sure] of [
    ["hands nothing in", SHORT, "Hand in", "Yes, hand in"],
    ["does not close part 1", "/test/5?mode=adaptive", "Go on to part 2", "Yes, go on to part 2"],
  ] as const)
    test(`a double tap ${name}, wherever it is`, async ({ page }) => {
      await start(page, address);
      await review(page);
      const button = page.locator("main").getByRole("button", { name: open });
      const confirming = page.getByRole("button", { name: sure });
      await button.scrollIntoViewIfNeeded();
      const { x, y, width, height } = await boxOf(button);
      // At the foot, in the middle and at the head of the screen: a dialog is in the middle by itself.
      for (const at of [y + height / 2, 420, 475, 530]) {
        await page.evaluate((by) => scrollBy(0, by), (await boxOf(button)).y + height / 2 - at);
        const box = await boxOf(button);
        for (const share of [0.15, 0.5, 0.85]) {
          const [left, top] = [x + width * share, box.y + height / 2];
          await page.touchscreen.tap(left, top);
          await page.touchscreen.tap(left, top);
          await expect(confirming).toBeVisible();
          expect(areApart(await boxOf(confirming), box), `${at} ${share}`).toBe(true);
          await expect(page.getByRole("alertdialog")).toBeVisible();
          await page.getByRole("button", { name: "Keep working" }).click();
          await expect(confirming).toHaveCount(0);
          await expect(button).toBeEnabled();
        }
      }
      // It says that it does not listen yet, and then does.
      const isDeaf = await button.evaluate(async (button: HTMLElement) => {
        button.click();
        let confirming: HTMLElement | null = null;
        while ((confirming = document.querySelector("dialog .main")) === null) await new Promise(requestAnimationFrame);
        confirming.click();
        return confirming.getAttribute("aria-disabled");
      });
      expect(isDeaf).toBe("true");
      await expect(confirming).toHaveAttribute("aria-disabled", "false");
      await expect(confirming).toBeVisible();
      await confirming.tap();
      await expect(page.getByText(open === "Hand in" ? "Your test has arrived" : "Part 2 of 2")).toBeVisible();
    });
});

test("a key that is held down hands nothing in, and does not close the question about it", async ({ page }) => {
  await start(page);
  await page.locator("nav").getByRole("button", { name: "Review" }).click();
  await page.locator("main").getByRole("button", { name: "Hand in" }).focus();
  const confirming = page.getByRole("button", { name: "Yes, hand in" });
  // The dialog listens only after a moment, and the key is held down for longer than that.
  for (let heard = 0; heard < 10; ) {
    await page.keyboard.down("Enter");
    if ((await confirming.getAttribute("aria-disabled")) === "false") heard += 1;
  }
  await page.keyboard.up("Enter");
  await expect(confirming).toBeVisible();
  await confirming.focus();
  for (let turn = 0; turn < 5; turn += 1) await page.keyboard.press("Escape");
  await expect(confirming).toHaveCount(0);
  await page.keyboard.press("Enter");
  await confirming.focus();
  await expect(confirming).toHaveAttribute("aria-disabled", "false");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Your test has arrived" })).toBeVisible();
});

for (const title of ["Time is up", "Sending your answers…"])
  test(`no key closes what covers a test that can't be changed any more: ${title}`, async ({ page }) => {
    let socket: WebSocketRoute | undefined;
    let isHeld = false;
    await page.routeWebSocket(/\/api\/live$/, (route) => {
      socket = route;
      const server = route.connectToServer();
      route.onMessage((message) => server.send(message));
      server.onMessage((message) => void (isHeld || route.send(message)));
    });
    await start(page);
    await saving(page, "saved");
    await page.locator("nav").getByRole("button", { name: "Review" }).click();
    isHeld = true;
    if (title === "Time is up") socket?.send(JSON.stringify({ type: "unpaused", deadline: "", remainingMs: 500 }));
    else {
      await page.locator("main").getByRole("button", { name: "Hand in" }).click();
      await page.getByRole("button", { name: "Yes, hand in" }).click();
    }
    const dialog = page.getByRole("alertdialog", { name: title });
    await expect(dialog).toBeVisible();
    for (let turn = 0; turn < 4; turn += 1) {
      await page.keyboard.press("Escape");
      await expect(dialog).toBeVisible();
      // As the button of a phone for going back does, of which the page is told afterwards.
      await page.evaluate(() => document.querySelector("dialog")?.close());
      await expect.poll(() => page.evaluate(() => document.querySelector("dialog:modal") !== null)).toBe(true);
    }
  });

/** Where everything of the question is. */
async function places(page: Page): Promise<(Box | null)[]> {
  const parts = ["h1", "#question-text", "label:nth-of-type(1)", "label:nth-of-type(4)", "nav", "header"];
  return Promise.all(parts.map((part) => page.locator(part).first().boundingBox()));
}

/** Whether all sides of the two boxes are at the same place, to less than a pixel: a sheet is scaled by a fraction. */
function isAlmost(one: Box | null, other: Box | null): boolean {
  return one !== null && other !== null && (["x", "y", "width", "height"] as const).every((side) => Math.abs(one[side] - other[side]) < 1);
}

const SCREENS = { desktop: { width: 1280, height: 800 }, phone: PHONE, "at 200 %": { width: 640, height: 400 } };
const MESSAGE = "Please look at the board: the second line of question 4 is wrong there, and it is right here.";

for (const [name, viewport] of Object.entries(SCREENS)) {
  test(`messages move nothing, come one at a time, and cover no button to go on: ${name}`, async ({ page }) => {
    await page.setViewportSize(viewport);
    const time = await shortened(page);
    await start(page, LONG);
    await saving(page, "saved");
    for (const where of [0, 10_000]) {
      await page.evaluate((top) => scrollTo({ top }), where);
      const before = await places(page);
      time.tell({ type: "notice", text: MESSAGE, from: "ada@school.example" });
      time.tell({ type: "extended", deadline: "", remainingMs: 2_000_000, minutes: 5 });
      const notice = page.locator(".notice");
      await expect(notice).toContainText(MESSAGE);
      await expect(notice).toHaveCount(1);
      await expect(notice).not.toContainText("5 more minutes");
      expect(await places(page)).toEqual(before);
      expect(areApart(await boxOf(notice), await boxOf(page.locator("nav")))).toBe(true);
      // What lies under it can be scrolled out.
      await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight }));
      expect(areApart(await boxOf(notice), await boxOf(page.locator("label").last()))).toBe(true);
      await page.evaluate((top) => scrollTo({ top }), where === 0 ? 0 : before[0]!.y);
      await page.evaluate((y) => scrollBy(0, document.querySelector("h1")!.getBoundingClientRect().y - y), before[0]!.y);
      await expect(page.getByRole("button", { name: "Close" })).toHaveCount(1);
      // A double tap on the one button must not close the next message unread. The first tap counts as soon as the message listens.
      await page.evaluate(async () => {
        const button = () => document.querySelector<HTMLElement>(".notice .button");
        const isNext = () => document.querySelector(".notice")?.textContent?.includes("5 more minutes") === true;
        for (; !isNext(); await new Promise(requestAnimationFrame)) button()?.click();
        button()?.click();
      });
      await expect(notice).toHaveText(/You have 5 more minutes/);
      expect(await places(page)).toEqual(before);
      await closeMessage(page);
      await expect(notice).toHaveCount(0);
      expect(await places(page)).toEqual(before);
    }
  });

  test(`marking and choosing move nothing: ${name}`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await start(page);
    await saving(page, "saved");
    const before = (await places(page)).slice(0, 5);
    for (const key of ["m", "m", "b", "c", "Shift+A", "Shift+C", "d", "Shift+A"]) {
      await page.keyboard.press(key);
      expect((await places(page)).slice(0, 5), key).toEqual(before);
    }
    await page.keyboard.press("p");
    await draw(page, "Pen", [60, 200], [200, 220]);
    await page.getByRole("button", { name: "Done" }).click();
    await at(page, 1);
    // The drawing lies on the question now, which is where it was.
    await expect(page.locator(".lying .ink path")).toHaveCount(1);
    for (const [index, box] of (await places(page)).slice(0, 5).entries()) expect(isAlmost(box, before[index]!), `drawn ${index}`).toBe(true);
  });
}

/** The points of the strokes that the page has sent. */
function sentStrokes(page: Page): () => number[][] {
  let strokes: number[][] = [];
  page.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => {
      const frame = JSON.parse(String(payload)) as { type: string; drawing?: { items: { p: number[] }[] } | null };
      if (frame.type === "drawing") strokes = (frame.drawing?.items ?? []).map(({ p }) => p);
    }),
  );
  return () => strokes;
}

for (const name of ["desktop", "phone"] as const)
  test(`a message that comes while a student draws waits, and moves no stroke: ${name}`, async ({ page }) => {
    await page.setViewportSize(SCREENS[name]);
    const strokes = sentStrokes(page);
    const time = await shortened(page);
    await page.clock.install();
    await start(page, LONG);
    await saving(page, "saved");
    await page.keyboard.press("p");
    const sheet = page.locator("canvas.passing");
    const before = await boxOf(sheet);
    await page.getByRole("button", { name: "Line" }).click();
    await page.mouse.move(before.x + 140, before.y + 200);
    await page.mouse.down();
    await page.mouse.move(before.x + 200, before.y + 210, { steps: 5 });
    time.tell({ type: "notice", text: MESSAGE, from: "ada@school.example" });
    // Whoever only listens is told at once.
    await expect(page.locator("p[role=status]")).toContainText(MESSAGE);
    await page.clock.runFor(1_000);
    await expect(page.locator(".notice")).toHaveCount(0);
    expect(await boxOf(sheet)).toEqual(before);
    await page.mouse.move(before.x + 280, before.y + 220, { steps: 5 });
    await page.mouse.up();
    await expect(page.locator(".notice")).toContainText(MESSAGE);
    expect(await boxOf(sheet)).toEqual(before);
    await page.mouse.move(before.x + 140, before.y + 300);
    await page.mouse.down();
    await page.mouse.move(before.x + 280, before.y + 320, { steps: 5 });
    await page.mouse.up();
    await closeMessage(page);
    await expect(page.locator(".notice")).toHaveCount(0);
    expect(await boxOf(sheet)).toEqual(before);
    await expect.poll(() => strokes().length).toBe(2);
    const [first = [], second = []] = strokes();
    const unit = 140 / (first[2]! - first[0]!);
    expect(first[1]! * unit).toBeCloseTo(200, -1);
    expect((second[1]! - first[1]!) * unit).toBeCloseTo(100, -0.5);
    expect((second[0]! - first[0]!) * unit).toBeCloseTo(0, -0.5);
  });

test("a palm that lies on the screen does not keep a message away for long", async ({ page }) => {
  await page.clock.install();
  const time = await shortened(page);
  await start(page, LONG);
  await page.clock.runFor(2_000);
  await saving(page, "saved");
  await page.locator("main").dispatchEvent("pointerdown", { pointerType: "touch", pointerId: 7, bubbles: true });
  time.tell({ type: "notice", text: MESSAGE, from: "ada@school.example" });
  await expect(page.locator("p[role=status]")).toContainText(MESSAGE);
  await expect(page.locator(".notice")).toHaveCount(0);
  await page.clock.runFor(11_000);
  await expect(page.locator(".notice")).toBeVisible();
});

test("the focus is back where it was after every dialog, the sheet and a pause", async ({ page, context }) => {
  const time = await shortened(page);
  await page.setViewportSize(PHONE);
  await start(page, LONG);
  await saving(page, "saved");
  const option = page.getByRole("radio").nth(1);
  const isBack = async (element: Locator, what: string) => expect(element, what).toBeFocused();
  const help = page.getByRole("button", { name: "Help" });
  await help.click();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await isBack(help, "help");
  await option.focus();
  await page.keyboard.press("?");
  await page.keyboard.press("Escape");
  await isBack(option, "help by key");
  const panel = page.getByRole("button", { name: "Questions" });
  await panel.click();
  await page.keyboard.press("Escape");
  await isBack(panel, "panel");
  const drawing = page.getByRole("button", { name: "Draw", exact: true });
  await page.evaluate(() => scrollTo({ top: 60 }));
  await drawing.focus();
  const scrolled = await page.evaluate(() => scrollY);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Done" }).click();
  await isBack(drawing, "sheet");
  expect(await page.evaluate(() => scrollY)).toBe(scrolled);
  await option.focus();
  await page.keyboard.press("p");
  await page.keyboard.press("Escape");
  await isBack(option, "sheet by key");
  for (const what of ["option", "help", "sheet"]) {
    if (what === "help") await page.keyboard.press("?");
    if (what === "sheet") await page.keyboard.press("p");
    if (what === "sheet") await expect(page.getByRole("button", { name: "Pen" })).toBeVisible();
    time.tell({ type: "paused" });
    await expect(page.getByRole("heading", { name: "The test is paused", includeHidden: true })).toBeVisible();
    if (what === "help") await page.keyboard.press("Escape");
    else await isBack(page.getByRole("heading", { name: "The test is paused" }), `pause: ${what}`);
    time.tell({ type: "unpaused", deadline: "", remainingMs: 2_000_000 });
    await isBack(option, `after the pause: ${what}`);
  }
  await review(page);
  const handing = page.locator("main").getByRole("button", { name: "Hand in" });
  await handing.click();
  await page.getByRole("button", { name: "Keep working" }).click();
  await isBack(handing, "confirmation");
  await context.setOffline(true);
  time.cut();
  await saving(page, "offline");
  await handing.click();
  await page.getByRole("button", { name: "Yes, hand in" }).click();
  await expect(page.getByText("There is no internet right now.")).toBeVisible();
  await page.getByRole("button", { name: "Keep working" }).click();
  await isBack(handing, "ending");
});

/** Everything that the live region has said, in order. */
async function said(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const said: string[] = [];
    Object.assign(window, { said });
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes) if (node.parentElement?.closest("[role=status], [aria-live]") != null && node.textContent?.trim()) said.push(node.textContent.trim());
    }).observe(document, { childList: true, subtree: true });
  });
  return () => page.evaluate(() => (window as unknown as { said: string[] }).said);
}

const SENTENCES = {
  "en-GB": {
    all: [
      "Answer B chosen.",
      "Answer C chosen.",
      "This question is marked.",
      "This question is not marked any more.",
      "Your answer is cleared.",
      "Message from your teacher: Look at the board",
      "Offline: kept on this device",
      "Answer A chosen.",
      "Everything is saved again.",
      "The test is paused. The clock stands still. The test goes on when your teacher says so.",
      "The test goes on.",
    ],
    begin: "Start the test",
    clear: "Clear my answer",
  },
  "vi-VN": {
    all: [
      "Đã chọn câu trả lời B.",
      "Đã chọn câu trả lời C.",
      "Đã đánh dấu câu này.",
      "Đã bỏ đánh dấu câu này.",
      "Đã xóa câu trả lời.",
      "Lời nhắn của thầy cô: Look at the board",
      "Mất mạng: bài được giữ trên máy này",
      "Đã chọn câu trả lời A.",
      "Mọi thứ đã được lưu lại.",
      "Bài kiểm tra tạm dừng. Đồng hồ đang dừng. Bài sẽ tiếp tục khi thầy cô cho phép.",
      "Bài kiểm tra tiếp tục.",
    ],
    begin: "Bắt đầu làm bài",
    clear: "Xóa câu trả lời",
  },
};

for (const [locale, { all, begin, clear }] of Object.entries(SENTENCES))
  test.describe(locale, () => {
    test.use({ locale });

    test("one live region says what others see, once each, and no more", async ({ page, context, hall }) => {
      const heard = await said(page);
      const time = await shortened(page);
      await page.goto(LONG);
      await page.getByRole("button", { name: begin }).click();
      await saving(page, "saved");
      await kept(page);
      await expect(page.locator("[role=status], [role=alert], [aria-live]")).toHaveCount(1);
      await answer(page, "B");
      await page.locator("label", { has: page.locator("[value=C]") }).click();
      await page.keyboard.press("m");
      await page.keyboard.press("m");
      await page.getByRole("button", { name: clear }).click();
      time.tell({ type: "notice", text: "Look at the board", from: "ada@school.example" });
      await expect.poll(heard, OFTEN).toContain(all[5]);
      // A network that is back at once is not worth a word.
      await context.setOffline(true);
      await saving(page, "offline");
      await context.setOffline(false);
      await saving(page, "saved");
      await hall.kill();
      await expect.poll(heard, OFTEN).toContain(all[6]);
      await answer(page, "A");
      await hall.start();
      await expect.poll(heard, OFTEN).toContain(all[8]);
      time.tell({ type: "paused" });
      await expect.poll(heard, OFTEN).toContain(all[9]);
      time.tell({ type: "unpaused", deadline: "", remainingMs: 2_000_000 });
      await expect.poll(heard, OFTEN).toContain(all[10]);
      expect((await heard()).filter((sentence) => !/loading|One moment|Chờ/.test(sentence))).toEqual(all);
      await expect(page.locator("[role=status], [role=alert], [aria-live]")).toHaveCount(1);
    });
  });

test.describe("in Vietnamese", () => {
  test.use({ locale: "vi-VN" });

  test("an English question says that it is English, on the page, on the sheet and in a message", async ({ page }) => {
    const time = await shortened(page);
    await page.goto(LONG);
    await page.getByRole("button", { name: "Bắt đầu làm bài" }).click();
    await expect(page.locator("#question-text")).toHaveAttribute("lang", "en");
    await expect(page.locator(".option[lang=en]")).toHaveCount(4);
    await saving(page, "saved");
    time.tell({ type: "notice", text: "Look at the board", from: "ada@school.example" });
    await expect(page.locator(".notice [lang=en]")).toHaveText("Look at the board");
    await page.keyboard.press("p");
    await expect(page.locator(".printed [lang=en]")).toHaveCount(5);
  });
});

test("on an English page nothing is said of an English question's language", async ({ page }) => {
  await start(page);
  await expect(page.locator("main [lang]")).toHaveCount(0);
  await next(page);
  await expect(chosen(page)).toHaveCount(0);
});
