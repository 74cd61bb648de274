// Answers of the server that are changed, read or lost on their way to a page.

import type { Page, Route } from "@playwright/test";

type Address = string | RegExp;

/**
 * Changes each answer from here until `stop` is called. A page that leaves, or a server that dies, while an answer is on its way
 * ends that request and nothing else.
 */
export async function altered(page: Page, address: Address, change: (body: any) => unknown): Promise<{ stop: () => void }> {
  let isStopped = false;
  await page.route(address, async (route) => {
    if (isStopped) return route.continue();
    const answer = await answered(route);
    if (answer === undefined) return route.abort().catch(() => undefined);
    await route.fulfill({ response: answer.response, json: change(answer.body) }).catch(() => undefined);
  });
  return { stop: () => void (isStopped = true) };
}

/** The server hears what is posted here, and the page does not hear the server, until `stop` is called. */
export async function lost(page: Page, address: Address): Promise<{ stop: () => void }> {
  let isStopped = false;
  await page.route(address, async (route) => {
    if (isStopped || route.request().method() !== "POST") return route.continue();
    await answered(route);
    await route.abort().catch(() => undefined);
  });
  return { stop: () => void (isStopped = true) };
}

/** The first answer to a `POST` here, read before the page has it: a browser forgets answers as soon as its page goes on. */
export async function firstPosted(page: Page, address: Address): Promise<Promise<any>[]> {
  let tell: (body: any) => void = () => undefined;
  const told = new Promise<any>((resolve) => (tell = resolve));
  await page.route(address, async (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    const answer = await answered(route);
    if (answer === undefined) return route.abort().catch(() => undefined);
    tell(answer.body);
    await route.fulfill({ response: answer.response }).catch(() => undefined);
  });
  // In a list, since what an `async` function returns is awaited with it.
  return [told];
}

async function answered(route: Route): Promise<{ response: Awaited<ReturnType<Route["fetch"]>>; body: any } | undefined> {
  try {
    const response = await route.fetch();
    return { response, body: await response.json() };
  } catch {
    return undefined;
  }
}
