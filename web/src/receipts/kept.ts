// The receipts that this device keeps: of each test the newest that came while it ran, and the final one of a test that has
// just ended. Pages work without a storage; then a receipt lasts as long as the page.

import { receiptsIn } from "./receipt";

const PREFIX = "examhall-receipt-";
/** The next student at a shared computer should not find them. */
const KEPT_MS = 24 * 3_600_000;

interface KeptReceipt {
  receipt: string;
  /** When it came, by the calendar of this device. */
  at: number;
}

/** Final receipts that are on their way, or here, by session. */
const finals = new Map<string, Promise<string | undefined>>();

/** Deletes those of earlier days, and keeps this one in place of the one before. */
export function keepReceipt(sessionId: string, receipt: string): void {
  try {
    forgetOld();
    localStorage.setItem(PREFIX + sessionId, JSON.stringify({ receipt, at: Date.now() } satisfies KeptReceipt));
  } catch {
    // The server has what the receipt speaks of; without room here there is only no proof of it.
  }
}

export function keptReceipt(sessionId: string): string | undefined {
  try {
    return read(PREFIX + sessionId)?.receipt;
  } catch {
    return undefined;
  }
}

export function forgetReceipt(sessionId: string): void {
  try {
    localStorage.removeItem(PREFIX + sessionId);
  } catch {
    // A browser without storage has nothing to delete.
  }
}

/**
 * The final receipt, asked for after so long a pause. Without the token of the test, the server gives it to whoever is signed in
 * and has sat the test.
 */
export function finalReceipt(sessionId: string, token?: string, pauseMs = 0): Promise<string | undefined> {
  const paused = pauseMs === 0 ? Promise.resolve(undefined) : new Promise<undefined>((resolve) => setTimeout(resolve, pauseMs, undefined));
  const known = finals.get(sessionId) ?? paused;
  const found = known.then((receipt) => receipt ?? load(`/api/sessions/${encodeURIComponent(sessionId)}/receipt`, token).then(({ receipt }) => receipt));
  finals.set(sessionId, found);
  return found;
}

/** The test goes on after its end, and will have another final receipt. */
export function dropFinal(sessionId: string): void {
  finals.delete(sessionId);
}

/** Asks for what the server has stored of a running test. `isGone` if it will never have a receipt of it. */
export function loadRunning(sessionId: string, token: string): Promise<{ receipt?: string; isGone: boolean }> {
  return load(`/api/live/${encodeURIComponent(sessionId)}/receipt`, token);
}

/** The statuses that no later try would change: it is not this page's test, it is over, or the server gives no receipts. */
const GONE = [400, 401, 403, 404, 405, 410];
const SILENCE_MS = 15_000;

async function load(path: string, token?: string): Promise<{ receipt?: string; isGone: boolean }> {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), SILENCE_MS);
  try {
    const headers = { Accept: "application/jwt, application/json", ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) };
    // What the student does goes first.
    const response = await fetch(path, { headers, cache: "no-store", priority: "low", signal: patience.signal });
    const [receipt] = response.ok ? receiptsIn(await response.text()) : [];
    return { ...(receipt === undefined ? {} : { receipt }), isGone: GONE.includes(response.status) };
  } catch {
    return { isGone: false };
  } finally {
    clearTimeout(timer);
  }
}

function forgetOld(): void {
  const names = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? "");
  for (const name of names.filter((name) => name.startsWith(PREFIX))) if (Date.now() - (read(name)?.at ?? 0) > KEPT_MS) localStorage.removeItem(name);
}

/** What can't be read counts as old. */
function read(name: string): KeptReceipt | undefined {
  const text = localStorage.getItem(name) ?? "null";
  const kept = parsed(text) as Partial<KeptReceipt> | null | undefined;
  return typeof kept?.receipt === "string" && typeof kept.at === "number" ? (kept as KeptReceipt) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
