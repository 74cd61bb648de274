// Checks receipts, and whether the log of a sitting has them: what is proven, and otherwise by its name what is wrong.

import { areSameBytes, utf8 } from "./bytes";
import type { ReceiptCryptography } from "./cryptography";
import type { PublicKey } from "./keys";
import { readCheckpoint, readProof, whoSigned, type Checkpoint, type LogProof } from "./note";
import { readReceipt, type Receipt, type ReceiptFault } from "./receipt";
import { leafHash, rootOf } from "./tree";

/** `unknownKey` if none of the keys is the one that the receipt names; `altered` if that key has not signed it. */
export type Refusal = ReceiptFault | "unknownKey" | "altered";

export type Checked = { kind: "genuine"; receipt: Receipt } | { kind: "refused"; why: Refusal };

/** Why a checkpoint, or a proof with its checkpoint, is not accepted. */
export type LogRefusal = "proofUnreadable" | "checkpointUnreadable" | "checkpointUnknownKey" | "checkpointAltered" | "otherLog" | "otherRoot" | "notIncluded";

/** What is certain of the log without any receipt. */
export type CheckedLog =
  | { kind: "none" }
  | { kind: "refused"; why: LogRefusal }
  /** `isCompared` if a checkpoint that the reader has says the same; `otherSize` if theirs is of another time. */
  | { kind: "signed"; checkpoint: Checkpoint; proof: LogProof | undefined; isCompared: boolean; otherSize?: number };

/** Where a receipt stands in the log. */
export type LogEntry = { kind: "unasked" } | { kind: "included"; index: number; replaces: number | undefined } | { kind: "refused"; why: LogRefusal };

export async function checkReceipt(text: string, keys: PublicKey[], { isSigned }: ReceiptCryptography): Promise<Checked> {
  const receipt = readReceipt(text);
  if (typeof receipt === "string") return { kind: "refused", why: receipt };
  const key = keys.find(({ kid }) => kid === receipt.kid);
  if (key === undefined) return { kind: "refused", why: "unknownKey" };
  return (await isSigned(receipt.signed, receipt.signature, key.bytes)) ? { kind: "genuine", receipt } : { kind: "refused", why: "altered" };
}

/** Checks a proof, a checkpoint, or a proof against a checkpoint that the reader has from somewhere else. Either may be empty. */
export async function checkLog(proofText: string, checkpointText: string, keys: PublicKey[], cryptography: ReceiptCryptography): Promise<CheckedLog> {
  const [hasProof, hasOwn] = [proofText.trim() !== "", checkpointText.trim() !== ""];
  if (!hasProof && !hasOwn) return { kind: "none" };
  const proof = hasProof ? readProof(proofText) : undefined;
  if (hasProof && proof === undefined) return { kind: "refused", why: "proofUnreadable" };
  const own = hasOwn ? readCheckpoint(checkpointText) : undefined;
  if (hasOwn && own === undefined) return { kind: "refused", why: "checkpointUnreadable" };
  const checkpoint = proof?.checkpoint ?? own;
  if (checkpoint === undefined) return { kind: "none" };
  for (const { note } of [checkpoint, ...(own === undefined ? [] : [own])]) {
    const by = await whoSigned(note, keys, cryptography);
    if (by !== "signed") return { kind: "refused", why: by === "altered" ? "checkpointAltered" : "checkpointUnknownKey" };
  }
  if (proof === undefined || own === undefined) return { kind: "signed", checkpoint, proof, isCompared: false };
  if (own.origin !== checkpoint.origin) return { kind: "refused", why: "otherLog" };
  if (own.size !== checkpoint.size) return { kind: "signed", checkpoint, proof, isCompared: false, otherSize: own.size };
  // Two roots over the same number of entries: the server has shown two histories.
  if (!areSameBytes(own.root, checkpoint.root)) return { kind: "refused", why: "otherRoot" };
  return { kind: "signed", checkpoint, proof, isCompared: true };
}

/** Whether this receipt is the entry that the proof is about. The log has only receipts of final results. */
export async function checkEntry(receipt: Receipt, log: CheckedLog, { sha256 }: ReceiptCryptography): Promise<LogEntry> {
  if (log.kind !== "signed" || log.proof === undefined || receipt.claims.version === null) return { kind: "unasked" };
  const { index, addition, replaces, path, checkpoint } = log.proof;
  const leaf = await leafHash(utf8(receipt.text + addition), sha256);
  const root = await rootOf(leaf, index, checkpoint.size, path, sha256);
  return root !== undefined && areSameBytes(root, checkpoint.root) ? { kind: "included", index, replaces } : { kind: "refused", why: "notIncluded" };
}
