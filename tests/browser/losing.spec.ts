// Nothing that a student has done is lost, whatever fails in the middle.

import type { Page } from "@playwright/test";
import { expect, test } from "./hall";
import { answer, at, call, chosen, draw, goOn, handIn, isInked, kept, next, OFTEN, report, saving, SHORT, signInAsAdmin, start, stored, template, tenQuestions, written } from "./student";

test("a reload in the middle goes on where it was", async ({ page }) => {
  await start(page);
  await answer(page, "B");
  await next(page);
  await answer(page, "C");
  await page.reload();
  await at(page, 2);
  await expect(chosen(page)).toHaveValue("C");
  await saving(page, "saved");
  await page.keyboard.press("ArrowLeft");
  await expect(chosen(page)).toHaveValue("B");
});

/** From now on, writes to the browser's database stay pending for as long as the page lives. */
async function keepBusy(page: Page): Promise<void> {
  await page.evaluate(() => {
    const opening = indexedDB.open("examhall");
    return new Promise<void>((resolve) => {
      opening.onsuccess = () => {
        const commands = opening.result.transaction("commands", "readwrite").objectStore("commands");
        const again = () => void (commands.count().onsuccess = again);
        again();
        resolve();
      };
    });
  });
}

test("what is drawn and written in the moment in which a tab is closed is kept", async ({ page, context }) => {
  await start(page);
  await saving(page, "saved");
  await kept(page);
  await context.setOffline(true);
  await keepBusy(page);
  await page.keyboard.press("p");
  await draw(page, "Line", [100, 100], [300, 160]);
  await page.getByRole("button", { name: "Text", exact: true }).click();
  await page.mouse.click(400, 400);
  await page.keyboard.type("12 / 4");
  await page.close({ runBeforeUnload: true });
  const again = await context.newPage();
  await again.goto(SHORT);
  await goOn(again);
  await context.setOffline(false);
  await saving(again, "saved");
  for (let turn = 0; turn < 10; turn += 1) await again.keyboard.press("ArrowRight");
  await handIn(again);
  await report(again);
  const { drawings = {} } = await stored(again);
  expect(Object.values(drawings as Record<string, { items: { t: string }[] }>).map(({ items }) => items.map(({ t }) => t))).toEqual([["line", "text"]]);
});

test("what is done in the moment of a reload is kept, though the browser's database is busy", async ({ page, context }) => {
  await start(page);
  await saving(page, "saved");
  await kept(page);
  await context.setOffline(true);
  await keepBusy(page);
  await answer(page, "C");
  await page.reload();
  await at(page, 1);
  await expect(chosen(page)).toHaveValue("C");
  await saving(page, "offline");
  await context.setOffline(false);
  await saving(page, "saved");
  await page.reload();
  await expect(chosen(page)).toHaveValue("C");
});

test("answers given in a minute without a network arrive when it is back", async ({ page, context }) => {
  await page.clock.install();
  await start(page);
  await saving(page, "saved");
  await context.setOffline(true);
  for (const letter of ["A", "B", "C"]) {
    await answer(page, letter);
    await next(page);
  }
  await saving(page, "offline");
  await expect(page.locator("[data-saving]")).toContainText("Offline: kept on this device");
  // Second by second, so that what is tried again in this minute fails before it is tried once more.
  for (let second = 0; second < 60; second += 1) await page.clock.runFor(1_000);
  await context.setOffline(false);
  await saving(page, "saved");
  await page.keyboard.press("ArrowLeft");
  await expect(chosen(page)).toHaveValue("C");
});

test("handing in without a network waits for it, and can be taken back", async ({ page, context }) => {
  await start(page);
  await saving(page, "saved");
  await context.setOffline(true);
  await answer(page, "D");
  for (let turn = 0; turn < 10; turn += 1) await page.keyboard.press("ArrowRight");
  await saving(page, "offline");
  await page.locator("main").getByRole("button", { name: "Hand in" }).click();
  await page.getByRole("button", { name: "Yes, hand in" }).click();
  await expect(page.getByText("There is no internet right now.")).toBeVisible();
  await page.getByRole("button", { name: "Keep working" }).click();
  await page.locator("main").getByRole("button", { name: "Hand in" }).click();
  await page.getByRole("button", { name: "Yes, hand in" }).click();
  await context.setOffline(false);
  await expect(page.getByRole("heading", { name: "Your test has arrived" })).toBeVisible({ timeout: 30_000 });
  await report(page);
  expect((await stored(page)).result.answers[0]?.selected).toBe("D");
});

test("the server is killed and comes back", async ({ page, hall }) => {
  await start(page);
  await answer(page, "A");
  await saving(page, "saved");
  await hall.kill();
  await next(page);
  await answer(page, "B");
  await saving(page, "offline");
  await hall.start();
  await saving(page, "saved");
  await page.reload();
  await at(page, 2);
  await expect(chosen(page)).toHaveValue("B");
});

test("the browser dies without a network, and the next one goes on", async ({ page, context }) => {
  await start(page);
  await saving(page, "saved");
  await context.setOffline(true);
  await answer(page, "C");
  await saving(page, "offline");
  await page.close();
  await context.setOffline(false);
  const again = await context.newPage();
  await again.goto(SHORT);
  await goOn(again);
  await at(again, 1);
  await expect(chosen(again)).toHaveValue("C");
  await saving(again, "saved");
});

test("a second tab takes over, and the first says so", async ({ page, context }) => {
  await start(page);
  await answer(page, "A");
  await saving(page, "saved");
  const second = await context.newPage();
  await second.goto(SHORT);
  await goOn(second);
  await at(second, 1);
  await expect(chosen(second)).toHaveValue("A");
  await expect(page.getByRole("heading", { name: "This test is open somewhere else" })).toBeVisible();
  await expect(page.getByRole("radio").first()).toBeDisabled();
  await answer(second, "B");
  await saving(second, "saved");
  await page.getByRole("button", { name: "Continue here" }).click();
  await expect(chosen(page)).toHaveValue("B");
  await expect(second.getByRole("heading", { name: "This test is open somewhere else" })).toBeVisible();
});

test("where sockets are broken the test goes by plain HTTPS", async ({ page }) => {
  await page.addInitScript(() => {
    class Broken extends EventTarget {
      readyState = 3;
      onclose?: (event: object) => void;
      constructor() {
        super();
        setTimeout(() => this.onclose?.({ code: 1006 }), 10);
      }
      send() {}
      close() {}
    }
    Object.assign(window, { WebSocket: Broken });
  });
  await start(page);
  await answer(page, "B");
  await saving(page, "saved");
  for (let turn = 0; turn < 10; turn += 1) await page.keyboard.press("ArrowRight");
  await handIn(page);
  await report(page);
  expect((await stored(page)).result.answers[0]?.selected).toBe("B");
});

test("a page that is loaded anew without a network goes on, and hands in when it is back", async ({ page, context }) => {
  await start(page);
  await answer(page, "B");
  await page.keyboard.press("p");
  await draw(page, "Pen", [80, 200], [300, 260]);
  await page.getByRole("button", { name: "Done" }).click();
  await saving(page, "saved");
  await kept(page);
  await context.setOffline(true);
  await next(page);
  await answer(page, "C");
  await written(page, `"selected":"C"`);
  await page.reload();
  await at(page, 2);
  await expect(chosen(page)).toHaveValue("C");
  await saving(page, "offline");
  // Only the server knows the time, and it can't be asked.
  await expect(page.getByText("Time left: shown when the internet is back")).toBeVisible();
  await page.keyboard.press("ArrowLeft");
  await expect(chosen(page)).toHaveValue("B");
  await page.getByRole("button", { name: "Drawing" }).click();
  await expect.poll(() => isInked(page)).toBe(true);
  await draw(page, "Line", [80, 300], [200, 320]);
  await page.getByRole("button", { name: "Done" }).click();
  await written(page, `"t":"line"`);
  await page.reload();
  for (const number of [1, 2, 3]) {
    await at(page, number);
    await next(page);
  }
  await answer(page, "A");
  await saving(page, "offline");
  await context.setOffline(false);
  await saving(page, "saved");
  await expect(page.getByRole("button", { name: /minutes left$/ })).toBeVisible();
  for (let turn = 0; turn < 10; turn += 1) await page.keyboard.press("ArrowRight");
  await handIn(page);
  await report(page);
  const { result, drawings = {} } = await stored(page);
  expect(result.answers.slice(0, 4).map(({ selected }) => selected)).toEqual(["B", "C", "", "A"]);
  expect(Object.values(drawings as Record<string, { items: { t: string }[] }>).map(({ items }) => items.map(({ t }) => t))).toEqual([["pen", "line"]]);
});

test("the pictures of later questions are there without a network, also after a reload", async ({ page, context }) => {
  await signInAsAdmin(page);
  const test = await tenQuestions(page);
  const address = await page.evaluate(async () => {
    const body = `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="60" viewBox="0 0 80 60"><rect width="80" height="60" fill="#157"/></svg>`;
    const answer = await fetch("/api/review/pictures", { method: "POST", headers: { "Content-Type": "image/svg+xml" }, body });
    return ((await answer.json()) as { url: string }).url;
  });
  for (const questionId of test.ids) {
    // Each has an address of its own, so that no picture is here because of another one.
    const updates = { image: `${address}?of=${questionId}`, imageDescription: "A blue rectangle." };
    await call(page, "POST", "/api/review/edit", { questionId, grade: 5, comment: "", updates });
  }
  const loaded = new Set<string>();
  page.on("requestfinished", (request) => request.url().includes("/media/") && loaded.add(request.url()));
  await start(page, test.address);
  await kept(page);
  await expect.poll(() => loaded.size, OFTEN).toBe(test.ids.length);
  await context.setOffline(true);
  const picture = page.getByRole("img", { name: "A blue rectangle." });
  for (let number = 1; number < 7; number += 1) {
    await next(page);
    await at(page, number + 1);
    await expect(picture).toHaveJSProperty("naturalWidth", 80);
  }
  await page.reload();
  await at(page, 7);
  await expect(picture).toHaveJSProperty("naturalWidth", 80);
  await next(page);
  await expect(picture).toHaveJSProperty("naturalWidth", 80);
});

test("a page that is loaded anew while the server is down waits for it", async ({ page, hall }) => {
  await signInAsAdmin(page);
  await start(page, `/t/${await template(page, "Winter test")}?studentId=s-17`);
  await answer(page, "A");
  await saving(page, "saved");
  await kept(page);
  await hall.kill();
  await page.reload();
  await at(page, 1);
  await expect(page.getByText("Winter test")).toBeVisible();
  await expect(chosen(page)).toHaveValue("A");
  await answer(page, "D");
  await next(page);
  await answer(page, "B");
  await written(page, `"selected":"B"`);
  await page.reload();
  await at(page, 2);
  await expect(chosen(page)).toHaveValue("B");
  await saving(page, "offline");
  await hall.start();
  await saving(page, "saved");
  for (let turn = 0; turn < 10; turn += 1) await page.keyboard.press("ArrowRight");
  await handIn(page);
  await report(page);
  expect((await stored(page)).result.answers.slice(0, 2).map(({ selected }) => selected)).toEqual(["D", "B"]);
});

test("a closed browser opens a running test without a network, with mathematics and sheet", async ({ page, context }) => {
  await start(page);
  await answer(page, "C");
  await saving(page, "saved");
  await kept(page);
  await context.setOffline(true);
  await page.close();
  const again = await context.newPage();
  await again.goto(SHORT);
  await goOn(again);
  await at(again, 1);
  await expect(chosen(again)).toHaveValue("C");
  await again.keyboard.press("p");
  await expect(again.getByRole("button", { name: "Pen" })).toBeVisible();
  await again.getByRole("button", { name: "Done" }).click();
  // Without a network, only a running test can be opened; other pages say why.
  await again.goto("/test/6");
  await expect(again.getByRole("heading", { name: "The exam server can’t be reached" })).toBeVisible();
  await context.setOffline(false);
  await expect(again.getByRole("button", { name: "Start the test" })).toBeVisible();
});

test("a server that is silent keeps nobody waiting", async ({ page, hall }) => {
  await start(page);
  await answer(page, "C");
  await saving(page, "saved");
  await kept(page);
  hall.freeze();
  await page.reload();
  await at(page, 1);
  await expect(chosen(page)).toHaveValue("C");
  await answer(page, "D");
  await saving(page, "offline");
});

for (const how of ["no network", "503", "429"] as const)
  test(`a start that fails (${how}) is done again by itself, once`, async ({ page }) => {
    await page.goto(SHORT);
    await page.getByLabel("Your name").fill("Ada");
    const keys: string[] = [];
    let isUp = false;
    await page.route("**/api/live", async (route) => {
      keys.push((route.request().postDataJSON() as { key: string }).key);
      if (isUp) return route.continue();
      if (how === "no network") return route.abort();
      return route.fulfill({ status: Number(how), json: { error: "Try again later" }, headers: { "Retry-After": "1" } });
    });
    await page.getByRole("button", { name: "Start the test" }).click();
    await expect(page.getByText("This page tries again by itself.")).toBeVisible();
    await expect.poll(() => keys.length, OFTEN).toBeGreaterThan(2);
    await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
    isUp = true;
    await at(page, 1);
    await expect(page.locator("header")).toContainText("Ada");
    expect(new Set(keys).size).toBe(1);
    await saving(page, "saved");
  });

test("a page that could not load its test does so by itself when the network is back", async ({ page, context }) => {
  await page.goto("/");
  await page.route("**/api/questions*", (route) => route.abort());
  await page.goto(SHORT);
  await expect(page.getByRole("heading", { name: /can’t be reached/ })).toBeVisible();
  await page.unroute("**/api/questions*");
  await context.setOffline(true);
  await context.setOffline(false);
  await expect(page.getByRole("button", { name: "Start the test" })).toBeVisible();
});

test("a reload keeps the time on the question", async ({ page }) => {
  await page.clock.install();
  const times: number[] = [];
  page.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => {
      const frame = JSON.parse(String(payload)) as { type: string; timeTaken: number };
      if (frame.type === "answer") times.push(frame.timeTaken);
    }),
  );
  await start(page);
  await saving(page, "saved");
  await page.clock.runFor(45_000);
  await saving(page, "saved");
  await page.reload();
  await at(page, 1);
  await saving(page, "saved");
  await answer(page, "B");
  await expect.poll(() => times.at(-1)).toBeGreaterThanOrEqual(45);
  expect(times.at(-1)).toBeLessThan(60);
});
