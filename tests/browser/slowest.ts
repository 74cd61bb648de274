// Names the ten slowest tests after a run, so that one that has become slow is seen.

import type { Reporter, TestCase, TestResult } from "@playwright/test/reporter";

const SHOWN = 10;

export default class Slowest implements Reporter {
  #seconds: { title: string; seconds: number }[] = [];

  onTestEnd(test: TestCase, result: TestResult): void {
    const [, , file = "", ...titles] = test.titlePath();
    this.#seconds.push({ title: [file, ...titles].join(" › "), seconds: result.duration / 1_000 });
  }

  onEnd(): void {
    const slowest = this.#seconds.toSorted((one, other) => other.seconds - one.seconds).slice(0, SHOWN);
    console.log(`\nthe ${slowest.length} slowest of ${this.#seconds.length} tests:`);
    for (const { title, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(7)} s  ${title}`);
  }

  printsToStdio(): boolean {
    return false;
  }
}
