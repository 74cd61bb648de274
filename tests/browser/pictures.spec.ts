// Takes the pictures for the documentation, if `PICTURES` names a folder.

import { join } from "node:path";
import { expect, test } from "./hall";
import { answer, answerAll, at, handIn, next, report, saving } from "./student";

const FOLDER = process.env["PICTURES"];

if (FOLDER !== undefined) {
  const picture = (name: string) => ({ path: join(FOLDER, `${name}.png`) });

  test("each page has its picture", async ({ page }) => {
    await page.goto("/");
    await expect(page.getByRole("heading", { name: "Choose your test" })).toBeVisible();
    await page.screenshot(picture("start"));
    await page.goto("/test/5?name=Ada");
    await expect(page.getByRole("button", { name: "Start the test" })).toBeVisible();
    await page.screenshot(picture("intro"));
    await page.getByRole("button", { name: "Start the test" }).click();
    for (let number = 1; number <= 6; number += 1) {
      await at(page, number);
      if (number !== 3) await answer(page, "ABCD".charAt(number % 4));
      if (number === 2) await page.keyboard.press("m");
      if (number < 6) await next(page);
    }
    await saving(page, "saved");
    await page.mouse.move(0, 0);
    await page.screenshot(picture("question"));
    await page.keyboard.press("Shift+D");
    const box = (await page.locator("canvas.passing").boundingBox())!;
    const stroke = async (points: [number, number][]) => {
      await page.mouse.move(box.x + points[0]![0], box.y + points[0]![1]);
      await page.mouse.down();
      for (const [x, y] of points) await page.mouse.move(box.x + x, box.y + y, { steps: 3 });
      await page.mouse.up();
    };
    await stroke(Array.from({ length: 40 }, (_, index) => [90 + index * 6, 260 + 40 * Math.sin(index / 5)]));
    await page.getByRole("button", { name: "Ellipse" }).click();
    await page.getByRole("button", { name: "Blue" }).click();
    await stroke([[380, 210], [560, 320]]);
    await page.getByRole("button", { name: "Arrow" }).click();
    await stroke([[620, 330], [560, 280]]);
    await page.getByRole("button", { name: "Text", exact: true }).click();
    await page.mouse.click(box.x + 620, box.y + 370);
    await page.keyboard.type("half of it");
    await page.keyboard.press("Enter");
    await page.screenshot(picture("drawing"));
    await page.getByRole("button", { name: "Done" }).click();
    for (let number = 1; number <= 6; number += 1) await page.keyboard.press("ArrowLeft");
    await answerAll(page, 20);
    await page.screenshot(picture("review"));
    await handIn(page);
    await page.screenshot(picture("handed-in"));
    await report(page);
    await page.screenshot(picture("report"));
    await page.goto("/auth/sign-in?return_to=/");
    await page.screenshot(picture("sign-in"));
  });

  test("a phone has its picture", async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto("/test/5?name=Ada");
    await page.getByRole("button", { name: "Start the test" }).click();
    await at(page, 1);
    await answer(page, "B");
    await saving(page, "saved");
    await page.screenshot(picture("phone"));
  });
}
