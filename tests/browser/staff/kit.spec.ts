// The morning kit on the page of a sitting: its papers, its options, and new codes for its slips.

import type { Download, Page } from "@playwright/test";
import { execFileSync } from "node:child_process";
import { check } from "../accessible";
import { expect, test } from "../hall";
import { School } from "../sitting";

const CANDIDATES = [
  { name: "Nguyễn Thị Ánh Tuyết", email: "tuyet@school.example", room: "B12", seat: "A1", factor: 125 },
  { name: "Bo Tran", room: "B12", seat: "B2" },
  { name: "Cy Young", room: "B13", seat: "1" },
];

const code = /[2-9A-Y]{5}-[2-9A-Y]{5}/g;

/** The text of each page. */
async function pagesOf(file: Download): Promise<string[]> {
  const text = execFileSync("pdftotext", ["-raw", await file.path(), "-"]).toString();
  return text.split("\f").slice(0, -1);
}

async function downloaded(page: Page, button: string): Promise<Download> {
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: button }).click()]);
  await expect(page.getByRole("dialog")).toBeHidden();
  return file;
}

test("the papers of a morning are printed, of all rooms or of one", async ({ browser, hall }) => {
  const { page, sitting } = await School.open(browser, hall, CANDIDATES);
  await page.goto(`/staff/sittings/${sitting.id}`);
  await page.getByRole("button", { name: "Print the morning kit…" }).click();
  const dialog = page.getByRole("dialog", { name: "Print the morning kit" });
  await expect(dialog.getByText("3 candidates have a code already: their slips refer to the earlier one.")).toBeVisible();
  await check(page, "the morning kit");
  const whole = await downloaded(page, "Download the kit");
  expect(whole.suggestedFilename()).toMatch(/^Final-exam-in-mathematics-\d{4}-\d{2}-\d{2}-kit\.pdf$/);
  const pages = await pagesOf(whole);
  expect(pages).toHaveLength(8);
  expect(pages[0]).toContain(sitting.code);
  expect(pages[0]).not.toContain("Tuyết");
  expect(pages[1]).toContain("Seat plan: B12");
  expect(pages[2]).toContain("Nguyễn Thị Ánh Tuyết");
  expect(pages[2]).toContain("25 percent");
  expect(pages[3]).toContain("as on your earlier slip");
  expect(pages[7]).toContain("Page 4 of 4");

  await page.getByRole("button", { name: "Print the morning kit…" }).click();
  await dialog.getByLabel("Of which room").selectOption("B13");
  await dialog.locator("label", { hasText: /^\s*Paper/ }).getByRole("combobox").selectOption("letter");
  for (const paper of [/^Sign for the door/, /^Seat plan/, /^Attendance list/]) await dialog.getByRole("checkbox", { name: paper }).uncheck();
  await dialog.getByRole("checkbox", { name: /^Entry slips/ }).uncheck();
  await expect(dialog.getByRole("button", { name: "Download the kit" })).toBeDisabled();
  await dialog.getByRole("checkbox", { name: /^Entry slips/ }).check();
  await dialog.getByRole("button", { name: "Make 1 new code…" }).click();
  await check(page, "old codes die, for a kit");
  const renewed = await downloaded(page, "Yes, replace 1 code");
  expect(renewed.suggestedFilename()).toMatch(/^Final-exam-in-mathematics-\d{4}-\d{2}-\d{2}-B13-kit\.pdf$/);
  const [slips, ...others] = await pagesOf(renewed);
  expect(others).toEqual([]);
  expect(slips?.match(code)).toHaveLength(1);
  expect(slips).toContain("Cy Young");
  expect(execFileSync("pdfinfo", [await renewed.path()]).toString()).toContain("(letter)");
});

test("a dialog that can't be loaded is not a button without an effect", async ({ browser, hall }) => {
  const { page, sitting } = await School.open(browser, hall, CANDIDATES);
  const PART = /\/assets\/staff-KitDialog-[^/]+\.js$/;
  await page.route(PART, (route) => route.abort());
  await page.goto(`/staff/sittings/${sitting.id}`);
  const print = page.getByRole("button", { name: "Print the morning kit…" });
  await print.click();
  const alert = page.getByRole("alert").filter({ hasText: "The exam server can’t be reached." });
  await expect(alert).toBeInViewport();
  await check(page, "a kit that could not be loaded");
  await page.unroute(PART);
  await Promise.all([page.waitForEvent("load"), alert.getByRole("button", { name: "Try again" }).click()]);
  await print.click();
  await expect(page.getByRole("dialog", { name: "Print the morning kit" })).toBeVisible();
});
