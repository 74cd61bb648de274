// Computers that students share, browsers that store nothing or fail to, and portals that answer in the server's place.

import type { Page } from "@playwright/test";
import { altered } from "./answers";
import { expect, test } from "./hall";
import { answer, appears, at, chosen, goOn, handIn, loseOne, next, OFTEN, passUntil, saving, SHORT, signInAsAdmin, start, template, TOLD_AFTER } from "./student";

/** Spoils the browser's database from now on. One that "fails" does so like a lost connection, until the page sets `mended`. */
async function spoilDatabase(page: Page, how: "refuses" | "is silent" | "is full" | "fails"): Promise<void> {
  await page.addInitScript((how) => {
    if (how === "is full") {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException("There is no room left.", "QuotaExceededError");
      };
    }
    const open = IDBFactory.prototype.open;
    IDBFactory.prototype.open = function (...asked) {
      if (how === "refuses") throw new DOMException("The operation is insecure.", "SecurityError");
      if (how === "fails" && !sessionStorage.getItem("mended")) throw new DOMException("Connection to Indexed Database server lost", "UnknownError");
      const request = open.apply(this, asked);
      if (how === "is silent") request.addEventListener = () => {};
      return request;
    };
  }, how);
}

test("the link of another student is another test", async ({ page, context }) => {
  const link = (student: string) => `${SHORT}&studentId=${student}`;
  await start(page, link("s-17"));
  await answer(page, "A");
  await saving(page, "saved");
  const other = await context.newPage();
  await start(other, link("s-18"));
  await expect(chosen(other)).toHaveCount(0);
  await answer(other, "B");
  await other.goto(link("s-17"));
  await at(other, 1);
  await expect(chosen(other)).toHaveValue("A");
  await other.goto(link("s-18"));
  await at(other, 1);
  await expect(chosen(other)).toHaveValue("B");
});

test("without a name the student says whose test it is, and begins another beside it", async ({ page, context }) => {
  await page.goto(SHORT);
  await page.getByLabel("Your name").fill("Ada");
  await page.getByRole("button", { name: "Start the test" }).click();
  await at(page, 1);
  await answer(page, "C");
  await saving(page, "saved");
  await page.close();
  const other = await context.newPage();
  await other.goto(SHORT);
  await expect(other.getByRole("heading", { name: "A test is under way on this device" })).toBeVisible();
  await other.getByRole("button", { name: "Start my own test" }).click();
  await other.getByRole("button", { name: "Start the test" }).click();
  await at(other, 1);
  await expect(chosen(other)).toHaveCount(0);
  await answer(other, "D");
  await other.reload();
  await at(other, 1);
  await expect(chosen(other)).toHaveValue("D");
  const third = await context.newPage();
  await third.goto(SHORT);
  await expect(third.getByRole("button", { name: "Go on with this test" })).toBeVisible();
  await goOn(third, "Go on with the test of Ada");
  await at(third, 1);
  await expect(chosen(third)).toHaveValue("C");
});

for (const how of ["refuses", "is silent", "is full"] as const)
  test(`where the browser's database ${how} a test is sat all the same, and loaded anew`, async ({ page }) => {
    await spoilDatabase(page, how);
    await page.goto(SHORT);
    if (how === "is silent") await page.getByRole("button", { name: "I have not begun it" }).click();
    await page.getByRole("button", { name: "Start the test" }).click();
    await at(page, 1);
    await answer(page, "B");
    await saving(page, "saved");
    await page.reload();
    await at(page, 1);
    await expect(chosen(page)).toHaveValue("B");
    for (let turn = 0; turn < 10; turn += 1) await page.keyboard.press("ArrowRight");
    await handIn(page);
  });

test("a loss is told again by a reload in that very moment, and by a browser that can't be read at first", async ({ page }) => {
  const loss = page.getByText("1 change did not reach the server in time.");
  await page.clock.install();
  await loseOne(page);
  await passUntil(page, () => loss.isVisible(), TOLD_AFTER);
  for (let turn = 0; turn < 3; turn += 1) {
    await page.reload({ waitUntil: "commit" });
    // The scripts load in real time.
    await appears(page, "h1");
    await passUntil(page, () => loss.isVisible(), TOLD_AFTER);
  }
  await expect(page.getByRole("heading", { name: "Time is up" })).toBeVisible();
  await spoilDatabase(page, "fails");
  await page.reload();
  await expect(page.getByText("Your browser did not say whether all your answers had reached the server.")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "This test is over." })).toBeFocused();
  await page.evaluate(() => sessionStorage.setItem("mended", "yes"));
  // By itself, or by the button.
  await passUntil(page, () => loss.isVisible(), TOLD_AFTER);
  await page.getByRole("link", { name: "See my report" }).click();
  await expect(loss).toHaveCount(0);
});

test("a database that can't be read is not taken for an empty one", async ({ page, context }) => {
  await start(page);
  await answer(page, "A");
  await saving(page, "saved");
  await page.close();
  const again = await context.newPage();
  await spoilDatabase(again, "fails");
  await again.goto(SHORT);
  await expect(again.getByRole("heading", { name: "Your browser did not say" })).toBeVisible();
  await again.evaluate(() => sessionStorage.setItem("mended", "yes"));
  await again.getByRole("button", { name: "Try again" }).click();
  await goOn(again);
  await at(again, 1);
  await expect(chosen(again)).toHaveValue("A");
});

test("a filter or portal that answers in the server's place ends nothing", async ({ page }) => {
  let isFiltered = false;
  let cut = () => {};
  await page.routeWebSocket(/\/api\/live$/, (route) => {
    if (isFiltered) return void route.close({ code: 3000 });
    route.connectToServer();
    cut = () => void route.close({ code: 3000 });
  });
  await start(page);
  await saving(page, "saved");
  for (const [status, body] of [[403, "<h1>Blocked</h1>"], [404, "{}"], [200, "<h1>Sign in to this network</h1>"]] as const) {
    let answered = 0;
    await page.route(/\/api\/live/, async (route) => {
      await route.fulfill({ status, body, contentType: "text/html" });
      answered += 1;
    });
    isFiltered = true;
    cut();
    await answer(page, "ABC".charAt([403, 404, 200].indexOf(status)));
    // Another request comes only after the page has read the first answer.
    await expect.poll(() => answered, OFTEN).toBeGreaterThan(1);
    isFiltered = false;
    await page.unroute(/\/api\/live/);
    await saving(page, "saved");
  }
  await next(page);
  await page.keyboard.press("ArrowLeft");
  await expect(chosen(page)).toHaveValue("C");
});

test("the questions are shown as they are when the test begins, not as they were when the page was opened", async ({ page }) => {
  const old = await altered(page, /\/api\/questions\?grade=5/, (questions: object[]) => questions.map((question) => ({ ...question, question: "As it was yesterday" })));
  await page.goto(SHORT);
  await expect(page.getByRole("button", { name: "Start the test" })).toBeVisible();
  old.stop();
  await page.getByRole("button", { name: "Start the test" }).click();
  await at(page, 1);
  await expect(page.getByText("As it was yesterday")).toBeHidden();
  await expect(page.locator("#question-text")).toBeVisible();
});

test("a test whose template and questions are gone is not over", async ({ page }) => {
  await signInAsAdmin(page);
  await start(page, `/t/${await template(page, "Gone")}`);
  await answer(page, "B");
  await saving(page, "saved");
  await page.route(/\/api\/test-templates\//, (route) => route.fulfill({ status: 404, json: { error: "Not found" } }));
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        indexedDB.open("examhall").onsuccess = ({ target }) => {
          const database = (target as IDBOpenDBRequest).result;
          const clearing = database.transaction("texts", "readwrite");
          clearing.objectStore("texts").clear();
          clearing.oncomplete = () => (database.close(), resolve());
        };
      }),
  );
  await page.reload();
  await at(page, 1);
  await expect(page.getByText("This question can’t be shown.")).toBeVisible();
  await saving(page, "saved");
  for (let turn = 0; turn < 10; turn += 1) await page.keyboard.press("ArrowRight");
  await handIn(page);
});
