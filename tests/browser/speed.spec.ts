// How long a student with a slow laptop and a slow network waits for the start of a test and for its first question.

import type { CDPSession, Page } from "@playwright/test";
import { expect, test } from "./hall";
import { SHORT } from "./student";

const SLOW_4G = { offline: false, latency: 150, downloadThroughput: (1.6 * 1_024 * 1_024) / 8, uploadThroughput: (0.75 * 1_024 * 1_024) / 8 };
const SLOW_3G = { offline: false, latency: 400, downloadThroughput: 400_000 / 8, uploadThroughput: 400_000 / 8 };
const SCRIPT_BYTES_MAX = 78_600;
/** All that comes before a test can be started. */
const START_BYTES_MAX = 100_000;

async function slow(page: Page, network = SLOW_4G): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", network);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  return session;
}

/** Notes in the page itself when something first appears, so that the work of this test does not count. */
async function watched(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen: Record<string, number> = {};
    Object.assign(window, { seen });
    const look = () => {
      for (const [name, selector] of [["intro", "form .main"], ["question", "#question-text"]] as const) {
        if (seen[name] === undefined && document.querySelector(selector) !== null) requestAnimationFrame(() => (seen[name] ??= performance.now()));
      }
    };
    new MutationObserver(look).observe(document, { childList: true, subtree: true });
    addEventListener("click", () => (seen["click"] ??= performance.now()), { capture: true });
  });
}

async function seen(page: Page): Promise<{ intro: number; click: number; question: number }> {
  await expect(page.locator("#question-text")).toBeVisible();
  await page.waitForFunction(() => (window as any).seen.question !== undefined);
  return page.evaluate(() => (window as any).seen);
}

test("the first question is there within three seconds, from a warm cache within one", async ({ page }) => {
  const session = await slow(page);
  let scripts = 0;
  const kinds = new Map<string, string>();
  // What formulas need is loaded beside the first question, and not before it.
  const isForFormulas = (url: string) => /\/assets\/(render|tongues)-/.test(url);
  session.on("Network.responseReceived", ({ requestId, type, response }) => kinds.set(requestId, isForFormulas(response.url) ? "Formulas" : type));
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => (scripts += kinds.get(requestId) === "Script" ? encodedDataLength : 0));
  await watched(page);
  await page.goto(SHORT);
  await page.getByRole("button", { name: "Start the test" }).click();
  const first = await seen(page);
  // The time that a student takes to press the button does not count.
  const cold = Math.round(first.intro + first.question - first.click);
  const reloads: number[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    await page.reload();
    reloads.push(Math.round((await seen(page)).question));
  }
  // Other work on this machine only adds to the time, so the least is the truest.
  const warm = Math.min(...reloads);
  console.log(`first question: cold ${cold} ms, warm ${warm} ms; scripts ${scripts} bytes`);
  expect(scripts).toBeGreaterThan(10_000);
  expect(scripts).toBeLessThan(SCRIPT_BYTES_MAX);
  expect(cold).toBeLessThan(3_000);
  expect(warm).toBeLessThan(1_000);
});

test("on the slowest network little comes before a test can be started", async ({ page }) => {
  const session = await slow(page, SLOW_3G);
  let [bytes, isThere] = [0, false];
  session.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += isThere ? 0 : encodedDataLength));
  await watched(page);
  await page.goto(SHORT, { waitUntil: "commit" });
  await page.waitForFunction(() => (window as any).seen.intro !== undefined, undefined, { timeout: 20_000 });
  isThere = true;
  await expect(page.getByRole("button", { name: "Start the test" })).toBeEnabled();
  const intro = await page.evaluate(() => Math.round((window as any).seen.intro));
  console.log(`the start: ${intro} ms and ${bytes} bytes on a slow 3G network`);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(START_BYTES_MAX);
  // 3.7 s on two idle cores, nearly all of which is the network.
  expect(intro).toBeLessThan(6_000);
});
