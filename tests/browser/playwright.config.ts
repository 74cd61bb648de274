// The pages in the distribution's Chromium, against the binary that `EXAMHALL` names (README.md).

import { defineConfig } from "@playwright/test";
import type { Surroundings } from "./hall";

const QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** Tests that measure time or need both cores, by file name and title: other work would be measured with them. */
const MEASURING = /day\.spec|speed\.spec|flashes at ten and five|each alert has two tones|two thousand strokes|five thousand rows|twelve thousand rows/;

export default defineConfig<Surroundings>({
  testDir: ".",
  globalSetup: "./ready.ts",
  // It needs a desktop's programs, and has a configuration of its own.
  testIgnore: "screen-reader/**",
  timeout: 90_000,
  // Each test has a server and a browser of its own, so tests of one file may run at once too. One for each core: with a third,
  // all of them wait for the processor, and the longest run into their limits.
  workers: 2,
  // A test that passes at its second attempt has failed, unless the browser crashed in the first one: crashes.ts.
  retries: 1,
  reporter: [["list"], ["./slowest.ts"], ["./crashes.ts"]],
  expect: { timeout: 15_000 },
  use: {
    locale: "en-GB",
    viewport: { width: 1280, height: 800 },
    launchOptions: { executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium", args: QUIET },
  },
  // scripts/test runs the two one after the other.
  projects: [
    { name: "side-by-side", grepInvert: MEASURING, fullyParallel: true },
    // Nothing is quicker in what is measured than it is in a school.
    { name: "alone", grep: MEASURING, workers: 1, use: { chance: 1, isInMemory: false } },
  ],
});
