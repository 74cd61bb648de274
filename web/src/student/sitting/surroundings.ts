// The browser as a sitting sees it: downloads, cryptography, and what this tab remembers. Separate so that only this file of
// the sitting's surroundings needs a browser.

import type { Entering, EnteringStore } from "../../sitting/enter";
import type { Cryptography, Surroundings } from "../../sitting/ports";
import { BrowserPaperStore } from "../../storage/papers";

/** A download is given up after this time: a sealed part is small. */
const DOWNLOAD_MS = 30_000;
const NONCE_BYTES = 12;
const ENTERING = "examhall-entering-";

async function download(path: string, isAgain: boolean): Promise<ArrayBuffer | undefined> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), DOWNLOAD_MS);
  try {
    const response = await fetch(path, { signal: controller.signal, cache: isAgain ? "reload" : "default" });
    return response.ok ? await response.arrayBuffer() : undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** Browsers have it only where the page came by https, or from the device itself. */
function cryptography(): Cryptography | undefined {
  const subtle = crypto.subtle as SubtleCrypto | undefined;
  if (subtle === undefined) return undefined;
  return {
    sha256: async (bytes) => [...new Uint8Array(await subtle.digest("SHA-256", bytes))].map((byte) => byte.toString(16).padStart(2, "0")).join(""),
    unseal: async (bytes, key) => {
      const raw = Uint8Array.from(atob(key), (letter) => letter.charCodeAt(0));
      const imported = await subtle.importKey("raw", raw, "AES-GCM", false, ["decrypt"]);
      const clear = await subtle.decrypt({ name: "AES-GCM", iv: bytes.slice(0, NONCE_BYTES) }, imported, bytes.slice(NONCE_BYTES));
      return new TextDecoder().decode(clear);
    },
  };
}

export const surroundings: Surroundings = { download, store: new BrowserPaperStore(), cryptography: cryptography() };

/** The entry that this tab has asked for and that was not answered. */
export function enteringOf(test: string): EnteringStore {
  let remembered: Entering | undefined;
  return {
    find: () => {
      try {
        return (JSON.parse(sessionStorage.getItem(ENTERING + test) ?? "null") as Entering | null) ?? undefined;
      } catch {
        return remembered;
      }
    },
    keep: (entering) => {
      remembered = entering;
      try {
        if (entering === undefined) sessionStorage.removeItem(ENTERING + test);
        else sessionStorage.setItem(ENTERING + test, JSON.stringify(entering));
      } catch {
        // The page then repeats it only as long as it stays open.
      }
    },
  };
}
