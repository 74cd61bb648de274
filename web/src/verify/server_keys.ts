// The public keys by which receipts are checked: those that the reader has pasted, those of this server, or those that it gave
// to this device earlier, since the page works without a network too.

const PATH = "/.well-known/jwks.json";
const KEPT_AS = "examhall-verify-keys";
const SILENCE_MS = 8_000;

/** Where the keys come from. */
export type KeySource = "server" | "kept" | "own" | "none";

export interface ServerKeys {
  source: KeySource;
  text: string;
  /** When the server gave them, by the calendar of this device. */
  at: number;
}

/** Asks this server; without an answer, what it gave earlier counts. */
export async function loadServerKeys(): Promise<ServerKeys> {
  const text = await ask();
  if (text === undefined) return earlier();
  const at = Date.now();
  try {
    localStorage.setItem(KEPT_AS, JSON.stringify({ text, at }));
  } catch {
    // They then last only as long as the page.
  }
  return { source: "server", text, at };
}

async function ask(): Promise<string | undefined> {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), SILENCE_MS);
  try {
    const response = await fetch(PATH, { headers: { Accept: "application/json" }, cache: "no-store", signal: patience.signal });
    const text = response.ok ? await response.text() : "";
    // A portal that wants a sign-in answers with a page of its own.
    return Array.isArray((JSON.parse(text) as { keys?: unknown } | null)?.keys) ? text : undefined;
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

function earlier(): ServerKeys {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT_AS) ?? "null") as { text?: unknown; at?: unknown } | null;
    if (typeof kept?.text === "string" && typeof kept.at === "number") return { source: "kept", text: kept.text, at: kept.at };
  } catch {
    // A browser without storage has none.
  }
  return { source: "none", text: "", at: 0 };
}
