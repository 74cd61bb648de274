// The cryptography of a library, for browsers without their own. Nothing imports this file but as a last resort.

import { hashes, verify } from "@noble/ed25519";
import { sha256, sha512 } from "@noble/hashes/sha2.js";
import type { ReceiptCryptography } from "./cryptography";

hashes.sha512 = (message) => sha512(message);

export const LIBRARY: ReceiptCryptography = {
  by: "library",
  sha256: async (bytes) => Uint8Array.from(sha256(bytes)),
  isSigned: async (message, signature, key) => {
    try {
      // As strict as browsers are, so that both say the same of every signature.
      return verify(signature, message, key, { zip215: false });
    } catch {
      return false;
    }
  },
};
