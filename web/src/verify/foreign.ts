// Tells when keys that the reader has brought take the place of this server's own. Whoever makes a receipt up can make keys
// for it too, and both may come in one folder: then it is genuine under these keys, and says that it comes from here.

import type { CheckedLog } from "../receipts/check";
import type { ReceiptCryptography } from "../receipts/cryptography";
import type { PublicKey } from "../receipts/keys";
import { whoSigned } from "../receipts/note";
import type { Receipt } from "../receipts/receipt";

/** The host of an address; one that is none is compared as it is. */
export function issuerHost(address: string): string {
  try {
    return new URL(address).host;
  } catch {
    return address;
  }
}

/** Whether a receipt names this host, and a key that it does not list. Without the list nothing is known of that. */
export function isForeignReceipt({ kid, claims }: Receipt, host: string, listed: PublicKey[]): boolean {
  return issuerHost(claims.iss) === host && listed.length > 0 && !listed.some((key) => key.kid === kid);
}

/** The same of a log, by the checkpoint that stands for it. */
export async function isForeignLog(log: CheckedLog, host: string, listed: PublicKey[], cryptography: ReceiptCryptography): Promise<boolean> {
  if (log.kind !== "signed" || listed.length === 0 || !log.checkpoint.origin.startsWith(`${host}/`)) return false;
  return (await whoSigned(log.checkpoint.note, listed, cryptography)) !== "signed";
}
