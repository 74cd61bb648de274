// Receipts: kept while a test runs, saved at its end, and checked by anyone at /verify, also without a network.

import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Download, Page } from "@playwright/test";
import { check } from "./accessible";
import { expect, test } from "./hall";
import { School, finish, ready } from "./sitting";
import { answer, answerAll, at, handIn, next, OFTEN, start } from "./student";

const WIDTHS = [390, 820, 1366];

/** Waits until the device keeps a receipt of the running test. */
async function keptReceipt(page: Page): Promise<void> {
  const count = () => page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith("examhall-receipt-")).length);
  await expect.poll(count, { ...OFTEN, timeout: 30_000 }).toBe(1);
}

async function textOf(download: Download): Promise<string> {
  return readFileSync(await download.path(), "utf8");
}

/** Sits a whole test, and returns the receipts that the student saves: the final one, and the last from during the test. */
async function savedReceipts(page: Page): Promise<string[]> {
  await start(page);
  await answer(page, "D");
  await next(page);
  await at(page, 2);
  await keptReceipt(page);
  await page.keyboard.press("ArrowLeft");
  await answerAll(page, 10);
  await handIn(page);
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save your receipt" }).click()]);
  expect(download.suggestedFilename()).toMatch(/^receipt-[0-9a-f-]{36}\.txt$/);
  await expect(page.getByText("The receipt is in your downloads.")).toBeVisible();
  return (await textOf(download)).trim().split("\n");
}

/** Opens the page with the keys of the server, and waits until the browser keeps it. */
async function openVerify(page: Page): Promise<void> {
  await page.goto("/verify");
  await expect(page.locator("[data-keys]")).toHaveAttribute("data-keys", "server");
  await expect(page.getByText("This page now opens without a network too.")).toBeVisible();
}

async function checkText(page: Page, text: string): Promise<void> {
  await page.getByLabel("Receipt", { exact: true }).fill(text);
  await page.getByRole("button", { name: "Check", exact: true }).click();
}

const verdicts = (page: Page) => page.locator("[data-verdict]");

/** The same receipt with another answer to the first question. */
function altered(receipt: string): string {
  const [head = "", payload = "", tail = ""] = receipt.split(".");
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as { answers: [string, string | null, number][] };
  const [first] = claims.answers;
  if (first !== undefined) first[1] = first[1] === "A" ? "B" : "A";
  return [head, Buffer.from(JSON.stringify(claims)).toString("base64url"), tail].join(".");
}

test.describe("with all of the chance by which pages spread what they ask for", () => {
  test.use({ chance: 1 });

  test("a student saves the receipt, and checks it without a network; an altered one is refused", async ({ page, context }) => {
    const [final = "", interim = ""] = await savedReceipts(page);
    await openVerify(page);
    await context.setOffline(true);
    await page.reload();
    await expect(page.locator("[data-keys]")).toHaveAttribute("data-keys", "kept");
    await checkText(page, `${final}\n${interim}`);
    await expect(verdicts(page)).toHaveCount(2);
    const [first, second] = [verdicts(page).first(), verdicts(page).last()];
    await expect(first).toHaveAttribute("data-verdict", "genuine");
    await expect(first.getByText("Final: as the test was first stored.")).toBeVisible();
    await expect(first.getByRole("row")).toHaveCount(11);
    // The letters that `answerAll` has given.
    await expect(first.locator("tbody td:nth-child(3)")).toHaveText([..."BCDABCDABC"]);
    await expect(first.getByText("Letters are those of the master copy of the test.")).toBeVisible();
    await expect(second).toHaveAttribute("data-verdict", "genuine");
    await expect(second.getByText("Not final: made while the test was running")).toBeVisible();
    await expect(second.locator("tbody td:nth-child(3)").first()).toHaveText("D");

    await checkText(page, altered(final));
    await expect(verdicts(page)).toHaveCount(1);
    await expect(verdicts(page)).toHaveAttribute("data-verdict", "altered");
    await expect(verdicts(page)).toContainText("This receipt is refused");
    await checkText(page, final.slice(0, -8));
    await expect(verdicts(page)).toHaveAttribute("data-verdict", "unreadable");
    await checkText(page, "A letter to the school");
    await expect(page.getByText("There is no receipt in this text.")).toBeVisible();
  });
});

test("a browser without Ed25519 checks by the library, which others do not load", async ({ page, browser, hall }) => {
  const [final = ""] = await savedReceipts(page);
  const others: string[] = [];
  page.on("request", (request) => request.url().includes("/assets/verify-library") && request.resourceType() === "script" && others.push(request.url()));
  await openVerify(page);
  const knows = await page.evaluate(() => crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]).then(() => true, () => false));
  await checkText(page, final);
  await expect(verdicts(page)).toHaveAttribute("data-verdict", "genuine");
  await expect(page.locator("[data-by=library]")).toHaveCount(knows ? 0 : 1);
  if (knows) expect(others.filter((address) => !address.includes("verify-worker"))).toEqual([]);

  const old = await browser.newContext({ baseURL: hall.url, locale: "en-GB" });
  await old.addInitScript(() => {
    const own = SubtleCrypto.prototype.importKey;
    const isEd25519 = (algorithm: unknown) => algorithm === "Ed25519" || (algorithm as { name?: string } | null)?.name === "Ed25519";
    SubtleCrypto.prototype.importKey = function (this: SubtleCrypto, ...asked: unknown[]) {
      if (isEd25519(asked[2])) return Promise.reject(new DOMException("Unrecognized name.", "NotSupportedError"));
      return (own as (...asked: unknown[]) => Promise<CryptoKey>).apply(this, asked);
    } as typeof own;
  });
  const without = await old.newPage();
  await openVerify(without);
  await old.setOffline(true);
  await without.reload();
  await checkText(without, final);
  await expect(verdicts(without)).toHaveAttribute("data-verdict", "genuine");
  await expect(without.locator("[data-by=library]")).toBeVisible();
  await checkText(without, altered(final));
  await expect(verdicts(without)).toHaveAttribute("data-verdict", "altered");
});

test("a receipt that fails to come is no trouble for the test", async ({ page }) => {
  const asked: string[] = [];
  await page.route(/\/receipt$/, (route) => {
    asked.push(route.request().url());
    return route.abort();
  });
  await start(page);
  await answer(page, "B");
  await next(page);
  await at(page, 2);
  await expect.poll(() => asked.length, { ...OFTEN, timeout: 30_000 }).toBe(1);
  await page.keyboard.press("ArrowLeft");
  await answerAll(page, 10);
  expect(asked.length).toBe(1);
  await expect(page.locator(".notice")).toHaveCount(0);
  await handIn(page);
  await expect(page.getByRole("button", { name: "Save your receipt" })).toHaveCount(0);
});

test("the log of a sitting has the receipt, as its checkpoint says", async ({ browser, hall }) => {
  const school = await School.open(browser, hall, [{ name: "Ada Lovelace" }, { name: "Bo Tran" }]);
  const devices = await Promise.all(["Ada Lovelace", "Bo Tran"].map((name) => school.entered(name)));
  await Promise.all(devices.map(({ page }) => ready(page)));
  await school.begin();
  for (const { page } of devices) {
    await at(page, 1);
    await answer(page, "B");
    await finish(page);
  }
  const { page } = school;
  // A sitting that is released is over.
  await school.release();
  const checkpoint = () => page.request.get(`/api/sittings/${school.sitting.id}/checkpoint`);
  await expect.poll(async () => (await checkpoint()).status(), { timeout: 60_000 }).toBe(200);
  const note = await (await checkpoint()).text();

  await page.goto(`/staff/results?sittingId=${school.sitting.id}`);
  await page.getByText("Checkpoint of the receipts").click();
  await expect(page.getByRole("group", { name: "Checkpoint of the receipts" }).locator("visible=true").last()).toContainText(note.trim().split("\n").at(-1) ?? "");
  await check(page, "the results with a checkpoint");
  const load = async (name: string) => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name, exact: true }).click()]);
    return textOf(download);
  };
  const [receipt, proof] = [await load("Receipt of Ada Lovelace"), await load("Proof of the receipt of Ada Lovelace")];
  const other = await load("Receipt of Bo Tran");
  expect(proof.startsWith("c2sp.org/tlog-proof@v1\n")).toBe(true);

  const file = (name: string, text: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  await openVerify(page);
  await page.getByLabel("Open files").setInputFiles([file("a.jwt", receipt), file("a.tlog-proof", proof), file("checkpoint.txt", note)]);
  await expect(page.locator("[data-entry]")).toHaveAttribute("data-entry", "included");
  await expect(page.getByText("The checkpoint that you have says the same")).toBeVisible();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await check(page, `a receipt with its proof at ${width}`);
  }
  await checkText(page, other);
  await expect(page.locator("[data-entry]")).toHaveAttribute("data-entry", "refused");
  await page.getByLabel("Checkpoint", { exact: true }).fill(note.replace(/\n2\n/, "\n3\n"));
  await checkText(page, receipt);
  await expect(page.locator("[data-log]")).toHaveAttribute("data-log", "checkpointAltered");
});

/** A receipt in the name of the server at this address that somebody has made up, and the key that has signed it. */
function madeUp(iss: string): { receipt: string; keys: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const jwk = publicKey.export({ format: "jwk" });
  const kid = createHash("sha256").update(`{"crv":"Ed25519","kty":"OKP","x":"${jwk.x}"}`).digest("base64url");
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = { iss, sessionId: "0b0e6c1e-7d0c-4c3f-9a55-2f6a3c1d8e90", version: 1, seq: 1, at: "2026-01-05T09:58:12.345Z", deadline: null, answers: [["g5-001", "B", 1]], drawings: [] };
  const text = `${part({ alg: "EdDSA", kid, typ: "receipt+jwt" })}.${part(claims)}`;
  return { receipt: `${text}.${sign(null, Buffer.from(text), privateKey).toString("base64url")}`, keys: JSON.stringify({ keys: [jwk] }) };
}

test("keys that come with a receipt in this server's name do not pass for the server's own", async ({ page }) => {
  await openVerify(page);
  const file = (name: string, text: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  const { receipt, keys } = madeUp(new URL(page.url()).origin);
  await page.getByLabel("Open files").setInputFiles([file("receipt.jwt", receipt), file("jwks.json", keys)]);
  await expect(page.locator("[data-foreign=receipt]")).toContainText("none of this server’s");
  await expect(page.getByRole("heading", { name: "This receipt is genuine", exact: true })).toHaveCount(0);
  await check(page, "a receipt with keys that are not the server's");
  // Of another server nothing is known here.
  const other = madeUp("https://other.example");
  await page.getByLabel("Open files").setInputFiles([file("receipt.jwt", other.receipt), file("jwks.json", other.keys)]);
  await expect(page.getByText("which is another server")).toBeVisible();
  await expect(page.locator("[data-foreign]")).toHaveCount(0);
});

test("the page that checks receipts is accessible and fits, in both languages", async ({ page }) => {
  await openVerify(page);
  for (const language of ["en", "vi"]) {
    await page.locator("select").selectOption(language);
    for (const summary of await page.locator("summary").all()) if (!(await summary.evaluate((node) => (node.parentElement as HTMLDetailsElement).open))) await summary.click();
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await check(page, `the fields in ${language} at ${width}`);
    }
  }
  await expect(page.locator("html")).toHaveAttribute("lang", "vi");
  await page.getByLabel("Biên nhận", { exact: true }).fill("eyJhbGciOiJFZERTQSJ9.eyJ9.AA");
  await page.keyboard.press("Tab");
  await page.getByRole("button", { name: "Kiểm tra", exact: true }).press("Enter");
  await expect(page.locator("[data-verdict]")).toContainText("Biên nhận này bị từ chối");
  // Whoever listens is led to what was found.
  expect(await page.evaluate(() => document.activeElement?.querySelector("[data-verdict]") !== null)).toBe(true);
  await check(page, "a refused receipt in Vietnamese");
});
