// Receipts in the verifiers of others: jose, Node's WebCrypto, Python's jwcrypto and OpenSSL, with the key list that the
// server gives out.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { webcrypto } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";

import { calculateJwkThumbprint, compactVerify, createLocalJWKSet } from "jose";

import { Hall } from "./hall.mjs";

const PYTHON = resolve("generated/python/bin/python3");
/** What stands before the 32 bytes of a public key of Ed25519 in DER. */
const DER = Buffer.from("302a300506032b6570032100", "hex");

const run = promisify(execFile);
const hall = new Hall();
let jwks, receipts, folder;

async function ask(path, token, body) {
  const answer = await fetch(hall.url + path, { method: body ? "POST" : "GET", headers: { authorization: `Bearer ${token}` }, body: body && JSON.stringify(body) });
  assert.equal(answer.status, 200, `${path}: ${await answer.clone().text()}`);
  return answer;
}

before(async () => {
  await hall.open();
  const started = await (await fetch(`${hall.url}/api/live`, { method: "POST", body: JSON.stringify({ grade: 5, questionCount: 10 }) })).json();
  const { sessionId, token, questionIds } = started;
  const commands = [{ type: "answer", seq: 1, questionId: questionIds[0], selected: "B" }, { type: "drawing", seq: 2, questionId: questionIds[1], drawing: { strokes: [[1, 2]] } }];
  await ask(`/api/live/${sessionId}/commands`, token, { commands });
  const running = await (await ask(`/api/live/${sessionId}/receipt`, token)).json();
  const ended = await (await ask(`/api/live/${sessionId}/commands`, token, { commands: [{ type: "submit", seq: 3 }] })).json();
  const final = await (await ask(`/api/sessions/${sessionId}/receipt`, token)).text();
  assert.equal(ended.replies[0].receipt, final);
  jwks = await (await fetch(`${hall.url}/.well-known/jwks.json`)).json();
  receipts = [running.receipt, final];
  // With that of the server, since the other tests empty `generated` when they begin.
  folder = `${hall.folder}/receipts`;
  mkdirSync(folder);
  writeFileSync(`${folder}/jwks.json`, JSON.stringify(jwks));
  receipts.forEach((receipt, index) => writeFileSync(`${folder}/${index}.jwt`, receipt));
});

after(() => hall.close());

/** The same receipt with another choice in it. */
function altered(receipt) {
  const [header, payload, signature] = receipt.split(".");
  const content = JSON.parse(Buffer.from(payload, "base64url"));
  content.answers[0][1] = "C";
  return [header, Buffer.from(JSON.stringify(content)).toString("base64url"), signature].join(".");
}

test("jose", async () => {
  const keys = createLocalJWKSet(jwks);
  for (const [index, receipt] of receipts.entries()) {
    const { payload, protectedHeader } = await compactVerify(receipt, keys);
    const content = JSON.parse(new TextDecoder().decode(payload));
    assert.deepEqual([content.version, content.answers[0][1], content.drawings.length], [[null, 1][index], "B", 1]);
    assert.deepEqual(protectedHeader, { alg: "EdDSA", kid: jwks.keys[0].kid, typ: "receipt+jwt" });
    await assert.rejects(compactVerify(altered(receipt), keys));
  }
  assert.equal(await calculateJwkThumbprint(jwks.keys[0]), jwks.keys[0].kid);
});

test("WebCrypto", async () => {
  const { kty, crv, x } = jwks.keys[0];
  const key = await webcrypto.subtle.importKey("jwk", { kty, crv, x }, { name: "Ed25519" }, false, ["verify"]);
  const verify = (receipt) => {
    const at = receipt.lastIndexOf(".");
    return webcrypto.subtle.verify("Ed25519", key, Buffer.from(receipt.slice(at + 1), "base64url"), Buffer.from(receipt.slice(0, at)));
  };
  for (const receipt of receipts) assert.deepEqual([await verify(receipt), await verify(altered(receipt))], [true, false]);
});

test("jwcrypto", async () => {
  receipts.forEach((receipt, index) => writeFileSync(`${folder}/altered-${index}.jwt`, altered(receipt)));
  const { stdout } = await run(PYTHON, ["receipts.py", folder, String(receipts.length)]);
  assert.equal(stdout.trim(), `${receipts.length} verified, ${receipts.length} refused`);
});

test("OpenSSL", async () => {
  writeFileSync(`${folder}/key.der`, Buffer.concat([DER, Buffer.from(jwks.keys[0].x, "base64url")]));
  const verify = async (receipt) => {
    const at = receipt.lastIndexOf(".");
    writeFileSync(`${folder}/signed`, receipt.slice(0, at));
    writeFileSync(`${folder}/signature`, Buffer.from(receipt.slice(at + 1), "base64url"));
    const args = ["pkeyutl", "-verify", "-pubin", "-inkey", `${folder}/key.der`, "-keyform", "DER", "-rawin", "-in", `${folder}/signed`, "-sigfile", `${folder}/signature`];
    return run("openssl", args).then(() => true, () => false);
  };
  for (const receipt of receipts) assert.deepEqual([await verify(receipt), await verify(altered(receipt))], [true, false]);
});
