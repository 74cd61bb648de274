// A school with one sitting: planned over the API by its head, with entry slips from which candidates read their codes.

import type { Browser, BrowserContext, Page } from "@playwright/test";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Hall } from "./hall";
import { appears, call, handIn, signInAsHead, template } from "./student";

export interface Candidate {
  name: string;
  email?: string;
  externalId?: string;
  room?: string;
  seat?: string;
  factor?: number;
  extraMinutes?: number;
}

export const seconds = (count: number) => new Date(Date.now() + count * 1_000).toISOString();

export class School {
  page!: Page;
  sitting: any;
  /** Access codes by candidate's name. */
  codes = new Map<string, string>();

  constructor(
    private browser: Browser,
    private hall: Hall,
  ) {}

  /** Plans a sitting that starts in an hour, with its doors open, unless `changes` say otherwise. */
  static async open(browser: Browser, hall: Hall, candidates: Candidate[], changes: Record<string, unknown> = {}): Promise<School> {
    const school = new School(browser, hall);
    const context = await browser.newContext({ baseURL: hall.url });
    school.page = await context.newPage();
    await signInAsHead(school.page);
    // The shortest document from which the API can be called; tests go on to the page that they are about.
    await school.page.goto("/healthz");
    const templateId = (changes["templateId"] as string | undefined) ?? (await template(school.page, "Final paper"));
    const body = { name: "Final exam in mathematics", templateId, startsAt: seconds(3_600), doorsAt: seconds(-60), results: "held", ...changes };
    school.sitting = (await call(school.page, "POST", "/api/admin/sittings", body)).sitting;
    const listed = candidates.map(({ email, externalId, ...candidate }, index) => ({ ...candidate, ...(email === undefined ? { externalId: externalId ?? `n-${index}` } : { email }) }));
    await call(school.page, "PUT", `${school.path}/candidates`, { candidates: listed });
    await school.readSlips(candidates);
    return school;
  }

  get path(): string {
    return `/api/admin/sittings/${this.sitting.id}`;
  }

  get address(): string {
    return `/s/${this.sitting.code}`;
  }

  async readSlips(candidates: Candidate[]): Promise<void> {
    const answer = await this.page.request.post(`${this.path}/slips.pdf?renew=true`, { headers: { "Sec-Fetch-Site": "same-origin" } });
    expect(answer.status()).toBe(200);
    const folder = mkdtempSync(join(tmpdir(), "examhall-slips-"));
    const names = candidates.map(({ name }) => name);
    writeFileSync(join(folder, "slips.pdf"), await answer.body());
    for (const [name, code] of codesOf(join(folder, "slips.pdf"), names)) this.codes.set(name, code);
    rmSync(folder, { recursive: true });
    expect([...this.codes.keys()].sort()).toEqual([...names].sort());
  }

  code(name: string): string {
    return this.codes.get(name) ?? "";
  }

  async change(changes: Record<string, unknown>): Promise<void> {
    this.sitting = (await call(this.page, "PATCH", this.path, changes)).sitting;
  }

  begin = () => call(this.page, "POST", `${this.path}/begin`);
  release = () => call(this.page, "POST", `${this.path}/release`);

  /** A device of its own, with nothing on it. */
  async device(options: Parameters<Browser["newContext"]>[0] = {}): Promise<{ context: BrowserContext; page: Page }> {
    const context = await this.browser.newContext({ baseURL: this.hall.url, locale: "en-GB", ...options });
    return { context, page: await context.newPage() };
  }

  /** One more device, on which this candidate has entered. */
  async entered(name: string, options: Parameters<Browser["newContext"]>[0] = {}): Promise<{ context: BrowserContext; page: Page }> {
    const device = await this.device(options);
    await enter(device.page, this.address, this.code(name));
    return device;
  }
}

/** The access codes on entry slips, by candidate's name. */
export function codesOf(slips: string, names: string[]): Map<string, string> {
  const codes = new Map<string, string>();
  const known = new Set(names);
  let name: string | undefined;
  for (const line of execFileSync("pdftotext", ["-raw", slips, "-"]).toString().split("\n")) {
    if (known.has(line.trim())) name = line.trim();
    const code = /\b[2-9A-Y]{5}-[2-9A-Y]{5}\b/.exec(line)?.[0];
    if (code !== undefined && name !== undefined) codes.set(name, code);
  }
  return codes;
}

export async function enter(page: Page, address: string, code: string): Promise<void> {
  await page.goto(address);
  await page.getByLabel("Access code").fill(code);
  await page.getByRole("button", { name: "Enter", exact: true }).click();
}

/** Twelve pages may fetch their papers at once. */
const READY_MS = 45_000;

/** Waits until the waiting room has found everything ready, and the server knows it. */
export async function ready(page: Page): Promise<void> {
  const rest = await appears(page, "[data-ready=true]", "", READY_MS);
  await expect(page.locator("[data-ready=true]")).toBeVisible(rest);
  await expect(page.locator("[data-check=paper]")).toHaveAttribute("data-state", "fine");
}

/** The exam's own secret, as this tab remembers it. */
export async function continuation(page: Page): Promise<{ sessionId: string; token: string }> {
  const kept = await page.evaluate(() => Object.entries(sessionStorage).find(([name]) => name.startsWith("examhall-attempt-sitting"))?.[1] ?? "{}");
  const [sessionId = "", token = ""] = String((JSON.parse(kept) as { continuation?: string }).continuation).split(".");
  return { sessionId, token };
}

/** Where the exam stands for the server. */
export async function standing(page: Page): Promise<any> {
  const { sessionId, token } = await continuation(page);
  return (await page.request.get(`/api/live/${sessionId}`, { headers: { Authorization: `Bearer ${token}` } })).json();
}

/** Goes through ten questions to the review, and hands in. */
export async function finish(page: Page): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await page.keyboard.press("ArrowRight");
  await handIn(page);
}
