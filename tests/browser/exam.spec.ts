import { check } from "./accessible";
import { expect, test } from "./hall";
import { answer, answerAll, at, call, handIn, next, report, saving, signInAsAdmin, start, stored, template } from "./student";

test("a whole standard test, from the start page to the report", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("radio", { name: "Grade 7" }).check({ force: true });
  await page.getByRole("radio", { name: /Short test/ }).check({ force: true });
  await page.getByRole("link", { name: "Go to the test" }).click();
  await page.getByLabel("Your name").fill("Ada");
  await page.getByRole("button", { name: "Start the test" }).click();
  await answerAll(page, 10);
  await expect(page.getByRole("listitem").getByText("You have answered every question.")).toBeVisible();
  await handIn(page);
  await report(page);
  await expect(page.getByText("Mathematics, grade 7 · Ada")).toBeVisible();
  await expect(page.getByRole("img", { name: /on a scale from 200 to 800/ })).toBeVisible();
  await expect(page.getByText("Right answer").first()).toBeVisible();
  const { result } = await stored(page);
  expect(result.answers.map(({ selected }) => selected).sort().join("")).toBe("AABBBCCCDD");
});

test("an adaptive test closes its first part with a warning", async ({ page }) => {
  await start(page, "/test/5?mode=adaptive");
  await expect(page.getByText("Part 1 of 2")).toBeVisible();
  await answerAll(page, 20);
  await page.locator("main").getByRole("button", { name: "Go on to part 2" }).click();
  await expect(page.getByText("you can’t come back to it")).toBeVisible();
  await page.getByRole("button", { name: "Keep working" }).click();
  await page.locator("main").getByRole("button", { name: "Go on to part 2" }).click();
  await page.getByRole("button", { name: "Yes, go on to part 2" }).click();
  await expect(page.getByText("Part 2 of 2")).toBeVisible();
  await at(page, 1);
  await page.reload();
  await expect(page.getByText("Part 2 of 2")).toBeVisible();
  await answerAll(page, 20);
  await handIn(page);
  await report(page);
  expect((await stored(page)).result.totalQuestions).toBe(40);
});

test("a template's test needs nothing but its link", async ({ page }) => {
  await signInAsAdmin(page);
  const id = await template(page, "Autumn <b>test</b>");
  await page.context().clearCookies();
  await start(page, `/t/${id}?studentId=s-17`);
  await expect(page.getByText("Autumn <b>test</b>")).toBeVisible();
  await answerAll(page, 10);
  await handIn(page);
  await report(page);
  await expect(page.getByText("s-17")).toBeVisible();
});

test("a test that the calendar announces is found by its event", async ({ page }) => {
  await signInAsAdmin(page);
  const announced = { title: "Maths final", start_date: "2027-06-01 09:00", end_date: "2027-06-01 10:00", exam: { grade: 5, durationMinutes: 20 } };
  const event = await call(page, "POST", "/wp-json/tribe/events/v1/events", announced, 201);
  await start(page, event.website);
  // Two questions for three minutes.
  await answerAll(page, 13);
  await handIn(page);
  expect(await call(page, "GET", `/api/sessions?event=${event.id + 1}`)).toEqual([]);
  const [session, ...others] = await call(page, "GET", `/api/sessions?event=${event.id}`);
  expect(others).toEqual([]);
  expect((await call(page, "GET", `/api/sessions/${session.sessionId}`)).annotations).toMatchObject({ event: String(event.id), name: "Head" });
});

test("a test goes on when its template is removed", async ({ page }) => {
  await signInAsAdmin(page);
  const id = await template(page, "Gone", [5, 6]);
  await start(page, `/t/${id}`);
  await answer(page, "C");
  await saving(page, "saved");
  await call(page, "DELETE", `/api/admin/test-templates/${id}`);
  await page.reload();
  await answerAll(page, 10);
  await handIn(page);
  await report(page);
  await expect(page.getByText("The text of this question is not available.")).toHaveCount(0);
});

test("the panel opens every question, and says what was done with each", async ({ page }) => {
  await start(page);
  const number = (of: number) => page.locator(".wide-panel").getByRole("button", { name: new RegExp(`^Question ${of},`) });
  for (let of = 1; of <= 10; of += 1) await expect(number(of)).toBeEnabled();
  await number(7).click();
  await at(page, 7);
  await expect(number(7)).toHaveAccessibleName("Question 7, not answered, you are here");
  await expect(number(2)).toHaveAccessibleName("Question 2, not seen yet");
  await number(1).click();
  await at(page, 1);
  await answer(page, "A");
  await page.getByRole("button", { name: "Mark" }).click();
  await next(page);
  await expect(number(1)).toHaveAccessibleName("Question 1, answered, marked");
  await expect(number(2)).toHaveAccessibleName("Question 2, not answered, you are here");
  await number(1).click();
  await at(page, 1);
  await page.getByRole("button", { name: "Clear my answer" }).click();
  await saving(page, "saved");
  await expect(number(1)).toHaveAccessibleName("Question 1, not answered, marked, you are here");
});

test("where questions come in order, only what was visited and the next one can be opened, also after a reload and in the review", async ({ page }) => {
  await signInAsAdmin(page);
  const id = await template(page, "Dictation");
  await call(page, "PUT", `/api/admin/test-templates/${id}`, { inOrder: true });
  await page.goto(`/t/${id}`);
  await page.getByRole("button", { name: "Start the test" }).click();
  await at(page, 1);
  const number = (of: number) => page.locator("main ol").getByRole("button", { name: new RegExp(`^Question ${of},`) });
  const reach = async (last: number) => {
    await expect(number(last)).toBeEnabled();
    await expect(number(last + 1)).toBeDisabled();
  };
  await reach(2);
  await number(2).click();
  await at(page, 2);
  await reach(3);
  await saving(page, "saved");
  await page.reload();
  await at(page, 2);
  await reach(3);
  await page.getByRole("button", { name: "Review" }).click();
  await expect(page.getByRole("heading", { name: "Review your test" })).toBeVisible();
  await reach(3);
  await check(page, "review, in order");
});

test("the review is said when it opens", async ({ page }) => {
  await start(page);
  await answer(page, "A");
  await page.getByRole("button", { name: "Review" }).click();
  await expect(page.locator("p[role=status]")).toContainText("Review your test. 9 questions have no answer yet.");
});

test("the language is the browser's, and can be changed", async ({ browser, hall }) => {
  const context = await browser.newContext({ locale: "vi-VN", baseURL: hall.url });
  const page = await context.newPage();
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Chọn bài kiểm tra" })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "vi");
  await page.getByLabel("Ngôn ngữ").selectOption("en");
  await page.reload();
  await expect(page.getByRole("heading", { name: "Choose your test" })).toBeVisible();
  await context.close();
});

test("staff are told who they are, and led to the API", async ({ page }) => {
  await signInAsAdmin(page);
  await expect(page.getByRole("heading", { name: "You are signed in as an administrator" })).toBeVisible();
  await page.getByRole("link", { name: "API documentation" }).click();
  await expect(page.getByText("/api/admin/test-templates", { exact: true }).first()).toBeVisible();
  await page.goto("/auth/sign-in");
  await page.getByRole("link", { name: "To the start page" }).click();
  await expect(page.getByRole("heading", { name: "Choose your test" })).toBeVisible();
});

test.describe("with the gate", () => {
  test.use({ options: { TEST_GATE: "sign-in" } });

  test("a test leads to the sign-in and back", async ({ page }) => {
    await page.goto("/test/5?questions=10&minutes=15");
    await page.getByLabel("E-mail address").fill("ada@school.example");
    await page.getByLabel("Name").fill("Ada Lovelace");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page).toHaveURL(/\/test\/5\?questions=10&minutes=15$/);
    await expect(page.getByRole("button", { name: "Start the test" })).toBeVisible();
    await expect(page.getByLabel("Your name")).toHaveCount(0);
    await page.getByRole("button", { name: "Start the test" }).click();
    await at(page, 1);
    await expect(page.locator("header")).toContainText("Ada Lovelace");
    await page.locator("nav").getByRole("button", { name: "Review" }).click();
    await handIn(page);
    await report(page);
    await expect(page.getByText("Mathematics, grade 5 · Ada Lovelace")).toBeVisible();
  });
});
