// Reads what the server says as text, whatever its status: some answers mean as much with 503 as with 200.

export interface Raw {
  status: number;
  text: string;
  /** How long the whole answer took, in milliseconds. */
  tookMs: number;
}

const PATIENCE_MS = 20_000;

/** Undefined if the server can't be reached. */
export async function readRaw(path: string): Promise<Raw | undefined> {
  const sentAt = performance.now();
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE_MS);
  try {
    const response = await fetch(path, { cache: "no-store", signal: patience.signal });
    const text = await response.text();
    return { status: response.status, text, tookMs: Math.round(performance.now() - sentAt) };
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
