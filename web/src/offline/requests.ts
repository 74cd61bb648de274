// How each request of the pages is answered when the network may be away: pure, so that it can be tried without a browser.

/** Addresses of the document that every page is. */
const DOCUMENTS = /^\/(?:test\/[^/]+|t\/[^/]+|report\/[^/]+|continue)?$/;
const FILES = /^\/assets\/[^/]+$/;

/** What is asked of a `Request`. */
export interface PageRequest {
  method: string;
  mode: string;
  url: string;
}

/**
 * `document` is asked of the server first and taken from what is kept when no answer comes; `file` is taken from what
 * is kept, since its name changes with what is in it; anything else is none of the worker's business.
 */
export type Strategy = "document" | "file" | "network";

export function strategyOf({ method, mode, url }: PageRequest, origin: string): Strategy {
  const { origin: asked, pathname } = new URL(url);
  if (method !== "GET" || asked !== origin) return "network";
  if (FILES.test(pathname)) return "file";
  return mode === "navigate" && DOCUMENTS.test(pathname) ? "document" : "network";
}

/** An answer that a proxy may give for a server that is down. */
const SERVER_ERROR = 500;

/**
 * The server's answer if it comes within the limit and is none of a broken server, else the kept document, else
 * whatever the server comes to say. A redirect to the sign-in is an answer like any other.
 */
export async function documentOf<A extends { status: number }>(asked: Promise<A>, kept: () => Promise<A | undefined>, limit: Promise<void>): Promise<A> {
  const good = asked.then(
    (answer) => (answer.status < SERVER_ERROR ? answer : undefined),
    () => undefined,
  );
  return (await Promise.race([good, limit.then(() => undefined)])) ?? (await kept()) ?? asked;
}
