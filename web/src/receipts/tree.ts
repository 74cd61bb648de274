// The tree of hashes over a log (RFC 6962 and RFC 9162): which root follows from an entry, its place and the hashes beside
// its way up.

import { joined, type Bytes } from "./bytes";
import type { ReceiptCryptography } from "./cryptography";

type Sha256 = ReceiptCryptography["sha256"];

export const HASH_BYTES = 32;

/** Before a leaf and before a node stand different bytes, so that neither can pass for the other. */
const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

export const leafHash = (entry: Bytes, sha256: Sha256): Promise<Bytes> => sha256(joined(LEAF, entry));

export const nodeHash = (left: Bytes, right: Bytes, sha256: Sha256): Promise<Bytes> => sha256(joined(NODE, left, right));

/**
 * The root of a log with `size` entries, if the leaf is its entry `index` and `path` has the hashes beside the way from there
 * to the root, the lowest first. Undefined if a log of this size has no such entry, or another number of hashes beside it.
 */
export async function rootOf(leaf: Bytes, index: number, size: number, path: Bytes[], sha256: Sha256): Promise<Bytes | undefined> {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) return undefined;
  let [node, last, root] = [index, size - 1, leaf];
  for (const beside of path) {
    if (last === 0) return undefined;
    if (node % 2 === 1 || node === last) {
      root = await nodeHash(beside, root, sha256);
      // The last of a level may have nothing beside it, and then goes up as it is.
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, Math.floor(last / 2)];
    } else root = await nodeHash(root, beside, sha256);
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  return last === 0 ? root : undefined;
}
