// A whole test as a student takes it who sees nothing: with the keyboard, by what Orca says. What it says is written down.

import { chromium, type Locator } from "@playwright/test";
import { expect, test } from "../hall";
import { call, signInAsAdmin } from "../student";
import { Account } from "./account";
import { Orca } from "./orca";

/**
 * Of the sample bank, all of one difficulty: fractions, powers of a variable, a root, and a figure. What is written down has
 * their options, which the bank may choose anew; so they are given here.
 */
const OPTIONS: Record<string, { options: string[]; answer: string }> = {
  "g5-038": { options: ["$\\frac{2}{3}$", "$\\frac{15}{32}$", "$1\\tfrac{1}{4}$", "$\\frac{5}{6}$"], answer: "B" },
  "g9-038": { options: ["$(x + 4)(x + 7)$", "$(x + 4)(x - 7)$", "$(x - 4)(x - 7)$", "$(x - 4)(x + 7)$"], answer: "C" },
  "g9-034": { options: ["$4\\sqrt{3}$", "$3\\sqrt{2}$", "$2\\sqrt{3}$", "$6$"], answer: "C" },
  "g8-038": { options: ["$\\frac{4}{5}$", "$-\\frac{5}{4}$", "$\\frac{1}{2}$", "$\\frac{5}{4}$"], answer: "D" },
};
const QUESTIONS = Object.keys(OPTIONS);

/** A page that is new takes longer, until it is there and Orca has gone through it. */
const NEW_PAGE_MS = 6_000;

/** No page has more to read, and none has more controls. */
const KEYS_MAX = 60;

const BEFORE = `
# A test by screen reader

What Orca says while a student takes a whole test with it, from the students' page to the report: the text that \`scripts/screen-reader\` writes. Each row is a key, and what was said after it; \`/\` stands between pieces that Orca says one after the other. [Accessibility](accessibility.md#a-screen-reader) says what was found in it, and what was mended.

Orca is at its usual settings, in its layout for desktops, and reads a page in its browse mode: \`↓\` reads the next line, \`Num +\` all that follows, \`H\` goes to the next heading, and \`Tab\` to the next control.
`;

test("a whole test by screen reader", async ({ hall, page }) => {
  const id = await paper(hall.url);
  const orca = new Orca();
  const account = new Account();
  const press = async (key: string) => account.note(key, await orca.press(key));
  /** Presses the key until this is said, and returns all that is said until then. */
  const pressUntil = async (key: string, words: RegExp) => {
    const said: string[] = [];
    for (let turn = 0; turn < KEYS_MAX && !words.test(said.join(" ")); turn += 1) said.push(...(await press(key)));
    expect(said.join(" ")).toMatch(words);
    return said.join(" ");
  };
  /** Presses `Enter`, by which something new comes. */
  const enter = async (heading: string) => {
    const said = await orca.press("Return");
    await expect(page.getByRole("heading", { name: heading })).toBeVisible({ timeout: 60_000 });
    account.note("Return", [...said, ...(await orca.heard(NEW_PAGE_MS))]);
  };
  const readAll = async () => {
    const said = [...(await orca.press("KP_Add")), ...(await orca.heard(NEW_PAGE_MS))];
    return account.note("KP_Add", said).join(" ");
  };
  const go = async (key: "Tab" | "shift+Tab", control: Locator) => {
    for (let turn = 0; turn < KEYS_MAX && !(await isFocused(control)); turn += 1) await press(key);
    await expect(control).toBeFocused();
  };
  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });

  await orca.start();
  account.part("The students’ page", "The student opens it, and Orca reads it from the beginning.");
  await page.goto(hall.url);
  account.note("(the page is loaded)", await orca.heard(NEW_PAGE_MS));

  account.part("Before the test", "The student opens the link from the teacher, gives a name, and starts.");
  await page.goto(`${hall.url}/t/${id}`);
  account.note("(the page is loaded)", await orca.heard(NEW_PAGE_MS));
  await go("Tab", page.getByLabel("Your name"));
  account.note("A d a", await orca.type("Ada"));
  await enter("Question 1 of 4");

  account.part("Question 1: fractions, as mathematics", "The student reads line by line, chooses B where it is read, crosses out D, and marks the question.");
  expect(await pressUntil("Down", /Cross out answer B/)).toContain("fraction start");
  await press("space");
  await pressUntil("Down", /Cross out answer D/);
  await go("Tab", button("Cross out answer D"));
  await press("space");
  await go("shift+Tab", button("Mark"));
  await press("space");
  expect(account.note("(ten seconds pass)", await orca.heard(10_000))).toEqual([]);
  await go("Tab", button("Next"));
  await enter("Question 2 of 4");

  account.part("Question 2: powers, as mathematics and in words", "The student reads the question, does not like how formulas sound, sets “Formulas in words”, and reads it again.");
  await pressUntil("Down", /panel/);
  await go("shift+Tab", button("My view (Aa)"));
  await enter("My view (Aa)");
  const inWords = page.getByRole("checkbox", { name: "Formulas in words for screen readers" });
  await go("Tab", inWords);
  await press("space");
  await press("Escape");
  await pressUntil("h", /Question 2/);
  expect(await pressUntil("Down", /Cross out answer C/)).toContain("x squared minus 11 x plus 28");
  await press("space");
  await go("Tab", button("Next"));
  await enter("Question 3 of 4");

  account.part("Question 3: a root", "The student lets Orca read all, and chooses A where it has the focus.");
  expect(await readAll()).toContain("the square root of 12");
  await go("Tab", page.getByRole("radio").first());
  await press("space");
  await press("Down");
  await go("Tab", button("Next"));
  await enter("Question 4 of 4");

  account.part("Question 4: a figure", "The student reads line by line, and chooses D.");
  const figure = await pressUntil("Down", /Cross out answer D/);
  expect(figure.match(/A coordinate plane/g)).toHaveLength(1);
  await press("space");
  await go("Tab", button("Review"));
  await enter("Review your test");

  account.part("The end", "The student lets Orca read the review, hands in, and reads the report.");
  await readAll();
  await go("Tab", page.locator("main").getByRole("button", { name: "Hand in" }));
  await enter("Hand in your test?");
  await go("Tab", button("Yes, hand in"));
  await enter("Your test has arrived");
  await expect(page.locator("article")).toHaveCount(QUESTIONS.length, { timeout: 60_000 });
  expect(await readAll()).toContain("15 over 32");

  await orca.stop();
  await account.write(process.env["ACCOUNT"] ?? "../../docs/screen-reader.md", BEFORE);
});

const isFocused = (control: Locator) => control.evaluate((element) => element === document.activeElement);

/** Creates a template of these questions, in this order, and returns its id. Nobody sees or hears the browser for that. */
async function paper(url: string): Promise<string> {
  const browser = await chromium.launch({ executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  const page = await browser.newPage({ baseURL: url });
  await signInAsAdmin(page);
  for (const [questionId, updates] of Object.entries(OPTIONS)) {
    await call(page, "POST", "/api/review/edit", { questionId, grade: Number(questionId.slice(1, -4)), comment: "", updates });
  }
  const body = { name: "Four questions", grades: [5, 8, 9], mode: "standard", durationMinutes: 60, standardTargets: { 2: QUESTIONS.length } };
  const { id } = (await call(page, "POST", "/api/admin/test-templates", body)).template;
  const drawn = async (): Promise<string[]> =>
    (await call(page, "GET", `/api/admin/test-templates/${id}`)).template.standardQuestions.map((question: { id: string }) => question.id);
  const swap = (questionId: string | undefined, replacementId?: string) =>
    call(page, "POST", `/api/admin/test-templates/${id}/swap`, { bucket: { kind: "standard" }, questionId, replacementId });
  for (const [place, wanted] of QUESTIONS.entries()) {
    if ((await drawn())[place] === wanted) continue;
    if ((await drawn()).includes(wanted)) await swap(wanted);
    await swap((await drawn())[place], wanted);
  }
  expect(await drawn()).toEqual(QUESTIONS);
  await browser.close();
  return id;
}

