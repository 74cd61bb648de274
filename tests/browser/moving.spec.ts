// Who is signed in, and how a student who is goes on with a test that was begun on another device. The tests on stubbed routes
// are about the page; those on the server's own routes stand beside them.

import type { Browser, BrowserContext, Page } from "@playwright/test";
import { check } from "./accessible";
import { expect, test, type Hall } from "./hall";
import { answer, at, call, chosen, facts, handIn, next, report, saving, SHORT, signInAs, signInAsAdmin, start, stored, template } from "./student";

async function signIn(page: Page, name: string, returnTo = "/"): Promise<void> {
  await signInAs(page, `${name.toLowerCase()}@school.example`, name);
  await page.goto(returnTo);
}

async function device(browser: Browser, hall: Hall): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ baseURL: hall.url, locale: "en-GB" });
  return { context, page: await context.newPage() };
}

test("the introduction says who is signed in, and whoever else it is comes back to it", async ({ page }) => {
  await signIn(page, "Ada", `${SHORT}&name=Bob`);
  await expect(page.getByText("Signed in as Ada")).toBeVisible();
  await expect(page.getByText("ada@school.example")).toBeVisible();
  await check(page, "intro, signed in");
  await page.getByRole("button", { name: "Not you?" }).click();
  await expect(page.getByRole("link", { name: "Sign in" })).toBeVisible();
  await expect(page.getByText("Signed in as Ada")).toHaveCount(0);
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(`${SHORT}&name=Bob`);
  expect((await page.request.get("/api/me")).status()).toBe(401);
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByLabel("E-mail address").fill("bob@school.example");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("bob@school.example")).toBeVisible();
  expect(page.url()).toContain(SHORT);
});

for (const [where, address, button] of [["start page", "/", "Sign out"], ["introduction", SHORT, "Not you?"]] as const) {
  test(`on the ${where} a sign-out that fails is not kept quiet`, async ({ page }) => {
    await page.route("**/auth/sign-out", (route) => route.abort());
    await signIn(page, "Ada", address);
    const leave = page.getByRole("button", { name: button });
    await leave.click();
    await expect(page.getByRole("alert").filter({ hasText: "You are still signed in" })).toBeVisible();
    await expect(page.getByText("Signed in as Ada")).toBeVisible();
    await check(page, `${where}, not signed out`);
    // Something on the way that is not the server has removed no cookie.
    await page.unroute("**/auth/sign-out");
    await page.route("**/auth/sign-out", (route) => route.fulfill({ status: 503, body: "busy" }));
    await leave.click();
    await expect(page.getByRole("alert").filter({ hasText: "You are still signed in" })).toBeVisible();
    await page.unroute("**/auth/sign-out");
    const error = "You are signed out in this browser, but the server could not end the sign-in everywhere: it ends within 12 hours";
    await page.route("**/auth/sign-out", async (route) => {
      await page.context().clearCookies();
      await route.fulfill({ status: 503, json: { error } });
    });
    await leave.click();
    await expect(page.getByRole("alert").filter({ hasText: "You are signed out in this browser." })).toBeVisible();
    await expect(page.getByText("Signed in as Ada")).toHaveCount(0);
    await expect(page.getByRole("link", { name: "Sign in" })).toBeVisible();
  });
}

test.describe("with the gate", () => {
  test.use({ options: { TEST_GATE: "sign-in" } });

  test("“Not you?” leads to the sign-in and back", async ({ page }) => {
    await signIn(page, "Ada", SHORT);
    await page.getByRole("button", { name: "Not you?" }).click();
    await page.getByLabel("E-mail address").fill("bob@school.example");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByText("Signed in as bob")).toBeVisible();
    expect(page.url()).toContain(SHORT);
  });
});

/** Answers for the routes that the page asks, with a test that was begun on `from`. */
async function stubbed(page: Page, from: Page, more: object): Promise<string[]> {
  const [sessionId = "", token = ""] = ((await from.evaluate(() => Object.values(sessionStorage).join())).match(/[\w-]{36}\.[\w-]+/)?.[0] ?? "").split(".");
  expect(token).not.toBe("");
  const asked: string[] = [];
  const startedAt = "2026-01-05T09:05:00.000Z";
  await page.route("**/api/live/mine", (route) => {
    asked.push("mine");
    return route.fulfill({ json: { attempts: [{ sessionId, templateId: null, mode: "standard", startedAt, deadline: startedAt, state: "active", ...more }] } });
  });
  await page.route("**/api/live/*/token", (route) => {
    asked.push(`${route.request().method()} ${new URL(route.request().url()).pathname}`);
    return route.fulfill({ json: { token } });
  });
  await page.route("**/api/live/move", (route) => {
    const { code } = route.request().postDataJSON() as { code: string };
    asked.push(code);
    return code === "K7QM-3X82" ? route.fulfill({ json: { sessionId, token } }) : route.fulfill({ status: 403, json: { error: "Wrong code", code: "bad_code" } });
  });
  return asked;
}

test("stubbed: the start page and the same link offer to go on", async ({ page, browser, hall }) => {
  await start(page, "/test/5?minutes=20&questions=10");
  await answer(page, "D");
  await saving(page, "saved");
  const { page: other } = await device(browser, hall);
  const asked = await stubbed(other, page, { grade: 5 });
  await other.goto("/");
  await expect(other.getByRole("heading", { name: "Choose your test" })).toBeVisible();
  await expect(other.getByRole("heading", { name: "You have a test under way" })).toHaveCount(0);
  expect(asked, "a guest has none").toEqual([]);
  await signIn(other, "Ada");
  await expect(other.getByRole("heading", { name: "You have a test under way" })).toBeVisible();
  await expect(other.getByText("Mathematics test, grade 5")).toBeVisible();
  await check(other, "start page with a test under way");
  await other.goto("/test/6");
  await expect(other.getByRole("button", { name: "Start the test" })).toBeVisible();
  await expect(other.getByText("You have already begun this test")).toHaveCount(0);
  await other.goto("/test/5?minutes=20&questions=10");
  await expect(other.getByText("You have already begun this test")).toBeVisible();
  await expect(other.getByRole("button", { name: "Start a new test" })).toBeVisible();
  await check(other, "introduction with a test under way");
  await other.getByRole("button", { name: "Go on with this test" }).click();
  await at(other, 1);
  await expect(chosen(other)).toHaveValue("D");
  await expect(page.getByRole("heading", { name: "This test is open somewhere else" })).toBeVisible();
  expect(other.url()).toBe(`${hall.url}/continue?grade=5`);
  expect(asked.at(-1)).toMatch(/^POST \/api\/live\/[\w-]{36}\/token$/);
});

test("stubbed: a test that can't be moved says so, and may be begun anew", async ({ page, browser, hall }) => {
  await start(page);
  const { page: other } = await device(browser, hall);
  await stubbed(other, page, { grade: 5 });
  await other.route("**/api/live/*/token", (route) => route.fulfill({ status: 403, json: { error: "Not yours" } }));
  await signIn(other, "Ada", SHORT);
  await other.getByRole("button", { name: "Go on with this test" }).click();
  await expect(other.getByRole("alert").filter({ hasText: "This test can’t go on here" })).toBeVisible();
  await other.route("**/api/live/*/token", (route) => route.abort());
  await other.getByRole("button", { name: "Go on with this test" }).click();
  await expect(other.getByRole("alert").filter({ hasText: "can’t be reached" })).toBeVisible();
  await other.getByRole("button", { name: "Start a new test" }).click();
  await at(other, 1);
});

test("stubbed: a code moves a test to this device", async ({ page, browser, hall }) => {
  await start(page);
  await answer(page, "C");
  await saving(page, "saved");
  const { page: other } = await device(browser, hall);
  const asked = await stubbed(other, page, { grade: 5 });
  for (const address of ["/", SHORT]) {
    await other.goto(address);
    await other.getByText("I have a code").click();
    await other.getByLabel("Code from your teacher").fill("K7QM");
    await other.keyboard.press("Enter");
    await expect(other.getByText("This code is wrong, or too old.")).toBeVisible();
    await check(other, `code at ${address}`);
  }
  await other.getByLabel("Code from your teacher").fill(" K7QM-3X82 ");
  await other.getByRole("button", { name: "Go on" }).click();
  await at(other, 1);
  await expect(chosen(other)).toHaveValue("C");
  expect(asked).toEqual(["K7QM", "K7QM", "K7QM-3X82"]);
});

test("the same account goes on with its test on another device", async ({ page, browser, hall }) => {
  await signIn(page, "Ada", SHORT);
  await start(page);
  await answer(page, "D");
  await saving(page, "saved");
  const { page: other } = await device(browser, hall);
  await signIn(other, "Ada");
  await expect(other.getByRole("heading", { name: "You have a test under way" })).toBeVisible();
  await other.goto(SHORT);
  await other.getByRole("button", { name: "Go on with this test" }).click();
  await at(other, 1);
  await expect(chosen(other)).toHaveValue("D");
  await expect(page.getByRole("heading", { name: "This test is open somewhere else" })).toBeVisible();
  await next(other);
  await answer(other, "B");
  await saving(other, "saved");
  // Back on the first device by the same way, since this secret is another one than its own.
  await page.goto("/");
  await page.getByRole("button", { name: "Go on with this test" }).click();
  await at(page, 1);
  await next(page);
  await expect(chosen(page)).toHaveValue("B");
  for (let turn = 0; turn < 10; turn += 1) await page.keyboard.press("ArrowRight");
  await handIn(page);
  await report(page);
  expect((await stored(page)).result.answers.slice(0, 2).map(({ selected }) => selected)).toEqual(["D", "B"]);
  await page.goto("/");
  await expect(page.getByText("Signed in as Ada")).toBeVisible();
  await expect(page.getByRole("heading", { name: "You have a test under way" })).toHaveCount(0);
});

test("a template's test goes on on another device with its own questions", async ({ page, browser, hall }) => {
  await signInAsAdmin(page);
  const id = await template(page, "Autumn test", [5, 6]);
  const { page: first } = await device(browser, hall);
  await signIn(first, "Ada", `/t/${id}`);
  await start(first, `/t/${id}`);
  await answer(first, "A");
  await saving(first, "saved");
  const { page: other } = await device(browser, hall);
  await signIn(other, "Ada", `/t/${id}`);
  await other.getByRole("button", { name: "Go on with this test" }).click();
  await at(other, 1);
  await expect(other.getByText("Autumn test")).toBeVisible();
  await expect(chosen(other)).toHaveValue("A");
});

test("who has begun goes on elsewhere with the questions, though the exam was put off meanwhile", async ({ page, browser, hall }) => {
  await signInAsAdmin(page);
  const id = await template(page, "Autumn test", [5, 6]);
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 19).replace("T", " ");
  const times = (hours: number) => ({ start_date: inHours(hours), end_date: inHours(hours + 2) });
  const events = "/wp-json/tribe/events/v1/events";
  const event = await call(page, "POST", events, { title: "Finals", ...times(-1), exam: { templateId: id } }, 201);
  const { page: first } = await device(browser, hall);
  await signIn(first, "Ada", `/t/${id}`);
  await start(first, `/t/${id}?event=${event.id}`);
  await answer(first, "A");
  await saving(first, "saved");
  await call(page, "PUT", `${events}/${event.id}`, times(24));
  const { page: other } = await device(browser, hall);
  await signIn(other, "Ada", `/t/${id}`);
  await expect(other.getByRole("heading", { name: "This exam has not opened yet." })).toBeVisible();
  await other.getByRole("button", { name: "Go on with this test" }).click();
  await at(other, 1);
  await expect(other.getByText("Autumn test")).toBeVisible();
  await expect(chosen(other)).toHaveValue("A");
  const { page: stranger } = await device(browser, hall);
  await signIn(stranger, "Bo", `/t/${id}`);
  await expect(stranger.getByRole("heading", { name: "This exam has not opened yet." })).toBeVisible();
  await expect(stranger.getByRole("button", { name: "Go on with this test" })).toHaveCount(0);
});

test("a proctor's code moves a test to a device where nobody is signed in, once", async ({ page, browser, hall }) => {
  const { page: proctor } = await device(browser, hall);
  await signInAsAdmin(proctor);
  await start(page);
  await answer(page, "C");
  await saving(page, "saved");
  const { sessions } = await call(proctor, "GET", "/api/live/sessions?grade=5");
  const { code } = await call(proctor, "POST", `/api/live/sessions/${sessions[0].sessionId}/code`);
  for (const isFirst of [true, false]) {
    const { page: other } = await device(browser, hall);
    await other.goto("/");
    await other.getByText("I have a code").click();
    await other.getByLabel("Code from your teacher").fill(code.toLowerCase());
    await other.keyboard.press("Enter");
    if (!isFirst) {
      await expect(other.getByText("This code is wrong, or too old.")).toBeVisible();
      continue;
    }
    await at(other, 1);
    await expect(chosen(other)).toHaveValue("C");
    await expect(page.getByRole("heading", { name: "This test is open somewhere else" })).toBeVisible();
    await other.reload();
    await expect(chosen(other)).toHaveValue("C");
  }
});

/** A proctor's order about the tests of a grade, as the proctor who is signed in on this page. */
async function order(page: Page, command: object): Promise<any> {
  return page.evaluate(
    (command) =>
      new Promise((resolve) => {
        const socket = new WebSocket(new URL("/api/live/proctor", location.href.replace(/^http/, "ws")));
        socket.onopen = () => socket.send(JSON.stringify({ type: "watch", grade: 5 }));
        socket.onmessage = ({ data }) => {
          const frame = JSON.parse(data);
          if (frame.type === "roster" && frame.complete) socket.send(JSON.stringify({ id: crypto.randomUUID(), ...command }));
          if (!["roster", "changes"].includes(frame.type)) resolve(frame);
        };
      }),
    command,
  );
}

test("a proctor who ends the test is named as the reason", async ({ page, browser, hall }) => {
  const { page: proctor } = await device(browser, hall);
  await signInAsAdmin(proctor);
  await start(page);
  await answer(page, "B");
  await saving(page, "saved");
  expect(await order(proctor, { type: "finish", sessionId: "*" })).toMatchObject({ type: "done", count: 1 });
  await expect(page.getByRole("heading", { name: "Your teacher has ended the test" })).toBeFocused();
  await expect(page.getByText("All your answers are with the server.")).toBeVisible();
  await facts(page, ["You answered 1 of 10 questions.", /^Stored on the server at \d\d:\d\d\.$/, "It ended because your teacher stopped it.", "Your report is below."]);
  await report(page);
  expect((await stored(page)).result.answers.filter(({ selected }) => selected === "B")).toHaveLength(1);
  await check(page, "ended by a proctor");
});

test("a test that the clock has ended says so, and goes on to its report", async ({ page, hall }) => {
  await start(page);
  await answer(page, "B");
  await saving(page, "saved");
  await hall.kill();
  await hall.start(14.8);
  await saving(page, "saved");
  await expect(page.getByRole("timer")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Time is up, and your test was handed in" })).toBeFocused({ timeout: 45_000 });
  await facts(page, ["You answered 1 of 10 questions.", /^Stored on the server at \d\d:\d\d\.$/, "It ended because the time was over.", "Your report is below."]);
  await report(page);
  expect(page.url()).toMatch(/\/report\/[\w-]{36}$/);
});

test("after handing in the page goes on to the report by itself", async ({ page }) => {
  await page.goto("/");
  await start(page);
  await answer(page, "B");
  for (let turn = 0; turn < 10; turn += 1) await page.keyboard.press("ArrowRight");
  await handIn(page);
  await expect(page.getByText("All your answers are with the server. Well done!")).toBeVisible();
  await facts(page, ["You answered 1 of 10 questions.", /^Stored on the server at \d\d:\d\d\.$/, "It ended when you handed it in.", "Your report is below."]);
  await expect(page.getByRole("heading", { name: "Test report" })).toBeVisible();
  const [news, score] = [await page.getByRole("heading", { name: "Your test has arrived" }).boundingBox(), await page.getByRole("img", { name: /on a scale/ }).boundingBox()];
  expect(news!.y).toBeLessThan(score!.y);
  expect(page.url()).toMatch(/\/report\/[\w-]{36}$/);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("heading", { name: "Your test has arrived" })).toBeHidden();
  await page.emulateMedia({ media: null });
  await page.reload();
  await expect(page.getByRole("heading", { name: "Test report" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Your test has arrived" })).toHaveCount(0);
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Choose your test" })).toBeVisible();
});

test("a result that is held appears by itself when it is released, on the page of the test and of the report", async ({ page, context }) => {
  let isHeld = true;
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const asked: string[] = [];
  await context.route(/\/api\/sessions\/[^/]+$/, async (route) => {
    const { search } = new URL(route.request().url());
    asked.push(search);
    // The server lets whoever asks for that wait for the release.
    if (search === "?wait=release") await released;
    await (isHeld ? route.fulfill({ status: 403, json: { error: "Results are not released" } }) : route.continue());
  });
  await start(page);
  for (let turn = 0; turn < 10; turn += 1) await page.keyboard.press("ArrowRight");
  await handIn(page);
  await expect(page.getByRole("heading", { name: "The results are not out yet" })).toBeVisible();
  await facts(page, ["You answered 0 of 10 questions.", /^Stored on the server/, "It ended when you handed it in.", "Next, your teacher releases the results. You can close this page and come back to it later."]);
  await expect(page.getByText(/score|right/i)).toHaveCount(0);
  await check(page, "a held result below the news");
  const early = await context.newPage();
  await early.goto(page.url());
  await expect(early.getByRole("heading", { name: "The results are not out yet" })).toBeFocused();
  await expect(early.getByText("they appear here by themselves")).toBeVisible();
  await check(early, "a report that is opened early");
  isHeld = false;
  release();
  for (const waiting of [page, early]) {
    await report(waiting);
    await expect(waiting.getByText("The results are out.")).toBeAttached();
  }
  await expect(early.getByRole("heading", { name: "Test report" })).toBeFocused();
  await expect(page.getByRole("heading", { name: "Your test has arrived" })).toBeFocused();
  expect(asked).toContain("?wait=release");
});

test("a report that is held back, or does not come, leaves what is certain", async ({ page, context }) => {
  await page.route(/\/api\/sessions\/[^/]+$/, (route) => route.fulfill({ status: 403, json: { error: "Results are not released" } }));
  await start(page);
  for (let turn = 0; turn < 10; turn += 1) await page.keyboard.press("ArrowRight");
  await handIn(page);
  await expect(page.getByRole("heading", { name: "The results are not out yet" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Your test has arrived" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "The results are not out yet" })).toBeVisible();
  await page.unroute(/\/api\/sessions\/[^/]+$/);
  await start(page, `${SHORT}&name=Ada`);
  for (let turn = 0; turn < 10; turn += 1) await page.keyboard.press("ArrowRight");
  await context.route(/\/api\/(sessions|report)\//, (route) => route.abort());
  await handIn(page);
  await expect(page.getByText("The exam server can’t be reached.")).toBeVisible();
  await context.unroute(/\/api\/(sessions|report)\//);
  await page.getByRole("button", { name: "Try again" }).click();
  await report(page);
});

test("the number of questions follows the time, unless the link says it", async ({ page }) => {
  for (const [address, shown, asked] of [
    ["/test/5?name=a", 20, undefined],
    ["/test/5?name=b&minutes=15", 10, undefined],
    ["/test/5?name=c&minutes=35", 23, undefined],
    ["/test/5?name=d&minutes=70", 40, undefined],
    ["/test/5?name=e&minutes=15&questions=25", 25, 25],
  ] as const) {
    await page.goto(address);
    await expect(page.getByText(`${shown} questions`, { exact: true }), address).toBeVisible();
    const starting = page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/api/live"));
    await page.getByRole("button", { name: "Start the test" }).click();
    expect(((await starting).postDataJSON() as { questionCount?: number }).questionCount, address).toBe(asked);
    await expect(page.getByRole("heading", { name: `Question 1 of ${shown}`, exact: true }), address).toBeVisible();
  }
});
