// A browser on a screen of its own, which Orca reads. `scripts/screen-reader` runs this; `scripts/test` does not, since it needs a
// desktop's programs and takes minutes.

import { defineConfig } from "@playwright/test";
import usual from "../playwright.config";

const CHROMIUM = ["--no-sandbox", "--test-type", "--disable-gpu", "--force-renderer-accessibility", "--window-position=0,0", "--window-size=1280,800"];

export default defineConfig({
  testDir: ".",
  timeout: 1_200_000,
  workers: 1,
  reporter: [["list"]],
  expect: { timeout: 15_000 },
  use: {
    locale: "en-GB",
    viewport: null,
    headless: false,
    launchOptions: { executablePath: usual.use?.launchOptions?.executablePath ?? "", args: CHROMIUM },
  },
});
