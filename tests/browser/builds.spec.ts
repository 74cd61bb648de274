// A new build of the pages while a browser has an old one cached: files of the two are never mixed.

import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test, type Hall } from "./hall";
import { at, kept, start } from "./student";

const PASSED_ON = ["accept", "authorization", "content-type", "cookie"];
const NEXT = "0123456789abcdef";

/** A proxy before the server that gives the pages which `isNew` picks the name of another build. It passes HTTP, but no sockets. */
async function disguise(hall: Hall, isNew: (path: string) => boolean) {
  let before = "";
  const server = createServer(async (request, response) => {
    const path = request.url ?? "/";
    const headers = Object.fromEntries(PASSED_ON.flatMap((name) => (request.headers[name] === undefined ? [] : [[name, String(request.headers[name])]])));
    const method = request.method ?? "GET";
    const asked = fetch(hall.url + path, { method, headers, redirect: "manual", ...(method === "GET" ? {} : { body: await bodyOf(request) }) });
    // A request that waits for news is under way when the server ends.
    const answer = await asked.catch(() => undefined);
    if (answer === undefined) return void response.destroy();
    const body = Buffer.from(await answer.arrayBuffer());
    before ||= /name="build" content="(\w+)"/.exec(body.toString())?.[1] ?? "";
    const kept = ["content-type", "content-security-policy", "cache-control"].map((name) => [name, answer.headers.get(name) ?? ""]);
    response.writeHead(answer.status, Object.fromEntries(kept));
    response.end(isNew(path) ? body.toString().replaceAll(before, NEXT) : body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** In the page: what becomes of the next worker that comes. */
async function ending(): Promise<ServiceWorkerState> {
  const registration = await navigator.serviceWorker.ready;
  const found = new Promise<ServiceWorker>((resolve) => registration.addEventListener("updatefound", () => resolve(registration.installing!), { once: true }));
  const under = registration.waiting ?? registration.installing;
  // One that has ended already is tried once more.
  if (under === null) void registration.update().catch(() => {});
  const next = under ?? (await found);
  while (next.state === "installing") await new Promise((resolve) => next.addEventListener("statechange", resolve, { once: true }));
  return next.state;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

test("a new build takes the place of the old one as a whole, and only where its own page is shown", async ({ page, context, hall }) => {
  let isNew = (_: string) => false;
  const { url, close } = await disguise(hall, (path) => isNew(path));
  const address = `${url}/test/5?questions=10&minutes=15`;
  const build = () => page.locator("meta[name=build]").getAttribute("content");
  const caches = () => page.evaluate(() => window.caches.keys());
  const isWaiting = () => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting !== null);
  await start(page, address);
  await kept(page);
  const before = (await build()) ?? "";
  expect(await caches()).toEqual([`pages-${before}`]);

  // Behind a load balancer, the new worker may come before the new pages. It then finds the document of another build, and
  // caches nothing.
  isNew = (path) => path === "/service-worker.js";
  await page.reload();
  await at(page, 1);
  expect(await page.evaluate(ending)).toBe("redundant");
  expect(await build()).toBe(before);
  expect(await isWaiting()).toBe(false);

  // An old page is still open, so the new worker is ready but waits.
  isNew = (path) => ["/service-worker.js", "/"].includes(path);
  await page.reload();
  await at(page, 1);
  await expect.poll(isWaiting).toBe(true);
  expect(await build()).toBe(before);
  expect(await caches()).toContain(`pages-${before}`);

  isNew = (path) => !path.startsWith("/assets/");
  await page.reload();
  await at(page, 1);
  expect(await build()).toBe(NEXT);
  await expect.poll(caches).toEqual([`pages-${NEXT}`]);
  await context.setOffline(true);
  await page.reload();
  await at(page, 1);
  expect(await build()).toBe(NEXT);
  close();
});
