// SHA-256 and the check of Ed25519 signatures: the browser's own where it has both, and otherwise a small library that only
// such a browser loads. Pages on plain http have no cryptography of the browser's at all.

import { fromBase64Url, utf8, type Bytes } from "./bytes";

export interface ReceiptCryptography {
  /** What does the work. */
  by: "browser" | "library";
  sha256(bytes: Bytes): Promise<Bytes>;
  /** Whether the key has signed the message. A key or a signature that is none has signed nothing. */
  isSigned(message: Bytes, signature: Bytes, key: Bytes): Promise<boolean>;
}

export const KEY_BYTES = 32;
export const SIGNATURE_BYTES = 64;

/** The second example of RFC 8032, section 7.1, whose message is one byte: tells whether the browser knows Ed25519. */
const EXAMPLE = {
  key: "PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw",
  message: "r",
  signature: "kqAJqfDUyrhyDoILX2QlQKKye1QWUD-Ps3YiI-vbadoIWsHkPhWZbkWPNhPQ8R2MOHsurrQwKu6wDSkWErsMAA",
};

/** The browser's own; it may lack the one or the other. */
const OWN: ReceiptCryptography = {
  by: "browser",
  sha256: async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)),
  isSigned: async (message, signature, key) => {
    const imported = await crypto.subtle.importKey("raw", key, "Ed25519", false, ["verify"]).catch(() => undefined);
    return imported !== undefined && crypto.subtle.verify("Ed25519", imported, signature, message);
  },
};

let known: Promise<ReceiptCryptography> | undefined;

/** Decided once for each page. */
export function cryptography(): Promise<ReceiptCryptography> {
  return (known ??= choose());
}

async function choose(): Promise<ReceiptCryptography> {
  return (await isOwnComplete()) ? OWN : (await import("./library")).LIBRARY;
}

async function isOwnComplete(): Promise<boolean> {
  const [key, signature] = [fromBase64Url(EXAMPLE.key), fromBase64Url(EXAMPLE.signature)];
  if (key === undefined || signature === undefined) return false;
  return OWN.isSigned(utf8(EXAMPLE.message), signature, key).catch(() => false);
}
