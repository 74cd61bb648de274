// Decides how the service worker answers each request of the pages. Separate from the worker so that it can be tested
// without a browser.

/** The addresses of pages: all of them are one document. */
const DOCUMENTS = /^\/(?:test\/[^/]+|t\/[^/]+|report\/[^/]+|s\/[^/]+|sittings|continue)?$/;
const FILES = /^\/assets\/[^/]+$/;

/** The part of a `Request` that decides. */
export interface PageRequest {
  method: string;
  mode: string;
  url: string;
}

/**
 * A `document` comes from the server, or from the cache if the server does not answer. A `file` comes from the cache, since
 * its name changes with its content. The worker leaves everything else to the network.
 */
export type Strategy = "document" | "file" | "network";

export function strategyOf({ method, mode, url }: PageRequest, origin: string): Strategy {
  const { origin: asked, pathname } = new URL(url);
  if (method !== "GET" || asked !== origin) return "network";
  if (FILES.test(pathname)) return "file";
  return mode === "navigate" && DOCUMENTS.test(pathname) ? "document" : "network";
}

/** From here on, a status may come from a proxy whose server is down. */
const SERVER_ERROR = 500;

/**
 * The server's answer if it comes in time and is not a server error; otherwise the cached document; without one, whatever
 * the server answers in the end. A redirect to the sign-in is an answer like any other.
 */
export async function documentOf<A extends { status: number }>(asked: Promise<A>, kept: () => Promise<A | undefined>, limit: Promise<void>): Promise<A> {
  const good = asked.then(
    (answer) => (answer.status < SERVER_ERROR ? answer : undefined),
    () => undefined,
  );
  return (await Promise.race([good, limit.then(() => undefined)])) ?? (await kept()) ?? asked;
}
