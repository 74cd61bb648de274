// The file by which late work comes without any network: the commands that the server has not told that it has, encrypted
// for it and authenticated by the token of the session. The server's side is src/live/late/sealed_file.rs;
// tests/golden/late_file.json keeps both to one form.

import type { Command } from "../exam/protocol";
import { base64, base64Url, fromBase64, utf8 } from "../receipts/bytes";

const FORMAT = "examhall.late.v1";
/** Bytes of the hash of a token by which a file names its device. */
const DEVICE_BYTES = 8;
/** What the server keeps of one test is 256 KiB: answers go first, then the drawings that still fit. */
const BYTES_MAX = 240_000;

export interface Unsent {
  sessionId: string;
  token: string;
  /** SPKI in base64. */
  lateKey: string;
  commands: Command[];
}

/** Whether this browser can make a file here: only pages over https may encrypt. */
export function canSeal(): boolean {
  return globalThis.crypto?.subtle !== undefined;
}

/** The commands that a file has room for, answers and marks first. */
export function fitting(commands: Command[]): Command[] {
  const isDrawing = ({ type }: Command) => Number(type === "drawing");
  let bytes = 0;
  return [...commands].sort((one, other) => isDrawing(one) - isDrawing(other) || one.seq - other.seq).filter((command) => {
    const size = JSON.stringify(command).length;
    if (bytes + size > BYTES_MAX) return false;
    bytes += size;
    return true;
  });
}

/** How many drawings a file leaves out, and how many there are. */
export function drawingsLeftOut(commands: Command[]): { leftOut: number; all: number } {
  const drawings = (of: Command[]) => of.filter(({ type }) => type === "drawing").length;
  const all = drawings(commands);
  return { leftOut: all - drawings(fitting(commands)), all };
}

/** The text of the file. */
export async function sealed({ sessionId, token, lateKey, commands }: Unsent): Promise<string> {
  const { subtle } = crypto;
  const spki = fromBase64(lateKey) ?? new Uint8Array();
  const [publicKey, contentKey, keyHash, hash] = await Promise.all([
    subtle.importKey("spki", spki, { name: "RSA-OAEP", hash: "SHA-256" }, false, ["encrypt"]),
    subtle.generateKey({ name: "AES-GCM", length: 256 }, true, ["encrypt"]),
    subtle.digest("SHA-256", spki),
    tokenHash(token),
  ]);
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const text = utf8(JSON.stringify({ commands: fitting(commands) }));
  const [wrapped, data] = await Promise.all([
    subtle.exportKey("raw", contentKey).then((raw) => subtle.encrypt({ name: "RSA-OAEP" }, publicKey, raw)),
    subtle.encrypt({ name: "AES-GCM", iv, additionalData: utf8(FORMAT) }, contentKey, text),
  ]);
  const file = {
    format: FORMAT,
    key: base64Url(new Uint8Array(keyHash)),
    sessionId,
    device: await deviceName(hash),
    wrapped: base64(new Uint8Array(wrapped)),
    iv: base64(iv),
    data: base64(new Uint8Array(data)),
  };
  const mac = await subtle.sign("HMAC", await macKey(hash, sessionId), utf8(Object.values(file).join("\n")));
  return JSON.stringify({ ...file, mac: base64(new Uint8Array(mac)) });
}

export function tokenHash(token: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest("SHA-256", utf8(token));
}

/** By which name a file calls the token that authenticates it. */
export async function deviceName(hash: ArrayBuffer): Promise<string> {
  const named = new Uint8Array([...utf8(FORMAT), ...new Uint8Array(hash)]);
  return base64Url(new Uint8Array(await crypto.subtle.digest("SHA-256", named)).slice(0, DEVICE_BYTES));
}

/** The key of the HMAC, derived from the hash of the token, since that is what servers keep. */
export async function macKey(hash: ArrayBuffer, sessionId: string): Promise<CryptoKey> {
  const { subtle } = crypto;
  const from = await subtle.importKey("raw", hash, "HKDF", false, ["deriveKey"]);
  const how = { name: "HKDF", hash: "SHA-256", salt: utf8(sessionId), info: utf8(FORMAT) };
  return subtle.deriveKey(how, from, { name: "HMAC", hash: "SHA-256", length: 256 }, false, ["sign"]);
}
