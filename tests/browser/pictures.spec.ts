// Takes the pictures for the documentation, if `PICTURES` names a folder.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "./hall";
import { finish, ready, School, seconds } from "./sitting";
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
    await page.keyboard.press("p");
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

  test("an exam day has its pictures", async ({ browser, hall }) => {
    const class_ = ["Ada Lovelace", "Bo Tran", "Chi Nguyen", "Dora Klein", "Emre Aydin", "Fay Wong"].map((name, index) => ({ name, room: "B12", seat: String(index + 1) }));
    const school = await School.open(browser, hall, [...class_.slice(1), { ...class_[0]!, factor: 125 }]);
    const slips = await school.page.request.get(`${school.path}/slips.pdf?renew=true`);
    const folder = mkdtempSync(join(tmpdir(), "examhall-pictures-"));
    writeFileSync(join(folder, "slips.pdf"), await slips.body());
    execFileSync("pdftoppm", ["-png", "-r", "80", "-singlefile", join(folder, "slips.pdf"), join(FOLDER, "slips")]);
    rmSync(folder, { recursive: true });
    await school.readSlips(class_);
    const { page } = await school.device();
    await page.goto(school.address);
    await page.getByLabel("Access code").fill(school.code("Ada Lovelace"));
    await page.screenshot(picture("enter"));
    await page.getByRole("button", { name: "Enter", exact: true }).click();
    await ready(page);
    await school.change({ startsAt: seconds(760) });
    await expect(page.getByRole("timer")).toHaveText(/^12:/);
    await page.mouse.move(0, 0);
    await page.screenshot(picture("waiting-room"));
    const phone = await school.entered("Bo Tran", { viewport: { width: 360, height: 740 } });
    await ready(phone.page);
    await phone.page.screenshot(picture("waiting-room-phone"));
    await school.begin();
    await at(page, 1);
    await answer(page, "B");
    await saving(page, "saved");
    await finish(page);
    await expect(page.getByRole("heading", { name: "The results are not out yet" })).toBeVisible();
    await page.screenshot(picture("results-later"));
  });
}
