// The service worker of the page that checks receipts: it keeps the page and its files, and answers for nothing else.

import { documentOf } from "../offline/requests";

/** Filled in by the build (vite.verify.config.ts): its name, and every file that the page can ask for. */
declare const BUILD: string;
declare const BUILD_FILES: string[];

interface ExtendableEvent extends Event {
  waitUntil(done: Promise<unknown>): void;
}

interface RequestEvent extends ExtendableEvent {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}

/** What the browser offers a worker; the type library of the pages does not have it. */
interface VerifyWorker {
  clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", heard: (event: ExtendableEvent) => void): void;
  addEventListener(type: "fetch", heard: (event: RequestEvent) => void): void;
}

const worker = self as unknown as VerifyWorker;

/** A server that has not sent the document by then counts as unreachable. */
const DOCUMENT_MS = 2_500;
const CACHES = "verify-";
const CACHE = CACHES + BUILD;
const DOCUMENT = "/verify";
const FILES = BUILD_FILES;

/** Caches all files or none. If the server has another build by now, installing fails and this worker is never used. */
async function keep(): Promise<void> {
  const cache = await caches.open(CACHE);
  const document = await fetch(DOCUMENT, { cache: "no-cache", redirect: "error" });
  if (!document.ok || !(await document.clone().text()).includes(BUILD)) throw new Error("the server has another build of the page");
  await cache.addAll(FILES);
  await cache.put(DOCUMENT, document);
  // The page has loaded all that it runs, so a new build needs not wait until the old page is closed.
  await worker.skipWaiting();
}

async function begin(): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(CACHES) && name !== CACHE);
  await Promise.all(names.map((name) => caches.delete(name)));
  await worker.clients.claim();
}

async function kept(request: RequestInfo): Promise<Response | undefined> {
  // The cache belongs to this browser, so the encodings that it accepts do not vary.
  return (await caches.open(CACHE)).match(request, { ignoreVary: true });
}

function answerTo({ request }: RequestEvent): Promise<Response> | undefined {
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return undefined;
  if (FILES.includes(pathname)) return kept(request).then((file) => file ?? fetch(request));
  if (request.mode !== "navigate" || pathname !== DOCUMENT) return undefined;
  return documentOf(fetch(request), () => kept(DOCUMENT), new Promise((resolve) => setTimeout(resolve, DOCUMENT_MS)));
}

worker.addEventListener("install", (event) => event.waitUntil(keep()));
worker.addEventListener("activate", (event) => event.waitUntil(begin()));
worker.addEventListener("fetch", (event) => {
  const answer = answerTo(event);
  if (answer !== undefined) event.respondWith(answer);
});
