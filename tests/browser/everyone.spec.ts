// Accessibility: axe on every state of the pages, the keyboard alone, a phone, and 200 % zoom.

import { check, fits, hasContrast, isAccessible, settled } from "./accessible";
import { LONG, shortened } from "./frames";
import { expect, test } from "./hall";
import { answer, at, chosen, closeMessage, handIn, kept, loseOne, next, passUntil, report, saving, SHORT, start, TOLD_AFTER } from "./student";

const SCREENS = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 360, height: 740 },
  // What 200 % zoom leaves of 1280 by 800.
  "at 200 %": { width: 640, height: 400 },
};

for (const [name, viewport] of Object.entries(SCREENS)) {
  test(`every page and state is accessible and fits: ${name}`, async ({ page, context }) => {
    await page.setViewportSize(viewport);
    await page.goto("/");
    await expect(page.getByRole("heading", { name: "Choose your test" })).toBeVisible();
    await check(page, "start");
    await page.goto("/test/11");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await check(page, "problem");
    await page.goto(SHORT);
    await expect(page.getByRole("button", { name: "Start the test" })).toBeVisible();
    await check(page, "intro");
    await page.getByRole("button", { name: "Start the test" }).click();
    await at(page, 1);
    await check(page, "question");
    await answer(page, "B");
    await page.keyboard.press("m");
    await next(page);
    await page.keyboard.press("ArrowLeft");
    await at(page, 1);
    await check(page, "answered and marked");
    // Where there is room, it is shown already.
    if (viewport.width < 600) await page.getByRole("button", { name: "Show the time left" }).click();
    await check(page, "time shown");
    await page.getByRole("button", { name: "Help" }).click();
    await check(page, "help");
    await page.keyboard.press("Escape");
    if (viewport.width < 1_024) {
      await page.getByRole("button", { name: "Questions" }).click();
      await check(page, "panel");
      await page.keyboard.press("Escape");
    }
    await page.keyboard.press("p");
    await expect(page.getByRole("button", { name: "Pen" })).toBeVisible();
    await check(page, "drawing");
    await page.keyboard.press("Escape");
    await saving(page, "saved");
    await kept(page);
    await context.setOffline(true);
    await answer(page, "C");
    await saving(page, "offline");
    await check(page, "offline");
    await page.reload();
    await expect(page.getByText("Time left: shown when the internet is back")).toBeVisible();
    await check(page, "loaded anew offline");
    await context.setOffline(false);
    await saving(page, "saved");
    for (let turn = 0; turn < 10; turn += 1) await page.keyboard.press("ArrowRight");
    await check(page, "review");
    await page.locator("main").getByRole("button", { name: "Hand in" }).click();
    await check(page, "confirmation");
    await page.keyboard.press("Escape");
    const second = await context.newPage();
    await second.setViewportSize(viewport);
    await second.goto(SHORT);
    await expect(second.getByRole("heading", { name: "A test is under way on this device" })).toBeVisible();
    await isAccessible(second, "under way");
    await fits(second, "under way");
    await second.close();
    await handIn(page);
    await check(page, "handed in");
    await report(page);
    await check(page, "report");
  });
}

for (const [name, viewport] of Object.entries(SCREENS)) {
  test(`what the clock and others do is seen wherever one has scrolled: ${name}`, async ({ page, context }) => {
    await page.setViewportSize(viewport);
    const time = await shortened(page);
    await start(page, `${LONG}&name=Ada`);
    await saving(page, "saved");
    // What has just come, as a message, gives the page more room a frame later.
    const scrolled = async () => {
      await settled(page);
      await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight }));
      // How high a question is decides what lies half below the bar at the top, where a target is too small; one scrolls on.
      await page.evaluate(() => {
        const isHalfSeen = (button: Element) => {
          const { left, top, bottom, width } = button.getBoundingClientRect();
          const isSeen = (y: number) => button.contains(document.elementFromPoint(left + width / 2, y));
          return isSeen(bottom - 2) && !isSeen(top + 2);
        };
        if ([...document.querySelectorAll("main button")].some(isHalfSeen)) scrollBy({ top: -48 });
      });
    };
    await scrolled();
    time.set(301_500);
    await expect(page.locator(".time.flash .chip")).toBeInViewport({ ratio: 1 });
    // The colours change all the time, so the flash is stopped at four points of its second.
    for (const milliseconds of [0, 250, 500, 750]) {
      const moving = await page.evaluate((milliseconds) => {
        const animations = document.getAnimations();
        for (const animation of animations) {
          animation.pause();
          animation.currentTime = milliseconds;
        }
        return animations.length;
      }, milliseconds);
      expect(moving).toBeGreaterThan(0);
      // Only the colours differ, and all four points must be seen within the five seconds of the flash.
      await hasContrast(page, ".time", `flash after ${milliseconds} ms`);
      expect(await page.locator(".time.flash").isVisible(), "it was there all the while").toBe(true);
    }
    await page.evaluate(() => document.getAnimations().forEach((animation) => animation.play()));
    time.tell({ type: "notice", text: "Please sit down, all of you. ".repeat(4), from: "ada@school.example" });
    await expect(page.locator(".notice").getByText("Please sit down")).toBeInViewport({ ratio: 1 });
    await scrolled();
    await check(page, "notice");
    await closeMessage(page);
    await expect(page.locator(".notice")).toHaveCount(0);
    time.set(170_000);
    await scrolled();
    await expect(page.getByRole("timer")).toBeInViewport({ ratio: 1 });
    await check(page, "countdown");
    time.tell({ type: "paused" });
    await expect(page.getByRole("heading", { name: "The test is paused" })).toBeInViewport({ ratio: 1 });
    await check(page, "paused");
    time.tell({ type: "unpaused", deadline: "", remainingMs: 160_000 });
    await at(page, 1);
    await scrolled();
    const second = await context.newPage();
    await second.goto(`${LONG}&name=Ada`);
    await at(second, 1);
    await expect(page.getByRole("heading", { name: "This test is open somewhere else" })).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("button", { name: "Continue here" })).toBeInViewport({ ratio: 1 });
    await expect(page.locator("[data-saving]")).toHaveCount(0);
    await check(page, "superseded");
    await second.close();
    await page.getByRole("button", { name: "Continue here" }).click();
    await at(page, 1);
    await saving(page, "saved");
    time.set(2_500);
    time.cut();
    await expect(page.getByRole("heading", { name: "Time is up" })).toBeInViewport({ ratio: 1 });
    await check(page, "time up");
  });
}

test("handing in without a network is accessible", async ({ page, context }) => {
  await start(page);
  await saving(page, "saved");
  await context.setOffline(true);
  await answer(page, "D");
  await saving(page, "offline");
  for (let turn = 0; turn < 10; turn += 1) await page.keyboard.press("ArrowRight");
  await page.locator("main").getByRole("button", { name: "Hand in" }).click();
  await page.getByRole("button", { name: "Yes, hand in" }).click();
  await expect(page.getByText("There is no internet right now.")).toBeVisible();
  await check(page, "ending offline");
});

test.describe("in Vietnamese", () => {
  test.use({ locale: "vi-VN", viewport: { width: 360, height: 740 } });

  test("every page fits a phone", async ({ page }) => {
    await page.goto("/");
    await expect(page.getByRole("heading", { name: "Chọn bài kiểm tra" })).toBeVisible();
    await check(page, "start");
    await page.goto("/test/5?mode=adaptive");
    await expect(page.getByText("Bài gồm hai phần.")).toBeVisible();
    await check(page, "intro");
    await page.getByRole("button", { name: "Bắt đầu làm bài" }).click();
    await expect(page.getByRole("heading", { name: "Câu 1/20" })).toBeVisible();
    await expect(page.getByText("Phần 1/2")).toBeVisible();
    await page.getByRole("button", { name: "Xem thời gian còn lại" }).click();
    await answer(page, "B");
    await page.keyboard.press("m");
    await check(page, "question");
    await page.keyboard.press("?");
    await check(page, "help");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Câu hỏi" }).click();
    await check(page, "panel");
    await page.getByRole("button", { name: "Xem lại", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Xem lại bài làm" })).toBeVisible();
    await check(page, "review");
    await page.locator("main").getByRole("button", { name: "Sang phần 2" }).click();
    await check(page, "confirmation");
    await page.locator("dialog").getByRole("button", { name: "Sang phần 2" }).click();
    await expect(page.getByText("Phần 2/2")).toBeVisible();
    await page.getByRole("button", { name: "Câu hỏi" }).click();
    await page.getByRole("button", { name: "Xem lại", exact: true }).click();
    await page.locator("main").getByRole("button", { name: "Nộp bài" }).click();
    await page.locator("dialog").getByRole("button", { name: "Nộp bài" }).click();
    await expect(page.getByRole("heading", { name: "Kết quả bài kiểm tra" })).toBeVisible();
    await check(page, "report");
  });
});

test("the keyboard alone is enough", async ({ page }) => {
  await page.goto(SHORT);
  await page.getByLabel("Your name").press("Enter");
  await at(page, 1);
  await expect(page.getByRole("heading", { name: "Question 1 of 10" })).toBeFocused();
  await answer(page, "D");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await expect(chosen(page)).toHaveValue("C");
  await page.keyboard.press("m");
  await expect(page.getByRole("button", { name: "Marked", exact: true })).toHaveAttribute("aria-pressed", "true");
  for (let number = 2; number <= 10; number += 1) {
    await page.keyboard.press("ArrowRight");
    await expect(page.getByRole("heading", { name: `Question ${number} of 10` })).toBeFocused();
  }
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("heading", { name: "Review your test" })).toBeFocused();
  const handing = page.locator("main").getByRole("button", { name: "Hand in" });
  for (let turn = 0; turn < 30 && !(await handing.evaluate((button) => button === document.activeElement)); turn += 1) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const sure = page.getByRole("button", { name: "Yes, hand in" });
  await expect(sure).toHaveAttribute("aria-disabled", "false");
  for (let turn = 0; turn < 5 && !(await sure.evaluate((button) => button === document.activeElement)); turn += 1) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Your test has arrived" })).toBeFocused();
});

test("letters can be switched off", async ({ page }) => {
  await start(page);
  await page.keyboard.press("?");
  await page.getByLabel("Use the keyboard’s letters").uncheck();
  await page.keyboard.press("Escape");
  await page.keyboard.press("a");
  await expect(chosen(page)).toHaveCount(0);
});

test("the focus stays where the student is", async ({ page }) => {
  await start(page);
  await page.getByRole("button", { name: "15 minutes left" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "15 minutes left" })).toBeFocused();
  await expect(page.locator("p[role=status]")).toHaveText("15 minutes left");
  await answer(page, "B");
  await page.getByRole("button", { name: "Clear my answer" }).focus();
  await page.keyboard.press("Enter");
  await expect(chosen(page)).toHaveCount(0);
  await expect(page.getByRole("radio").first()).toBeFocused();
  await page.keyboard.press("Space");
  await expect(chosen(page)).toHaveValue("A");
});

test("a start that fails keeps the name, and is told to whoever listens", async ({ page }) => {
  await page.goto(SHORT);
  await page.getByLabel("Your name").fill("Ada");
  await page.route("**/api/live", (route) => route.abort());
  await page.getByRole("button", { name: "Start the test" }).click();
  await expect(page.getByRole("heading", { name: /can’t be reached/ })).toBeFocused();
  await check(page, "start failed");
  await page.unroute("**/api/live");
  await at(page, 1);
  await expect(page.locator("header")).toContainText("Ada");
});

test("keys are named where they work, and one that is held down acts once", async ({ page }) => {
  await start(page);
  const mark = page.getByRole("button", { name: "Mark", exact: true });
  await expect(mark).toHaveAttribute("aria-keyshortcuts", "M");
  await expect(mark).toHaveAttribute("title", "Mark this question to look at it again later (M)");
  await expect(page.getByRole("button", { name: "Draw", exact: true })).toHaveAttribute("aria-keyshortcuts", "P");
  await expect(page.getByRole("button", { name: "Next" })).toHaveAttribute("aria-keyshortcuts", "ArrowRight");
  for (let turn = 0; turn < 4; turn += 1) await page.keyboard.down("ArrowRight");
  await page.keyboard.up("ArrowRight");
  await at(page, 2);
  for (let turn = 0; turn < 4; turn += 1) await page.keyboard.down("m");
  await page.keyboard.up("m");
  await expect(page.getByRole("button", { name: "Marked", exact: true })).toBeVisible();
  await page.keyboard.press("?");
  await page.getByLabel("Use the keyboard’s letters").uncheck();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Marked", exact: true })).not.toHaveAttribute("aria-keyshortcuts");
});

test("a browser that fails, and an end that tells of a loss, are accessible and fit a phone", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.clock.install();
  await loseOne(page);
  await passUntil(page, () => page.getByText("1 change did not reach the server in time.").isVisible(), TOLD_AFTER);
  await isAccessible(page, "loss");
  await fits(page, "loss");
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException("Connection to Indexed Database server lost", "UnknownError");
    };
  });
  await page.goto("/test/6");
  await expect(page.getByRole("heading", { name: "Your browser did not say" })).toBeVisible();
  await isAccessible(page, "unreadable");
  await fits(page, "unreadable");
});
