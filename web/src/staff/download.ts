// Downloads a file that the server makes, so that a refusal is a sentence on the page and no file with an error in it.

import { whenSignedIn, type Answer } from "./api";

/** Slips for a thousand candidates take a while. */
const PATIENCE_MS = 120_000;

interface How {
  /** `POST` is for files whose making changes something. */
  method?: "GET" | "POST";
  /** In place of the server's name. */
  name?: string;
}

/** The file gets the name that the server has for it. */
export function download(path: string, how: How = {}): Promise<Answer<undefined>> {
  return whenSignedIn<undefined, Answer<undefined>>(() => downloadOnce(path, how));
}

async function downloadOnce(path: string, { method = "GET", name }: How): Promise<Answer<undefined>> {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE_MS);
  try {
    const response = await fetch(path, { method, signal: patience.signal });
    if (!response.ok) {
      const body = (await response.json().catch(() => undefined)) as { error?: unknown } | undefined;
      return { kind: "refused", status: response.status, error: typeof body?.error === "string" ? body.error : "", body };
    }
    save(await response.blob(), name ?? serverName(response.headers.get("content-disposition")));
    return { kind: "done", value: undefined };
  } catch {
    return { kind: "unreachable" };
  } finally {
    clearTimeout(timer);
  }
}

/** The name in a `Content-Disposition`: with all its letters, or else in ASCII. */
export function serverName(header: string | null): string {
  const [, full] = /filename\*=UTF-8''([^;\s]+)/i.exec(header ?? "") ?? [];
  const [, plain = "download"] = /filename="([^"]+)"/i.exec(header ?? "") ?? [];
  try {
    return full === undefined ? plain : decodeURIComponent(full);
  } catch {
    return plain;
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
