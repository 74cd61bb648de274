// The service worker: it caches one complete build of the pages, so that a test can be reloaded without a network.

import { documentOf, strategyOf } from "./requests";

/** Filled in by the build (vite.config.ts): its name, and every file that its pages can ask for. */
declare const BUILD: string;
declare const BUILD_FILES: string[];

interface LastingEvent extends Event {
  waitUntil(done: Promise<unknown>): void;
}

interface FetchEvent extends LastingEvent {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}

/** What the browser offers a worker; the type library of the pages does not have it. */
interface Worker {
  registration: ServiceWorkerRegistration;
  clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", heard: (event: LastingEvent) => void): void;
  addEventListener(type: "fetch", heard: (event: FetchEvent) => void): void;
  addEventListener(type: "message", heard: (event: MessageEvent) => void): void;
}

const worker = self as unknown as Worker;

/** A server that has not sent the document by then counts as unreachable. */
const DOCUMENT_MS = 2_500;
const CACHES = "pages-";
const CACHE = CACHES + BUILD;
/** Every page is this document. */
const DOCUMENT = "/";

/** Caches all files or none. If the server has another build by now, installing fails and this worker is never used. */
async function keep(): Promise<void> {
  const cache = await caches.open(CACHE);
  const document = await fetch(DOCUMENT, { cache: "no-cache", redirect: "error" });
  if (!document.ok || !(await document.clone().text()).includes(BUILD)) throw new Error("the server has another build of the pages");
  await cache.addAll(BUILD_FILES);
  await cache.put(DOCUMENT, document);
}

async function begin(): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(CACHES) && name !== CACHE);
  await Promise.all(names.map((name) => caches.delete(name)));
  // With preloading, requests that this worker leaves alone would be sent twice, even one with a one-time sign-in code.
  await worker.registration.navigationPreload?.disable();
  await worker.clients.claim();
}

async function kept(request: RequestInfo): Promise<Response | undefined> {
  const cache = await caches.open(CACHE);
  // The cache belongs to this browser, so the encodings that it accepts do not vary.
  return cache.match(request, { ignoreVary: true });
}

async function document({ request }: FetchEvent): Promise<Response> {
  return documentOf(fetch(request), () => kept(DOCUMENT), new Promise((resolve) => setTimeout(resolve, DOCUMENT_MS)));
}

worker.addEventListener("install", (event) => event.waitUntil(keep()));
worker.addEventListener("activate", (event) => event.waitUntil(begin()));
worker.addEventListener("message", ({ data }) => {
  // A page of this build is open already, and must not get files of an older build.
  if (data === BUILD) void worker.skipWaiting();
});
worker.addEventListener("fetch", (event) => {
  const strategy = strategyOf(event.request, location.origin);
  if (strategy === "document") event.respondWith(document(event));
  if (strategy === "file") event.respondWith(kept(event.request).then((file) => file ?? fetch(event.request)));
});
