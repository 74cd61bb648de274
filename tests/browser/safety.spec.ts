// Whatever someone has written into a question is shown as text, and never runs.

import type { Page } from "@playwright/test";
import { expect, test } from "./hall";
import { handIn, report, signInAsAdmin, start, tenQuestions } from "./student";

const HOSTILE = [
  `<script>window.ran = 1</script>`,
  `<img src=x onerror="window.ran = 1">`,
  `<svg onload="window.ran = 1">$\\href{javascript:window.ran=1}{x}$`,
  `$\\includegraphics{x} \\htmlStyle{color:red}{x}$ <a href="javascript:window.ran=1">x</a>`,
];

/** Collects what the content security policy blocks from now on. */
function refused(page: Page): string[] {
  const refused: string[] = [];
  page.on("console", (message) => message.text().includes("Content Security Policy") && refused.push(message.text()));
  return refused;
}

test("a bank full of scripts shows as text", async ({ page }) => {
  await signInAsAdmin(page);
  const { address, ids } = await tenQuestions(page);
  await page.evaluate(
    async ([ids, texts]) => {
      const edit = async (id: string, index: number) => {
        const text = `${index}: ${texts[index % texts.length]}`;
        const updates = { question: text, options: ["A", "B", "C", "D"].map((letter) => letter + text), explanation: text, image: "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='window.ran=1'><script>window.ran=1</script><image href='/x'/></svg>" };
        const response = await fetch("/api/review/edit", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ questionId: id, grade: 5, comment: "", updates }) });
        if (!response.ok) throw new Error(await response.text());
      };
      for (const [index, id] of ids.entries()) await edit(id, index);
    },
    [ids, HOSTILE] as const,
  );
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await start(page, address);
  for (let turn = 0; turn < 10; turn += 1) {
    await expect(page.locator("main")).toContainText(/<script>|onerror|onload|javascript:/);
    await page.keyboard.press("a");
    await page.keyboard.press("ArrowRight");
  }
  await handIn(page);
  await report(page);
  await expect(page.locator("main")).toContainText(/<script>|onerror|onload|javascript:/);
  // A picture is asked for now, after all those that the report could have asked for.
  await page.evaluate(() => new Promise((resolve) => Object.assign(new Image(), { onerror: resolve, src: "/last/x" })));
  expect(await page.evaluate(() => (window as { ran?: number }).ran)).toBeUndefined();
  expect(await page.locator("main [onerror], main [onload], main a[href^='javascript'], main script").count()).toBe(0);
  expect(asked.filter((address) => address.endsWith("/x"))).toEqual([expect.stringMatching(/\/last\/x$/)]);
});

test("the page's policy lets nothing run that is not a file of the site", async ({ page }) => {
  const response = await page.goto("/");
  const policy = response?.headers()["content-security-policy"] ?? "";
  expect(policy).toContain("default-src 'self'");
  expect(policy).not.toContain("unsafe");
  const wrong = refused(page);
  await start(page);
  await page.keyboard.press("p");
  await expect(page.getByRole("button", { name: "Pen" })).toBeVisible();
  const box = (await page.locator("canvas.passing").boundingBox())!;
  await page.mouse.move(box.x + 120, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + 240, box.y + 220, { steps: 8 });
  await page.mouse.up();
  await page.getByRole("button", { name: "Done" }).click();
  for (let turn = 0; turn < 10; turn += 1) await page.keyboard.press("ArrowRight");
  await handIn(page);
  await report(page);
  await expect(page.getByRole("img", { name: "Your drawing on question 1" })).toBeVisible();
  // Proves that the watch works: otherwise its silence would say nothing about the page.
  expect(wrong).toEqual([]);
  await page.evaluate(() => document.body.insertAdjacentHTML("beforeend", `<p style="color: red">x</p>`));
  await expect.poll(() => wrong.length).toBe(1);
});

test("mathematics is shown as MathML, prices as prices", async ({ page }) => {
  await signInAsAdmin(page);
  const { address, ids } = await tenQuestions(page);
  await page.evaluate(async (ids) => {
    for (const id of ids) {
      const updates = { question: "What is $\\frac{1}{2} + \\sqrt{x_1}$ of $5 and $3?", options: ["one", "two", "three", "four"], explanation: "None." };
      await fetch("/api/review/edit", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ questionId: id, grade: 5, comment: "", updates }) });
    }
  }, ids);
  const wrong = refused(page);
  await start(page, address);
  await expect(page.locator("main math mfrac")).toBeVisible();
  await expect(page.locator("main math")).toHaveCount(1);
  await expect(page.locator("main")).toContainText("of $5 and $3?");
  for (let turn = 0; turn < 10; turn += 1) await page.keyboard.press("ArrowRight");
  await handIn(page);
  await report(page);
  await expect(page.locator("main math mfrac")).toHaveCount(10);
  expect(wrong).toEqual([]);
});
