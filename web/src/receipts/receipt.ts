// Reads receipts: compact JWS (RFC 7515) that say what the server had stored of a test. The shape alone is checked here; who
// has signed it is checked in `check.ts`.

import { fromBase64Url, utf8, type Bytes } from "./bytes";
import { SIGNATURE_BYTES } from "./cryptography";

/** What a receipt says. */
export interface ReceiptClaims {
  /** The address of the server. */
  iss: string;
  sessionId: string;
  /** Which result of the test this is; null while the test ran, or before the release of one that was reopened. */
  version: number | null;
  /** The highest number of a command that the server had stored. */
  seq: number;
  at: string;
  /** Null where the test had none. */
  deadline: string | null;
  /** Question id, the letter that was chosen, or the number as it was typed, or null, and the number of the command that set it. */
  answers: [string, string | null, number][];
  /** Question id, and the hash of its drawing. */
  drawings: [string, string][];
}

export interface Receipt {
  /** The receipt as it is, in one line. */
  text: string;
  kid: string;
  claims: ReceiptClaims;
  /** The bytes that are signed. */
  signed: Bytes;
  signature: Bytes;
}

/** Why a text is no receipt: it can't be read, or it was made for something else. */
export type ReceiptFault = "unreadable" | "otherKind";

/** Both names of the one algorithm: the older one, and that of RFC 9864. */
const ALGORITHMS = ["EdDSA", "Ed25519"];
const KIND = "receipt+jwt";
/** Three parts in base64url, of which the first begins an object of JSON. */
const COMPACT = /\beyJ[\w-]*\.[\w-]+\.[\w-]*/g;

/** Every receipt in a text: a line, a saved file, or an answer of the server. */
export function receiptsIn(text: string): string[] {
  return [...new Set(text.match(COMPACT) ?? [])];
}

export function readReceipt(text: string): Receipt | ReceiptFault {
  const [head = "", payload = "", tail = "", ...more] = text.split(".");
  const header = objectIn(head);
  if (header === undefined || more.length > 0) return "unreadable";
  const { alg, typ, kid } = header;
  if (typ !== KIND || typeof kid !== "string" || !ALGORITHMS.includes(String(alg)) || "crit" in header) return "otherKind";
  const claims = objectIn(payload);
  const signature = fromBase64Url(tail);
  if (claims === undefined || !areClaims(claims) || signature?.length !== SIGNATURE_BYTES) return "unreadable";
  return { text, kid, claims, signed: utf8(`${head}.${payload}`), signature };
}

function objectIn(part: string): Record<string, unknown> | undefined {
  const bytes = fromBase64Url(part);
  if (bytes === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function areClaims(claims: Record<string, unknown>): claims is Record<string, unknown> & ReceiptClaims {
  const { iss, sessionId, version, seq, at, deadline = null, answers, drawings } = claims;
  const areTexts = [iss, sessionId, at].every((value) => typeof value === "string");
  const areNumbers = typeof seq === "number" && (version === null || typeof version === "number");
  const isRow = (row: unknown, ...kinds: string[]) => Array.isArray(row) && kinds.every((kind, index) => kind.split("|").includes(row[index] === null ? "null" : typeof row[index]));
  const areAnswers = Array.isArray(answers) && answers.every((row) => isRow(row, "string", "string|null", "number"));
  const areDrawings = Array.isArray(drawings) && drawings.every((row) => isRow(row, "string", "string"));
  return areTexts && areNumbers && areAnswers && areDrawings && (deadline === null || typeof deadline === "string");
}
