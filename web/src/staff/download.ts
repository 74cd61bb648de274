// Downloads a file that the server makes, so that a refusal is a sentence on the page and no file with an error in it.

import { whenSignedIn, type Answer } from "./api";

/** Slips for a thousand candidates take a while. */
const PATIENCE_MS = 120_000;

/** `POST` is for files whose making changes something. */
export function download(path: string, name: string, method: "GET" | "POST" = "GET"): Promise<Answer<undefined>> {
  return whenSignedIn<undefined, Answer<undefined>>(() => downloadOnce(path, name, method));
}

async function downloadOnce(path: string, name: string, method: "GET" | "POST"): Promise<Answer<undefined>> {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE_MS);
  try {
    const response = await fetch(path, { method, signal: patience.signal });
    if (!response.ok) {
      const body = (await response.json().catch(() => undefined)) as { error?: unknown } | undefined;
      return { kind: "refused", status: response.status, error: typeof body?.error === "string" ? body.error : "", body };
    }
    save(await response.blob(), name);
    return { kind: "done", value: undefined };
  } catch {
    return { kind: "unreachable" };
  } finally {
    clearTimeout(timer);
  }
}

/** Gives the browser a file that the page has. */
export function save(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser reads the file after this.
  setTimeout(() => URL.revokeObjectURL(link.href), PATIENCE_MS);
}

/** A name as a part of a file's name. */
export function fileName(...parts: (string | undefined)[]): string {
  return parts
    .filter((part) => part !== undefined && part !== "")
    .map((part) => (part as string).replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, ""))
    .join("-");
}
