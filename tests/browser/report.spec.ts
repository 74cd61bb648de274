// The report: what it shows and from when on, on the screen, on paper and as a PDF.

import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { check } from "./accessible";
import { altered } from "./answers";
import { expect, test } from "./hall";
import { answer, answerAll, handIn, next, report, saving, SHORT, start } from "./student";

/** Changes the stored session on its way to the page. */
async function changed(page: Page, change: (session: any) => void): Promise<void> {
  await altered(page, /\/api\/sessions\/[^/]+$/, (session) => {
    change(session);
    return session;
  });
}

async function finish(page: Page): Promise<void> {
  await start(page);
  await answerAll(page, 10);
  await handIn(page);
}

test.describe("when answers are kept back", () => {
  test.use({ options: { PUBLIC_ANSWERS: "false" } });

  test("no page has them before the test is handed in, and the report explains them", async ({ page }) => {
    const bodies: Promise<string>[] = [];
    page.on("requestfinished", (request) => {
      if (request.url().includes("/api/")) bodies.push(request.response().then((response) => response?.text() ?? "").catch(() => ""));
    });
    page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => bodies.push(Promise.resolve(String(payload)))));
    await start(page);
    await answerAll(page, 10);
    await saving(page, "saved");
    const seen = (await Promise.all(bodies)).join("\n");
    expect(seen).toContain('"options"');
    expect(seen).not.toMatch(/"(answer|correct)":\s*"[A-D]"/);
    expect(seen).not.toMatch(/"explanation":\s*"[^"]/);
    await handIn(page);
    await report(page);
    await expect(page.getByText("Right answer", { exact: true })).toHaveCount(10);
    await expect(page.locator("article").getByText("Explanation", { exact: true })).toHaveCount(10);
    await expect(page.locator("article").first()).toContainText(/Explanation \S+ \S+/);
  });
});

test("the PDF is one", async ({ page }) => {
  await finish(page);
  await report(page);
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Save as PDF" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/\.pdf$/);
  expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe("%PDF-");
});

test("nothing is cut off on paper, drawings neither", async ({ page }) => {
  await start(page);
  await page.keyboard.press("p");
  const box = (await page.locator("canvas.passing").boundingBox())!;
  await page.mouse.move(box.x + 120, box.y + 200);
  await page.mouse.down();
  // To the right edge of the sheet, which is wider than paper.
  await page.mouse.move(box.x + box.width - 20, box.y + 220, { steps: 8 });
  await page.mouse.up();
  await page.getByRole("button", { name: "Done" }).click();
  await saving(page, "saved");
  for (let turn = 0; turn < 10; turn += 1) await page.keyboard.press("ArrowRight");
  await handIn(page);
  await report(page);
  const sheet = page.getByRole("img", { name: "Your drawing on question 1" });
  const width = () => sheet.evaluate((sheet) => sheet.firstElementChild!.getBoundingClientRect().width);
  const onScreen = await width();
  await page.evaluate(() => {
    // This listener runs after the page's own, just before printing.
    addEventListener("beforeprint", () => Object.assign(window, { onPaper: document.querySelector("[aria-label^='Your drawing']")!.firstElementChild!.getBoundingClientRect().width }));
  });
  expect((await page.pdf({ format: "A4" })).subarray(0, 5).toString()).toBe("%PDF-");
  const onPaper = await page.evaluate(() => (window as { onPaper?: number }).onPaper);
  expect(onPaper).toBeCloseTo(640, 1);
  await expect.poll(width).toBe(onScreen);
  // The width of A4 between its margins.
  await page.setViewportSize({ width: 680, height: 900 });
  await page.emulateMedia({ media: "print" });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(680);
  await expect(page.getByRole("link", { name: "Save as PDF" })).toBeHidden();
});

/** The words of what this page prints, and on how many sheets. */
async function printed(page: Page, format: "A4" | "Letter"): Promise<{ sheets: number; words: string }> {
  const folder = await mkdtemp(join(tmpdir(), "examhall-printed-"));
  const path = join(folder, "page.pdf");
  const margin = "10mm";
  await page.pdf({ path, format, margin: { top: margin, right: margin, bottom: margin, left: margin } });
  const sheets = Number(execFileSync("qpdf", ["--show-npages", path]).toString());
  const words = execFileSync("pdftotext", ["-layout", path, "-"]).toString();
  await rm(folder, { recursive: true });
  return { sheets, words };
}

test("three sentences say what was reached, what went well and what to practise, on the report and on a sheet for parents", async ({ page }) => {
  await changed(page, ({ result, annotations }) => {
    const topics = [["Fractions and decimal numbers", 5, 6], ["Geometry", 1, 6], ["Time", 1, 1], ["Money", 1, 2], ["Lengths and areas of plane figures", 2, 3], ["Angles", 1, 2], ["Word problems", 2, 4], ["Series", 1, 2], ["Tables", 2, 2], ["Chance", 0, 2]] as const;
    result.topicBreakdown = topics.map(([topic, correct, total]) => ({ topic, correct, total, percentage: 0 }));
    const lines = Array.from({ length: 30 }, (_, index) => ({ ...result.answers[index % 10], selected: index < 16 ? "A" : index < 27 ? "B" : "", correct: "A", isCorrect: index < 16 }));
    Object.assign(result, { answers: lines, correctAnswers: 16, totalQuestions: 30 });
    annotations.name = "Nguyễn Thị Minh Khai Alexandra Wolfeschlegelsteinhausen";
  });
  await finish(page);
  await report(page);
  const sentences = ["You answered 16 of 30 questions correctly and left 3 open.", "What went well: Fractions and decimal numbers, with 5 of 6 right.", "What to practise: Geometry, where 1 of 6 was right."];
  await expect(page.getByRole("group", { name: "In short" }).locator("p")).toHaveText(sentences);
  await page.getByRole("link", { name: "Sheet for parents" }).click();
  await expect(page.getByRole("heading", { name: /^For the parents of Nguyễn Thị Minh Khai/ })).toBeVisible();
  await expect(page.getByRole("group", { name: "In short" }).locator("p").first()).toHaveText(/^Nguyễn .* answered 16 of 30 questions correctly and left 3 open\.$/);
  await check(page, "sheet for parents");
  for (const [language, words] of [["en", ["A little of Geometry", "The report has 2 more topics.", "200 to 800"]], ["vi", ["Phần cần luyện: Hình học", "Kính gửi phụ huynh em Nguyễn"]]] as const) {
    await page.getByRole("combobox").selectOption(language);
    for (const format of ["A4", "Letter"] as const) {
      const paper = await printed(page, format);
      expect(paper.sheets, `${language}, ${format}`).toBe(1);
      for (const word of words) expect(paper.words.replace(/\s+/g, " "), format).toContain(word);
      expect(paper.words.replace(/\s+/g, "")).toContain(page.url().split("?")[0]);
    }
  }
  await page.setViewportSize({ width: 320, height: 640 });
  await check(page, "sheet for parents on a narrow phone, in Vietnamese");
  await page.getByRole("link", { name: "Về bản kết quả" }).click();
  await expect(page.getByRole("heading", { name: "Kết quả bài kiểm tra" })).toBeVisible();
  await check(page, "report on a narrow phone, in Vietnamese");
});

test("without the questions' texts the report stands, and asks for them again", async ({ page }) => {
  await page.route("**/api/report/*/questions", (route) => route.abort());
  await finish(page);
  await report(page);
  await expect(page.getByText("The questions’ texts could not be loaded.")).toBeVisible();
  await expect(page.getByText("The text of this question is not available.")).toHaveCount(10);
  await expect(page.getByRole("img", { name: /on a scale from 200 to 800/ })).toBeVisible();
  await page.unroute("**/api/report/*/questions");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("The text of this question is not available.")).toHaveCount(0);
  await expect(page.locator("article li").first()).toBeVisible();
  await expect(page.getByText("could not be loaded")).toHaveCount(0);
});

test("a report says what the bank has become, and what of it is not shown yet and until when", async ({ page }) => {
  await changed(page, ({ result }) => {
    result.answers[2].selected = "B";
    result.answers[2].correct = "A";
  });
  await altered(page, "**/api/report/*/questions", ({ questions }) => {
    const [changed, removed, replaced] = questions.map(({ id }: { id: string }) => id);
    const withheld = { count: 2, until: "2027-05-05T03:00:00.000Z" };
    return { questions: questions.slice(0, 8), changed: [changed], removed: [removed], replaced: [replaced], withheld };
  });
  await finish(page);
  await report(page);
  const article = (index: number) => page.locator("article").nth(index);
  await expect(page.getByText(/another class is still to write 2 of these questions\. It shows their texts on 5 May 2027.*, or soon after\./)).toBeVisible();
  await expect(article(0)).toContainText("The question as it was asked. It has been changed since.");
  await expect(article(1)).toContainText("It is no longer in use.");
  await expect(article(2)).toContainText("what was asked was not kept");
  await expect(article(2)).toContainText("Your answer: B. Right answer: A.");
  await expect(article(2).locator("li.chosen, li.correct")).toHaveCount(0);
  await expect(article(3)).not.toContainText("as it was asked");
  await expect(article(3).locator("li.correct")).toHaveCount(1);
  await expect(page.getByText("The text of this question is not shown yet.")).toHaveCount(2);
  await check(page, "report that is not whole");
  await page.setViewportSize({ width: 320, height: 640 });
  await page.getByRole("combobox").selectOption("vi");
  await expect(page.getByText(/một lớp khác còn phải làm 2 câu trong bài này/)).toBeVisible();
  await expect(article(2)).toContainText("nội dung lúc làm bài không được lưu");
  await check(page, "report that is not whole, on a narrow phone in Vietnamese");
});

test("a session that names a topic and a question twice has its report", async ({ page }) => {
  await changed(page, ({ result }) => {
    result.topicBreakdown.push({ ...result.topicBreakdown[0] });
    result.answers.push({ ...result.answers[0] });
    result.difficultyBreakdown.push({ ...result.difficultyBreakdown[0] });
  });
  await finish(page);
  await report(page);
  await expect(page.locator("article")).toHaveCount(11);
});

test("a test that was handed in says so, and shows no marks where they are hidden", async ({ page }) => {
  await changed(page, (session) => {
    session.origin = "client";
    Object.assign(session.result, { topicBreakdown: [], difficultyBreakdown: [] });
    for (const line of session.result.answers) {
      delete line.correct;
      delete line.isCorrect;
    }
  });
  await finish(page);
  await report(page);
  await expect(page.getByText("Sent by a client: this server has not seen the test being taken.")).toBeVisible();
  await expect(page.getByText("This report does not show which answers were right:")).toBeVisible();
  await expect(page.getByRole("button", { name: "Only mistakes and gaps" })).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "By topic" })).toHaveCount(0);
  await expect(page.locator("article")).toHaveCount(10);
  await expect(page.locator(".verdict")).toHaveCount(0);
});

test("too many calls are told apart from a report that is not there", async ({ page }) => {
  await page.route(/\/api\/sessions\/[^/]+$/, (route) => route.fulfill({ status: 429, headers: { "Retry-After": "7" }, json: { error: "Too many requests" } }));
  await finish(page);
  // What the student most wants to know stands whether or not the report comes.
  await expect(page.getByRole("heading", { name: "Your test has arrived" })).toBeFocused();
  await expect(page.getByText("Try again in 7 seconds.")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Try again in 7 seconds." })).toBeFocused();
  await page.unroute(/\/api\/sessions\/[^/]+$/);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: "Test report" })).toBeVisible();
  await page.goto("/report/nothing");
  await expect(page.getByRole("heading", { name: "There is no report with this address." })).toBeVisible();
});

test("it is in the student's own words and dates", async ({ page }) => {
  await start(page, `${SHORT}&name=Ada`);
  await answer(page, "A");
  await next(page);
  for (let turn = 0; turn < 10; turn += 1) await page.keyboard.press("ArrowRight");
  await changed(page, (session) => (session.completedAt = "2026-03-04T10:00:00Z"));
  await handIn(page);
  await report(page);
  await expect(page.getByText("Mathematics, grade 5 · Ada")).toBeVisible();
  await expect(page.getByText("4 March 2026")).toBeVisible();
  await page.getByRole("button", { name: "Only mistakes and gaps" }).click();
  await expect(page.locator("article .verdict.good")).toHaveCount(0);
  expect(await page.locator("article").count()).toBeGreaterThanOrEqual(9);
});
