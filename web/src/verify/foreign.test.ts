import { generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { expect, test } from "vitest";
import { base64, base64Url, joined, utf8 } from "../receipts/bytes";
import { checkLog, checkReceipt, type CheckedLog } from "../receipts/check";
import { cryptography } from "../receipts/cryptography";
import { keyIdOf, keysIn, type PublicKey } from "../receipts/keys";
import type { Receipt } from "../receipts/receipt";
import { isForeignLog, isForeignReceipt } from "./foreign";

const HOST = "exam.example";
const ORIGIN = `${HOST}/sittings/1`;

const engine = await cryptography();

interface Server {
  secret: KeyObject;
  keys: PublicKey[];
}

async function server(): Promise<Server> {
  const { publicKey, privateKey: secret } = generateKeyPairSync("ed25519");
  return { secret, keys: await keysIn(JSON.stringify(publicKey.export({ format: "jwk" })), engine.sha256) };
}

const [school, forger] = [await server(), await server()];

async function receiptOf({ secret, keys }: Server, iss: string): Promise<Receipt> {
  const part = (value: unknown) => base64Url(utf8(JSON.stringify(value)));
  const claims = { iss, sessionId: "s", version: 1, seq: 0, at: "2026-01-05T09:31:02.123Z", deadline: null, answers: [], drawings: [] };
  const text = `${part({ alg: "EdDSA", kid: keys[0]?.kid, typ: "receipt+jwt" })}.${part(claims)}`;
  const checked = await checkReceipt(`${text}.${base64Url(Uint8Array.from(sign(null, utf8(text), secret)))}`, keys, engine);
  if (checked.kind !== "genuine") throw new Error(checked.why);
  return checked.receipt;
}

async function logOf({ secret, keys }: Server, origin = ORIGIN): Promise<CheckedLog> {
  const text = `${origin}\n1\n${base64(new Uint8Array(32))}\n`;
  const id = await keyIdOf(origin, keys[0]!.bytes, engine.sha256);
  const signature = base64(joined(id, Uint8Array.from(sign(null, utf8(text), secret))));
  return checkLog("", `${text}\n— ${origin} ${signature}\n`, keys, engine);
}

test("a receipt in this server's name under a key that it does not list is pointed out", async () => {
  const forged = await receiptOf(forger, `https://${HOST}`);
  expect(isForeignReceipt(forged, HOST, school.keys)).toBe(true);
  // A former key is listed beside the present one.
  expect(isForeignReceipt(forged, HOST, [...school.keys, ...forger.keys])).toBe(false);
  expect(isForeignReceipt(await receiptOf(school, `https://${HOST}/`), HOST, school.keys)).toBe(false);
});

test("of another server, or without a list of this one, nothing is said", async () => {
  expect(isForeignReceipt(await receiptOf(forger, "https://other.example"), HOST, school.keys)).toBe(false);
  expect(isForeignReceipt(await receiptOf(forger, `https://${HOST}:8443`), HOST, school.keys)).toBe(false);
  expect(isForeignReceipt(await receiptOf(forger, `https://${HOST}`), HOST, [])).toBe(false);
});

test("a log in this server's name is pointed out likewise", async () => {
  const forged = await logOf(forger);
  expect(forged.kind).toBe("signed");
  expect(await isForeignLog(forged, HOST, school.keys, engine)).toBe(true);
  expect(await isForeignLog(await logOf(school), HOST, school.keys, engine)).toBe(false);
  expect(await isForeignLog(await logOf(forger, "exam.example.evil/sittings/1"), HOST, school.keys, engine)).toBe(false);
  expect(await isForeignLog(forged, HOST, [], engine)).toBe(false);
  expect(await isForeignLog({ kind: "none" }, HOST, school.keys, engine)).toBe(false);
});
