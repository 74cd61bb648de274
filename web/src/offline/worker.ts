// The service worker: with it a test can be loaded anew while there is no network. It keeps one build of the pages, whole.

import { documentOf, strategyOf } from "./requests";

/** Written when the pages are built: which build this is, and every file that its pages can ask for. */
declare const BUILD: string;
declare const BUILD_FILES: string[];

interface LastingEvent extends Event {
  waitUntil(done: Promise<unknown>): void;
}

interface FetchEvent extends LastingEvent {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}

/** What a worker has of its browser; the pages' own types know nothing of workers. */
interface Worker {
  registration: ServiceWorkerRegistration;
  clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", heard: (event: LastingEvent) => void): void;
  addEventListener(type: "fetch", heard: (event: FetchEvent) => void): void;
  addEventListener(type: "message", heard: (event: MessageEvent) => void): void;
}

const worker = self as unknown as Worker;

/** A server that has not sent a document by then is as good as away. */
const DOCUMENT_MS = 2_500;
const CACHES = "pages-";
const CACHE = CACHES + BUILD;
/** Every page is this document. */
const DOCUMENT = "/";

/** All or nothing: where the server has another build by now, this worker never begins its work. */
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
  // With it, whatever this worker leaves alone would be asked for twice: a sign-in's one-time code too.
  await worker.registration.navigationPreload?.disable();
  await worker.clients.claim();
}

async function kept(request: RequestInfo): Promise<Response | undefined> {
  const cache = await caches.open(CACHE);
  // Browsers that accept other encodings are other browsers.
  return cache.match(request, { ignoreVary: true });
}

async function document({ request }: FetchEvent): Promise<Response> {
  return documentOf(fetch(request), () => kept(DOCUMENT), new Promise((resolve) => setTimeout(resolve, DOCUMENT_MS)));
}

worker.addEventListener("install", (event) => event.waitUntil(keep()));
worker.addEventListener("activate", (event) => event.waitUntil(begin()));
worker.addEventListener("message", ({ data }) => {
  // A page of this build is there already: it must not be given the files of an older one.
  if (data === BUILD) void worker.skipWaiting();
});
worker.addEventListener("fetch", (event) => {
  const strategy = strategyOf(event.request, location.origin);
  if (strategy === "document") event.respondWith(document(event));
  if (strategy === "file") event.respondWith(kept(event.request).then((file) => file ?? fetch(event.request)));
});
