// What every state of the pages must pass: axe, and nothing cut off to the right.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import { expect } from "./hall";

/** axe leaves this rule off by itself, since WCAG has it from 2.2 on. */
const RULES = { "target-size": { enabled: true } };
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  id: string;
  nodes: { target: unknown; failureSummary?: string }[];
}

/**
 * Waits until what the page is about to show is shown: its fonts, its formulas, and what was changed in this moment. What it
 * still asks the server for is awaited by the test.
 */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => document.readyState === "complete" && document.querySelector("[data-formula=awaited]") === null);
  await page.evaluate(async () => {
    await document.fonts.ready;
    // The first frame shows what has changed, and the second one what scripts have answered to its size.
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  });
}

/** Runs axe on the page as it is now. */
export async function isAccessible(page: Page, state: string): Promise<void> {
  await settled(page);
  await axe(page, undefined, { rules: RULES }, state);
}

/** Checks the colours alone, of a part of the page as it is in this moment. */
export async function hasContrast(page: Page, selector: string, state: string): Promise<void> {
  await axe(page, selector, { runOnly: ["color-contrast"] }, state);
}

/** A document keeps axe, so that its 560 kB are sent and read once for each. */
async function axe(page: Page, selector: string | undefined, options: object, state: string): Promise<void> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const found: string[] = [];
  for (const { id, nodes } of await violations(page, selector, options)) {
    for (const { target, failureSummary } of nodes) {
      if (id === "target-size" && (await isLargeOnceScrolledTo(page, target))) continue;
      found.push(`${id}: ${target} ${failureSummary}`);
    }
  }
  expect(found, state).toEqual([]);
}

async function violations(page: Page, selector: string | undefined, options: object): Promise<Violation[]> {
  return page.evaluate(
    async ([selector, options]) => ((await (window as any).axe.run(selector ?? document, { resultTypes: ["violations"], ...options })) as { violations: Violation[] }).violations,
    [selector, options] as const,
  );
}

/**
 * A bar at the foot of the window covers a part of whichever button happens to be below it: whether one does depends on how long
 * a question is. Whoever wants the button scrolls, so it is measured in the middle of the window as well.
 */
async function isLargeOnceScrolledTo(page: Page, target: unknown): Promise<boolean> {
  const selector = Array.isArray(target) && target.length === 1 && typeof target[0] === "string" ? target[0] : undefined;
  if (selector === undefined) return false;
  const before = await page.evaluate((selector) => {
    const before = window.scrollY;
    document.querySelector(selector)?.scrollIntoView({ block: "center", behavior: "instant" });
    return before;
  }, selector);
  const again = await violations(page, selector, { runOnly: ["target-size"], rules: RULES });
  await page.evaluate((top) => window.scrollTo({ top, behavior: "instant" }), before);
  return again.length === 0;
}

/** Checks that nothing is cut off to the right. */
export async function fits(page: Page, state: string): Promise<void> {
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(excess, state).toBeLessThanOrEqual(0);
}

/** Runs axe and the check of the width on the page as it is now. */
export async function check(page: Page, state: string): Promise<void> {
  await isAccessible(page, state);
  await fits(page, state);
}
