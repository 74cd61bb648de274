// Fails the run when a test has passed at its second attempt only. A crash of the browser's own process is the one excuse:
// Chromium's headless shell has ended with a protection fault between two tests, before a page of ours was open.

import type { FullResult, Reporter, TestCase, TestResult } from "@playwright/test/reporter";

import { BROWSER_CRASHED } from "./hall.ts";

export default class Crashes implements Reporter {
  #crashed = new Set<string>();
  #failed = new Set<string>();

  onTestEnd(test: TestCase, result: TestResult): void {
    if (result.status === test.expectedStatus || result.status === "skipped") return;
    const isCrash = result.annotations.some(({ type }) => type === BROWSER_CRASHED);
    (isCrash ? this.#crashed : this.#failed).add(test.titlePath().slice(2).join(" › "));
  }

  onEnd(result: FullResult): { status: FullResult["status"] } {
    for (const title of this.#crashed) console.log(`the browser crashed during or before: ${title}`);
    for (const title of this.#failed) console.log(`failed at least once: ${title}`);
    return { status: this.#failed.size > 0 && result.status === "passed" ? "failed" : result.status };
  }

  printsToStdio(): boolean {
    return false;
  }
}
