// The people of a school, each in a browser of their own: the head, who is the first to sign in, and whoever they give a role.

import type { Browser, BrowserContext, Page } from "@playwright/test";
import { expect, type Hall } from "../hall";
import { call, signInAs } from "../student";

export type Role = "student" | "reviewer" | "manager" | "admin";
type Options = Parameters<Browser["newContext"]>[0];

export interface Person {
  context: BrowserContext;
  page: Page;
}

/** Signs in with a browser of their own, which shows nothing yet. */
async function signedIn(browser: Browser, hall: Pick<Hall, "url">, email: string, name: string, options: Options): Promise<Person> {
  const context = await browser.newContext({ baseURL: hall.url, locale: "en-GB", viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  await signInAs(page, email, name);
  return { context, page };
}

/** Signs in, and opens this page. */
export async function signIn(browser: Browser, hall: Pick<Hall, "url">, email: string, name: string, address = "/staff", options: Options = {}): Promise<Person> {
  const person = await signedIn(browser, hall, email, name, options);
  await person.page.goto(address);
  return person;
}

/** Someone to whom the head, whose page this is, has given a role and these grades. */
export async function hired(
  head: Page,
  browser: Browser,
  hall: Hall,
  role: Role,
  grades: number[],
  address = "/staff",
  options: Options = {},
): Promise<Person> {
  const [email, name] = [`${role}@school.example`, `The ${role}`];
  const person = await signedIn(browser, hall, email, name, options);
  await call(head, "PATCH", `/api/admin/users/${encodeURIComponent(email)}`, { role });
  const duty = { reviewer: "assignments", manager: "managers", student: undefined, admin: undefined }[role];
  if (duty !== undefined) await call(head, "POST", `/api/admin/review/${duty}`, { email, name, grades });
  await person.page.goto(address);
  return person;
}

/** Waits until Today has been loaded. */
export async function onToday(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { name: "Today", level: 1 })).toBeVisible();
  await expect(page.getByText("One moment…")).toHaveCount(0);
}
