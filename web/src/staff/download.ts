// Downloads a file that the server makes, so that a refusal is a sentence on the page and no file with an error in it.

import { whenSignedIn, type Answer } from "./api";

/** Slips for a thousand candidates take a while. Of a file that comes piece by piece, it is the time for each piece. */
const PATIENCE_MS = 120_000;

interface How {
  /** `POST` is for files whose making changes something. */
  method?: "GET" | "POST";
  /** In place of the server's name. */
  name?: string;
  /** Told each piece of a long file as it comes. */
  came?: (piece: Uint8Array) => void;
}

/** The file gets the name that the server has for it. */
export function download(path: string, how: How = {}): Promise<Answer<undefined>> {
  return whenSignedIn<undefined, Answer<undefined>>(() => downloadOnce(path, how));
}

async function downloadOnce(path: string, { method = "GET", name, came }: How): Promise<Answer<undefined>> {
  const patience = new AbortController();
  let timer = setTimeout(() => patience.abort(), PATIENCE_MS);
  const again = () => {
    clearTimeout(timer);
    timer = setTimeout(() => patience.abort(), PATIENCE_MS);
  };
  try {
    const response = await fetch(path, { method, signal: patience.signal });
    if (!response.ok) {
      const body = (await response.json().catch(() => undefined)) as { error?: unknown } | undefined;
      return { kind: "refused", status: response.status, error: typeof body?.error === "string" ? body.error : "", body };
    }
    const file = came === undefined ? await response.blob() : await inPieces(response, (piece) => (again(), came(piece)));
    save(file, name ?? serverName(response.headers.get("content-disposition")));
    return { kind: "done", value: undefined };
  } catch {
    return { kind: "unreachable" };
  } finally {
    clearTimeout(timer);
  }
}

async function inPieces(response: Response, came: (piece: Uint8Array) => void): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const reader = response.body?.getReader();
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
    pieces.push(read.value);
    came(read.value);
  }
  return new Blob(pieces, { type: response.headers.get("content-type") ?? "" });
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
