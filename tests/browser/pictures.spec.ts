// Takes the pictures of the students' pages for the documentation; and if `QUESTION_PICTURES` names a folder, those of the
// questions of the bank that are hardest to set, which nobody keeps.

import { join } from "node:path";
import type { BankQuestion } from "./bank";
import { takePaper, takePicture, takesPictures, WITH_PICTURES } from "./documentation";
import { expect, test } from "./hall";
import { begin, only, wholeBank } from "./one_question";
import { giveCrest, SCHOOL, setUp } from "./settings";
import { finish, ready, School, seconds } from "./sitting";
import { answer, answerAll, at, call, handIn, next, report, saving, signInAsAdmin } from "./student";

const QUESTION_FOLDER = process.env["QUESTION_PICTURES"];
const SIZES = [
  { width: 320, height: 640 },
  { width: 768, height: 1_024 },
  { width: 1_366, height: 768 },
];
/** As many with the most formulas and figures, and as many with the longest texts. */
const EACH = 10;

const count = (text: string, part: RegExp) => (text.match(part) ?? []).length;
const written = ({ question, options }: BankQuestion) => [question, ...options].join(" ");
const riches = (question: BankQuestion) => count(written(question), /\\(frac|sqrt|begin|left)|\^/g) + (question.image ? 8 : 0);

if (QUESTION_FOLDER !== undefined) {
  test("the questions that are hardest to set have their pictures", async ({ page }) => {
    test.setTimeout(300_000);
    const bank = await wholeBank(page);
    const most = (weight: (question: BankQuestion) => number) => bank.toSorted((one, other) => weight(other) - weight(one)).slice(0, EACH);
    for (const [kind, chosen] of [["rich", most(riches)], ["long", most((question) => written(question).length)]] as const) {
      for (const question of chosen) {
        await begin(page, question);
        for (const size of SIZES) {
          await page.setViewportSize(size);
          await page.locator("section.card:has(#question-text)").screenshot({ path: join(QUESTION_FOLDER, `${kind}-${question.id}-${size.width}.png`) });
        }
      }
    }
  });
}

if (takesPictures) {
  test("each page has its picture", WITH_PICTURES, async ({ page }) => {
    await page.goto("/");
    await expect(page.getByRole("heading", { name: "Choose your test" })).toBeVisible();
    await takePicture(page, "start");
    await page.goto("/test/5?name=Ada");
    await expect(page.getByRole("button", { name: "Start the test" })).toBeVisible();
    await takePicture(page, "intro");
    await only(page, (await wholeBank(page)).find(({ id, question }) => id.startsWith("g5-") && question.includes("wooden block"))!);
    await page.reload();
    await page.getByRole("button", { name: "Start the test" }).click();
    for (let number = 1; number <= 6; number += 1) {
      await at(page, number);
      if (number !== 3) await answer(page, "ABCD".charAt(number % 4));
      if (number === 2) await page.keyboard.press("m");
      if (number < 6) await next(page);
    }
    await saving(page, "saved");
    await page.mouse.move(0, 0);
    await takePicture(page, "question");
    await page.keyboard.press("p");
    const box = (await page.locator("canvas.passing").boundingBox())!;
    const stroke = async (points: [number, number][]) => {
      await page.mouse.move(box.x + points[0]![0], box.y + points[0]![1]);
      await page.mouse.down();
      for (const [x, y] of points) await page.mouse.move(box.x + x, box.y + y, { steps: 3 });
      await page.mouse.up();
    };
    const underlined = (x: number, y: number): [number, number][] => Array.from({ length: 12 }, (_, index) => [x + index * 4, y + 2 * Math.sin(index / 2)]);
    await stroke(underlined(160, 264));
    await stroke(underlined(303, 236));
    await page.getByRole("button", { name: "Blue" }).click();
    await page.getByRole("button", { name: "Text", exact: true }).click();
    for (const [line, y] of [["5 × 4 = 20", 150], ["20 × 2 = 40", 200]] as const) {
      await page.mouse.click(box.x + 440, box.y + y);
      await page.keyboard.type(line);
      await page.keyboard.press("Enter");
    }
    await page.getByRole("button", { name: "Ellipse" }).click();
    await stroke([[538, 166], [588, 218]]);
    await page.getByRole("button", { name: "Arrow" }).click();
    await stroke([[563, 290], [564, 226]]);
    await takePicture(page, "drawing");
    await page.getByRole("button", { name: "Done" }).click();
    for (let number = 1; number <= 6; number += 1) await page.keyboard.press("ArrowLeft");
    await answerAll(page, 20);
    await takePicture(page, "review");
    await handIn(page);
    await takePicture(page, "handed-in");
    await report(page);
    await page.getByRole("heading", { name: "Test report" }).evaluate((heading) => scrollTo(0, heading.getBoundingClientRect().top + scrollY - 60));
    await takePicture(page, "report");
    await page.goto("/auth/sign-in?return_to=/");
    await takePicture(page, "sign-in");
  });

  test("what is on paper has its pictures", WITH_PICTURES, async ({ page, browser, hall }) => {
    await signInAsAdmin(page);
    await setUp(page, { ...SCHOOL, languages: ["en", "vi"] });
    await giveCrest(page);
    const student = await browser.newPage({ baseURL: hall.url, locale: "en-GB" });
    await student.goto("/test/5?name=Mai%20Tr%E1%BA%A7n");
    const bank = (await (await student.request.get("/api/questions?grade=5")).json()) as { question: string; answer: string; topic: string }[];
    const keys = new Map(bank.map(({ question, answer, topic }) => [question, { answer, topic }]));
    await student.getByRole("button", { name: "Start the test" }).click();
    const hard = bank[0]?.topic;
    for (let number = 1; number <= 20; number += 1) {
      await at(student, number);
      const key = keys.get((await student.locator("#question-text").textContent())?.trim() ?? "");
      const isRight = key !== undefined && key.topic !== hard && number % 5 !== 0;
      await answer(student, isRight ? key.answer : "ABCD".charAt(number % 4));
      await student.keyboard.press("ArrowRight");
    }
    await handIn(student);
    await report(student);
    const paper = await student.request.get((await student.getByRole("link", { name: "Save as PDF" }).getAttribute("href"))!);
    takePaper("report-on-paper", await paper.body());
    await student.getByRole("link", { name: "Sheet for parents" }).click();
    await expect(student.getByRole("heading", { name: "For the parents of Mai Trần" })).toBeVisible();
    await expect(student.locator("article img")).toBeVisible();
    const margin = "10mm";
    takePaper("sheet-for-parents", await student.pdf({ format: "A4", margin: { top: margin, right: margin, bottom: margin, left: margin } }));
  });

  test("what students can set has its pictures", WITH_PICTURES, async ({ page }) => {
    await signInAsAdmin(page);
    const body = { name: "Geometry, grade 9", grades: [9], mode: "standard", durationMinutes: 45, standardTargets: { 1: 4, 2: 3, 3: 3, 4: 4, 5: 6 }, calculator: "scientific" };
    const { template } = await call(page, "POST", "/api/admin/test-templates", body);
    await page.goto(`/t/${template.id}`);
    await page.getByRole("button", { name: "Start the test" }).click();
    await at(page, 1);
    await answer(page, "C");
    await saving(page, "saved");
    await page.getByRole("button", { name: "Calculator" }).click();
    await expect(page.locator(".calculator .display")).toBeFocused();
    await page.keyboard.type("(1+2)/(3+4)=");
    await takePicture(page, "calculator");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "My view (Aa)" }).click();
    await page.locator("dialog label", { hasText: "Dark" }).click();
    await takePicture(page, "view");
  });

  test("a formula and a figure have theirs", WITH_PICTURES, async ({ page }) => {
    const bank = await wholeBank(page);
    await page.setViewportSize({ width: 1_024, height: 900 });
    for (const [name, id] of [["formulas", "g6-056"], ["figure", "g10-004"]] as const) {
      const question = bank.find((question) => question.id === id)!;
      await begin(page, question);
      await takePicture(page.locator("section.card:has(#question-text)"), name);
    }
  });

  test("a phone has its picture", WITH_PICTURES, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto("/test/5?name=Ada");
    await page.getByRole("button", { name: "Start the test" }).click();
    await at(page, 1);
    await answer(page, "B");
    await saving(page, "saved");
    await page.mouse.move(0, 0);
    await takePicture(page, "phone");
  });

  test("an exam day has its pictures", WITH_PICTURES, async ({ browser, hall }) => {
    const class_ = ["Ada Lovelace", "Bo Tran", "Chi Nguyen", "Dora Klein", "Emre Aydin", "Fay Wong"].map((name, index) => ({ name, room: "B12", seat: String(index + 1) }));
    const school = await School.open(browser, hall, [...class_.slice(1), { ...class_[0]!, factor: 125 }]);
    const slips = await school.page.request.post(`${school.path}/slips.pdf?renew=true`, { headers: { "Sec-Fetch-Site": "same-origin" } });
    takePaper("slips", await slips.body());
    await school.readSlips(class_);
    const { page } = await school.device();
    await page.goto(school.address);
    await page.getByLabel("Access code").fill(school.code("Ada Lovelace"));
    await takePicture(page, "enter");
    await page.getByRole("button", { name: "Enter", exact: true }).click();
    await ready(page);
    await school.change({ startsAt: seconds(760) });
    await expect(page.getByRole("timer")).toHaveText(/^12:/);
    await page.mouse.move(0, 0);
    await takePicture(page, "waiting-room");
    const phone = await school.entered("Bo Tran", { viewport: { width: 360, height: 740 } });
    await ready(phone.page);
    await takePicture(phone.page, "waiting-room-phone");
    await school.begin();
    await at(page, 1);
    await answer(page, "B");
    await saving(page, "saved");
    await finish(page);
    await expect(page.getByRole("heading", { name: "The results are not out yet" })).toBeVisible();
    await takePicture(page, "results-later");
  });
}
