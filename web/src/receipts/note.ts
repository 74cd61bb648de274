// Reads signed notes, checkpoints and proofs, in the formats of C2SP (signed-note, tlog-checkpoint, tlog-proof@v1).

import { areSameBytes, fromBase64, utf8, type Bytes } from "./bytes";
import { SIGNATURE_BYTES, type ReceiptCryptography } from "./cryptography";
import { keyIdOf, type PublicKey } from "./keys";
import { HASH_BYTES } from "./tree";

/** What a log of a sitting was: how many entries, and the hash over all of them. */
export interface Checkpoint {
  /** The name of the log: the host of its server, and the sitting. */
  origin: string;
  size: number;
  root: Bytes;
  note: SignedNote;
}

export interface SignedNote {
  /** What is signed, with the line break at its end. */
  text: string;
  signatures: { name: string; keyId: Bytes; signature: Bytes }[];
}

/** Where in a log an entry is, the hashes beside its way up, and the checkpoint that they lead to. */
export interface LogProof {
  index: number;
  /** What the entry has after the receipt; empty for the first result of a test. */
  addition: string;
  /** The entry that this one replaces, as the addition says. */
  replaces: number | undefined;
  path: Bytes[];
  checkpoint: Checkpoint;
}

/** Who has signed a note: a key that is known, nobody in spite of what it says, or only keys that are not known. */
export type NoteSigned = "signed" | "altered" | "unknownKey";

const PROOF = "c2sp.org/tlog-proof@v1";
const KEY_ID_BYTES = 4;
const DECIMAL = /^(0|[1-9]\d{0,15})$/;
/** The only addition that there is. Since no receipt has a line break, it is clear where the one ends and the other begins. */
const ADDITION = /^\nreplaces (0|[1-9]\d{0,15})$/;

export const isProof = (text: string) => text.trimStart().startsWith(PROOF);

export function readCheckpoint(text: string): Checkpoint | undefined {
  const note = readNote(text);
  const [origin = "", size = "", root = ""] = note?.text.split("\n") ?? [];
  const hash = fromBase64(root);
  if (note === undefined || origin === "" || !DECIMAL.test(size) || hash?.length !== HASH_BYTES) return undefined;
  return { origin, size: Number(size), root: hash, note };
}

export function readProof(text: string): LogProof | undefined {
  const lines = asWritten(text).split("\n");
  if (lines.shift() !== PROOF) return undefined;
  const addition = lines[0]?.startsWith("extra ") === true ? additionOf(lines.shift()?.slice("extra ".length) ?? "") : "";
  const replaces = ADDITION.exec(addition ?? "")?.[1];
  const index = /^index (.*)$/.exec(lines.shift() ?? "")?.[1] ?? "";
  const end = lines.indexOf("");
  if (addition === undefined || !DECIMAL.test(index) || end < 0) return undefined;
  const path = lines.slice(0, end).map((line) => fromBase64(line));
  const checkpoint = readCheckpoint(lines.slice(end + 1).join("\n"));
  const isWhole = path.every((hash) => hash?.length === HASH_BYTES);
  if (checkpoint === undefined || !isWhole) return undefined;
  return { index: Number(index), addition, replaces: replaces === undefined ? undefined : Number(replaces), path: path as Bytes[], checkpoint };
}

/** Undefined for what is no addition of ours. */
function additionOf(coded: string): string | undefined {
  const bytes = fromBase64(coded);
  const text = bytes === undefined ? "" : new TextDecoder().decode(bytes);
  return ADDITION.test(text) ? text : undefined;
}

/** A note has its text, an empty line, and a line for each signature. */
export function readNote(text: string): SignedNote | undefined {
  const whole = asWritten(text);
  const middle = whole.lastIndexOf("\n\n");
  if (middle < 0) return undefined;
  const lines = whole.slice(middle + 2).split("\n").slice(0, -1);
  const signatures = lines.map((line) => {
    const [, name = "", coded = ""] = /^\u2014 (\S+) (\S+)$/.exec(line) ?? [];
    const bytes = fromBase64(coded);
    return bytes === undefined || bytes.length <= KEY_ID_BYTES ? undefined : { name, keyId: bytes.slice(0, KEY_ID_BYTES), signature: bytes.slice(KEY_ID_BYTES) };
  });
  if (signatures.length === 0 || signatures.includes(undefined)) return undefined;
  return { text: whole.slice(0, middle + 1), signatures: signatures as SignedNote["signatures"] };
}

/** Copying a text may change its line breaks, and lose the last one. */
function asWritten(text: string): string {
  return `${text.replace(/\r\n?/g, "\n").trim()}\n`;
}

/** Signatures of others, such as of witnesses, are ignored; one by a known key that does not fit refuses the note. */
export async function whoSigned({ text, signatures }: SignedNote, keys: PublicKey[], { sha256, isSigned }: ReceiptCryptography): Promise<NoteSigned> {
  let found: NoteSigned = "unknownKey";
  for (const { name, keyId, signature } of signatures) {
    for (const { bytes } of keys) {
      if (!areSameBytes(await keyIdOf(name, bytes, sha256), keyId)) continue;
      if (signature.length !== SIGNATURE_BYTES || !(await isSigned(utf8(text), signature, bytes))) return "altered";
      found = "signed";
    }
  }
  return found;
}
