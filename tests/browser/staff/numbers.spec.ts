// Numbers in the results of a sitting: what most got wrong, the heat map, and a key that is corrected by what was written.

import { check } from "../accessible";
import { expect, test } from "../hall";
import { numberTemplate } from "../number_template";
import { School } from "../sitting";
import { allRight, entered, handsIn, type Answering } from "./answered";

/** The place of the question that most got wrong, from 0, and what they wrote there. */
const PLACE = 1;
const LABEL = `Question ${PLACE + 1}`;
const NAMES = Array.from({ length: 10 }, (_, index) => `Student ${String(index + 1).padStart(2, "0")}`);

const wrongOf = (key: string) => String(Number(key) + 1000);

/** Six write one wrong number in two ways, one writes no number, one nothing, and two are right. */
function answering(index: number): Answering {
  return (key, place) => {
    if (place !== PLACE || index >= 8) return key;
    if (index === 7) return null;
    return index === 6 ? "I do not know" : index % 2 === 0 ? wrongOf(key) : ` +${wrongOf(key)} `;
  };
}

test("the number that most got wrong is counted however it was written, and the key is corrected by it", async ({ browser, hall, request }) => {
  const before = await browser.newContext({ baseURL: hall.url });
  const { id, bank } = await numberTemplate(await before.newPage());
  const keys = new Map(bank.map((question) => [question.id, question.answer]));
  const school = await School.open(browser, hall, NAMES.map((name, index) => ({ name, room: "B12", seat: String(index + 1) })), { templateId: id });
  const attempts = await Promise.all(NAMES.map((name) => entered(request, school, name)));
  await school.begin();
  for (const [index, attempt] of attempts.entries()) await handsIn(request, attempt, keys, index < 8 ? answering(index) : allRight);
  const { page } = school;
  await page.goto(`/staff/results?sittingId=${school.sitting.id}&view=questions`);
  const article = page.getByRole("article", { name: LABEL, exact: true });
  await expect(article).toContainText("2 of 10 were right");
  const rows = article.getByRole("row");
  await expect(rows.first().getByRole("rowheader")).toContainText("Right answer");
  await expect(rows.nth(1)).toContainText("6 students");
  const wrong = ((await rows.nth(1).getByRole("rowheader").textContent()) ?? "").trim();
  await expect(article).toContainText(`6 of 10 wrote ${wrong}`);
  await expect(article).toContainText(`6 wrote ${wrong}, and only 2 were right.`);
  await expect(article).toContainText("1 gave no answer");
  await check(page, "questions with numbers");

  await article.getByRole("button", { name: "Correct the key…" }).click();
  const dialog = page.getByRole("dialog", { name: `Correct the key of question ${PLACE + 1}` });
  await dialog.getByRole("radio", { name: "Another number is right" }).check();
  const field = dialog.getByRole("textbox", { name: "Which number is right?" });
  await field.fill("two");
  await expect(dialog.getByText("Write a decimal number that does not count already")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "See what it changes" })).toBeDisabled();
  await dialog.getByRole("button", { name: `Take ${wrong}` }).click();
  await expect(field).toHaveValue(wrong.replace("+", ""));
  await check(page, "a number as the right one");
  await dialog.getByRole("checkbox", { name: "Change the key in the question bank too" }).setChecked(false);
  await dialog.getByRole("button", { name: "See what it changes" }).click();
  await expect(dialog.locator("[data-trial] dd")).toHaveText(["6", "0", "4"]);
  await dialog.getByRole("button", { name: "Correct 6 results" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("region", { name: "Corrected keys" }).locator("[data-correction]").first()).toHaveAttribute("data-finished", "true");
  await page.reload();
  await expect(article).toContainText("Key corrected");

  await page.goto(`/staff/results?sittingId=${school.sitting.id}&view=answers&as=table`);
  await expect(page.getByRole("row").filter({ hasText: "Student 07" })).toContainText(`${PLACE + 1} (I do not know)`);
  await expect(page.getByRole("row").filter({ hasText: "Student 08" })).toContainText(`${PLACE + 1} (–)`);
  await page.goto(`/staff/results?sittingId=${school.sitting.id}&view=answers`);
  await check(page, "a heat map with numbers");
  await before.close();
});
