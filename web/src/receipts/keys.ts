// Reads public keys: a set of JSON web keys, as the server gives at /.well-known/jwks.json, or the one-line keys of logs.

import { areSameBytes, base64Url, fromBase64, fromBase64Url, joined, utf8, type Bytes } from "./bytes";
import { KEY_BYTES, type ReceiptCryptography } from "./cryptography";

export interface PublicKey {
  /** The thumbprint of RFC 7638, by which receipts name the key. */
  kid: string;
  bytes: Bytes;
}

type Sha256 = ReceiptCryptography["sha256"];

/** The number of Ed25519 in signed notes. */
const ED25519 = 1;
const KEY_ID_BYTES = 4;

/** Every Ed25519 key in a text. Others, and what is no key, are left out. */
export async function keysIn(text: string, sha256: Sha256): Promise<PublicKey[]> {
  const found = [...ofJson(text), ...(await ofLines(text, sha256))];
  const keys = await Promise.all(found.map(async (bytes) => ({ kid: await thumbprint(bytes, sha256), bytes })));
  return keys.filter(({ kid }, index) => keys.findIndex((other) => other.kid === kid) === index);
}

/** Of the members that RFC 7638 names for the kind of key, in the order of their names. */
export async function thumbprint(key: Bytes, sha256: Sha256): Promise<string> {
  return base64Url(await sha256(utf8(`{"crv":"Ed25519","kty":"OKP","x":"${base64Url(key)}"}`)));
}

/** The first bytes of a signature in a note, which say whose it is. */
export async function keyIdOf(name: string, key: Bytes, sha256: Sha256): Promise<Bytes> {
  return (await sha256(joined(utf8(`${name}\n`), Uint8Array.of(ED25519), key))).slice(0, KEY_ID_BYTES);
}

function ofJson(text: string): Bytes[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  const set = (value as { keys?: unknown } | null)?.keys;
  return (Array.isArray(set) ? set : [value]).flatMap((one: unknown) => {
    const { kty, crv, x } = (typeof one === "object" && one !== null ? one : {}) as Record<string, unknown>;
    const bytes = kty === "OKP" && crv === "Ed25519" && typeof x === "string" ? fromBase64Url(x) : undefined;
    return bytes?.length === KEY_BYTES ? [bytes] : [];
  });
}

/** Lines of the form `name+id+key`. One whose id does not fit its name and key has been altered. */
async function ofLines(text: string, sha256: Sha256): Promise<Bytes[]> {
  const keys = text.split("\n").map(async (line) => {
    const [, name = "", id = "", key = ""] = /^\s*([^\s+]+)\+([0-9a-f]{8})\+([\w+/=]+)\s*$/.exec(line) ?? [];
    const bytes = fromBase64(key);
    if (bytes === undefined || bytes.length !== KEY_BYTES + 1 || bytes[0] !== ED25519) return [];
    const named = await keyIdOf(name, bytes.slice(1), sha256);
    const said = Uint8Array.from(id.match(/../g) ?? [], (digits) => parseInt(digits, 16));
    return areSameBytes(named, said) ? [bytes.slice(1)] : [];
  });
  return (await Promise.all(keys)).flat();
}
