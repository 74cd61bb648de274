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

export async function isAccessible(page: Page, state: string): Promise<void> {
  await page.waitForTimeout(200);
  await page.evaluate(AXE);
  const violations = await page.evaluate(
    async (rules) => ((await (window as any).axe.run(document, { resultTypes: ["violations"], rules })) as { violations: Violation[] }).violations,
    RULES,
  );
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target} ${node.failureSummary}`).join("; ")}`);
  expect(found, state).toEqual([]);
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
