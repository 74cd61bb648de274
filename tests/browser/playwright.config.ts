// Runs the pages in the distribution's Chromium, against the binary that `EXAMHALL` names (README.md).

import { defineConfig } from "@playwright/test";

const QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

export default defineConfig({
  testDir: ".",
  timeout: 90_000,
  // Each test has a server of its own, and a build machine may have only two cores.
  workers: 1,
  reporter: [["list"]],
  expect: { timeout: 15_000 },
  use: {
    locale: "en-GB",
    viewport: { width: 1280, height: 800 },
    launchOptions: { executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium", args: QUIET },
  },
});
