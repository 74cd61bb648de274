// Exported questions in a player of others: qti-components show each item, score each of its options or a number that is typed, and
// say its explanation.

import { createRequire } from "node:module";
import { type Locator } from "@playwright/test";
import { type BankQuestion } from "./bank";
import { expect, test } from "./hall";
import { filesOf } from "./package_files";
import { keysOf } from "./staff/answered";
import { call, signInAsAdmin } from "./student";

const PLAYER = createRequire(import.meta.url).resolve("@citolab/qti-components/cdn/index.global.js");
/** Where the package is shown from: nothing answers there but the test. */
const SITE = "http://package.example";
const SHOWN_EVERY = 10;
const TYPES: Record<string, string> = { svg: "image/svg+xml", png: "image/png", xml: "application/xml" };

interface Player extends HTMLElement {
  processResponse(): boolean;
  getOutcome(identifier: string): { value: unknown };
}

/** What stands between `\(` and `\)` is a formula for whoever reads items; here it is compared as it is written. */
const written = (text: string) =>
  text
    .replaceAll(/\$\$([^$]+)\$\$|(?<!\\)\$([^$]+)\$(?!\d)/g, (_, display, inline) => (display === undefined ? `\\(${inline}\\)` : `$$${display}$$`))
    .replaceAll("\\$", "$")
    .replaceAll(/\s+/g, " ")
    .trim();

/** The points that the player gives for what stands in an item. */
const scored = (item: Locator) =>
  item.evaluate((element) => {
    const player = element as Player;
    player.processResponse();
    return Number(player.getOutcome("SCORE").value);
  });

test("another player shows exported items with their pictures, gives a point for the right answer alone, and explains", async ({ page, context, hall }) => {
  await signInAsAdmin(page);
  const grade = 5;
  const questions = (await call(page, "GET", `/api/questions?grade=${grade}&types=all`)) as BankQuestion[];
  const keys = await keysOf(page, grade);
  const exported = await page.request.get(`${hall.url}/api/admin/export?grade=${grade}&format=qti3`);
  expect(exported.status()).toBe(200);
  const files = filesOf(await exported.body());
  const items = [...files.keys()].filter((name) => name.startsWith("items/")).sort();
  expect(items).toHaveLength(questions.length);

  const shown = await context.newPage();
  await shown.route(`${SITE}/**`, async (route) => {
    const path = decodeURIComponent(new URL(route.request().url()).pathname.slice(1));
    const body = path === "" ? "<!DOCTYPE html><title>Items</title><qti-item></qti-item>" : files.get(path);
    if (body === undefined) return route.fulfill({ status: 404, body: "" });
    return route.fulfill({ body, contentType: path === "" ? "text/html" : TYPES[path.split(".").at(-1)!]! });
  });
  const faults: string[] = [];
  shown.on("pageerror", (error) => faults.push(String(error)));
  await shown.goto(`${SITE}/`);
  await shown.addScriptTag({ path: PLAYER });

  const byId = new Map(questions.map((question) => [question.id, question]));
  const withPicture = items.filter((name) => files.get(name)!.includes("<img")).slice(0, 3);
  expect(withPicture).toHaveLength(3);
  const looked = new Set([...items.filter((_, index) => index % SHOWN_EVERY === 0), ...withPicture]);
  for (const name of looked) {
    await shown.evaluate((address) => {
      const container = document.createElement("item-container");
      container.setAttribute("item-url", address);
      document.querySelector("qti-item")!.replaceChildren(container);
    }, name);
    const item = shown.locator("qti-assessment-item");
    const id = /identifier="([^"]+)"/.exec(files.get(name)!)![1]!;
    await expect(item, name).toHaveAttribute("identifier", id);
    const question = byId.get(id)!;
    await expect(item.locator("qti-simple-choice"), name).toHaveCount(question.options.length);
    const text = (await item.locator("qti-item-body > div").first().innerText()).replaceAll(/\s+/g, " ").trim();
    expect(text, id).toBe(written(question.question));
    for (const [place, option] of question.options.entries()) {
      const choice = item.locator(`qti-simple-choice[identifier="${"ABCD"[place]}"]`);
      expect((await choice.innerText()).replaceAll(/\s+/g, " ").trim(), id).toBe(written(option));
    }
    for (const picture of await item.locator("img").all()) {
      await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth), id).toBeGreaterThan(0);
    }
    for (const [place] of question.options.entries()) {
      const letter = "ABCD"[place]!;
      await item.locator(`qti-simple-choice[identifier="${letter}"]`).click();
      expect(await scored(item), `${id} ${letter}`).toBe(letter === keys.get(id) ? 1 : 0);
    }
    if (question.options.length === 0) {
      const box = item.locator("qti-text-entry-interaction").getByRole("textbox");
      for (const [typed, points] of [
        [keys.get(id)!, 1],
        ["-98765", 0],
      ] as const) {
        // The player listens to keys.
        await box.clear();
        await box.pressSequentially(typed);
        expect(await scored(item), `${id} ${typed}`).toBe(points);
      }
    }
    const explanation = item.locator("qti-modal-feedback");
    if ((await explanation.count()) > 0) await expect(explanation, id).not.toBeEmpty();
  }
  expect(faults).toEqual([]);
});
