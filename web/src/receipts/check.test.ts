import { createPrivateKey, sign } from "node:crypto";
import { expect, test } from "vitest";
import { base64, base64Url, fromBase64Url, joined, utf8, type Bytes } from "./bytes";
import { checkEntry, checkLog, checkReceipt } from "./check";
import { cryptography } from "./cryptography";
import { keyIdOf, keysIn, thumbprint } from "./keys";
import { readReceipt, receiptsIn, type Receipt } from "./receipt";
import { leafHash, nodeHash } from "./tree";

/** The key of RFC 8037, appendix A. */
const X = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
const THUMBPRINT = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k";
const PRIVATE = createPrivateKey({ key: { kty: "OKP", crv: "Ed25519", x: X, d: "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A" }, format: "jwk" });
const PUBLIC = fromBase64Url(X) as Bytes;
const JWKS = JSON.stringify({ keys: [{ kty: "RSA", n: "AQAB", e: "AQAB" }, { kty: "OKP", crv: "X25519", x: X }, { kty: "OKP", crv: "Ed25519", x: X, kid: "of no account", alg: "EdDSA", use: "sig" }] });

const CLAIMS = {
  iss: "https://exam.example",
  sessionId: "5e0c39a5-31c1-4a60-a9a0-5d0c55a0a6f5",
  version: 1,
  seq: 41,
  at: "2026-01-05T09:31:02.123Z",
  deadline: "2026-01-05T10:00:00.000Z",
  answers: [["g5-001", "B", 41], ["g5-002", null, 17], ["g5-003", null, 0]],
  drawings: [["g5-001", `sha256-${base64(new Uint8Array(32))}`]],
};
const HEADER = { alg: "EdDSA", kid: THUMBPRINT, typ: "receipt+jwt" };

const engine = await cryptography();
const { sha256 } = engine;
const keys = await keysIn(JWKS, sha256);

const part = (value: unknown) => base64Url(utf8(JSON.stringify(value)));
const signed = (text: string) => Uint8Array.from(sign(null, utf8(text), PRIVATE));

function receipt(claims: object = {}, header: object = {}): string {
  const text = `${part({ ...HEADER, ...header })}.${part({ ...CLAIMS, ...claims })}`;
  return `${text}.${base64Url(signed(text))}`;
}

const verdictOn = async (text: string, known = keys) => {
  const checked = await checkReceipt(text, known, engine);
  return checked.kind === "genuine" ? "genuine" : checked.why;
};

test("keys are known by their thumbprint, whatever else is in the set", async () => {
  expect(await thumbprint(PUBLIC, sha256)).toBe(THUMBPRINT);
  expect(keys).toEqual([{ kid: THUMBPRINT, bytes: PUBLIC }]);
  expect(await keysIn(JSON.stringify({ kty: "OKP", crv: "Ed25519", x: X }), sha256)).toEqual(keys);
  expect(await keysIn("{}", sha256)).toEqual([]);
  expect(await keysIn("nonsense", sha256)).toEqual([]);
});

test("the line of a log's key is understood too, unless it was altered", async () => {
  const name = "exam.example/sittings/1";
  const id = Array.from(await keyIdOf(name, PUBLIC, sha256), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const line = `${name}+${id}+${base64(joined(Uint8Array.of(1), PUBLIC))}`;
  expect(await keysIn(`\n${line}\n${line}\n`, sha256)).toEqual(keys);
  expect(await keysIn(line.replace("sittings/1", "sittings/2"), sha256)).toEqual([]);
});

test("a receipt is genuine under the key that it names, by either name of the algorithm", async () => {
  expect(await verdictOn(receipt())).toBe("genuine");
  expect(await verdictOn(receipt({}, { alg: "Ed25519" }))).toBe("genuine");
  expect(await verdictOn(receipt({ version: null, deadline: null, answers: [], drawings: [] }))).toBe("genuine");
  const { claims } = readReceipt(receipt()) as Receipt;
  expect(claims).toEqual(CLAIMS);
});

test("an altered one is refused as altered, wherever it was altered", async () => {
  const [head = "", payload = "", tail = ""] = receipt().split(".");
  const altered = part({ ...CLAIMS, answers: [["g5-001", "C", 41], ...CLAIMS.answers.slice(1)] });
  expect(await verdictOn(`${head}.${altered}.${tail}`)).toBe("altered");
  expect(await verdictOn(`${head}.${payload}.${tail.startsWith("A") ? "B" : "A"}${tail.slice(1)}`)).toBe("altered");
});

test("one of another key is refused as such, and so is one whose key is not known", async () => {
  expect(await verdictOn(receipt({}, { kid: "another" }))).toBe("unknownKey");
  expect(await verdictOn(receipt(), [])).toBe("unknownKey");
});

test("what is signed for something else is no receipt", async () => {
  expect(await verdictOn(receipt({}, { typ: "JWT" }))).toBe("otherKind");
  expect(await verdictOn(receipt({}, { alg: "none" }))).toBe("otherKind");
  expect(await verdictOn(receipt({}, { crit: ["exp"] }))).toBe("otherKind");
});

test("what can't be read is refused as such", async () => {
  const whole = receipt();
  for (const text of ["", "eyJ", "eyJ.eyJ.x", whole.slice(0, -4), `${whole}.x`, receipt({ answers: "none" }), receipt({ answers: [["g5-001", 1, 41]] }), receipt({ seq: "41" }), `${whole.slice(0, 40)}ä${whole.slice(41)}`]) {
    expect(await verdictOn(text), text).toBe("unreadable");
  }
});

test("receipts are found in lines, in JSON and in quotes, each once", () => {
  const [one, other] = [receipt(), receipt({ version: null })];
  expect(receiptsIn(`${one}\n${other}\n${one}\n`)).toEqual([one, other]);
  expect(receiptsIn(JSON.stringify({ type: "receipt", receipt: one, seq: 41 }))).toEqual([one]);
  expect(receiptsIn("Nothing of the kind.")).toEqual([]);
});

const ORIGIN = "exam.example/sittings/1";

async function note(text: string): Promise<string> {
  const signature = joined(await keyIdOf(ORIGIN, PUBLIC, sha256), signed(text));
  return `${text}\n— ${ORIGIN} ${base64(signature)}\n`;
}

const checkpointOf = (root: Bytes, size = 2, origin = ORIGIN) => note(`${origin}\n${size}\n${base64(root)}\n`);

/** A log of two entries, of which the second one is this receipt. */
async function logged(text: string, addition = "") {
  const [before, own] = await Promise.all([leafHash(utf8("another"), sha256), leafHash(utf8(text + addition), sha256)]);
  const checkpoint = await checkpointOf(await nodeHash(before, own, sha256));
  const extra = addition === "" ? "" : `extra ${base64(utf8(addition))}\n`;
  return { checkpoint, proof: `c2sp.org/tlog-proof@v1\n${extra}index 1\n${base64(before)}\n\n${checkpoint}` };
}

async function entryOf(text: string, proof: string, checkpoint = "") {
  const log = await checkLog(proof, checkpoint, keys, engine);
  return checkEntry(readReceipt(text) as Receipt, log, engine);
}

test("a final receipt is in the log that the proof leads to", async () => {
  const text = receipt();
  const { proof, checkpoint } = await logged(text);
  expect(await entryOf(text, proof)).toEqual({ kind: "included", index: 1, replaces: undefined });
  expect(await checkLog(proof, checkpoint, keys, engine)).toMatchObject({ kind: "signed", isCompared: true });
  expect(await entryOf(receipt({ seq: 42 }), proof)).toEqual({ kind: "refused", why: "notIncluded" });
  expect(await entryOf(receipt({ version: null }), proof)).toEqual({ kind: "unasked" });
});

test("the receipt of a later version names the entry that it replaces", async () => {
  const text = receipt({ version: 2 });
  const { proof } = await logged(text, "\nreplaces 0");
  expect(await entryOf(text, proof)).toEqual({ kind: "included", index: 1, replaces: 0 });
  expect(await entryOf(text, proof.replace(/^extra .*$/m, `extra ${base64(utf8("\nreplaces 5"))}`))).toEqual({ kind: "refused", why: "notIncluded" });
});

test("each fault of a log has its name", async () => {
  const { proof, checkpoint } = await logged(receipt());
  const why = async (proofText: string, checkpointText: string, known = keys) => {
    const log = await checkLog(proofText, checkpointText, known, engine);
    return log.kind === "refused" ? log.why : log.kind;
  };
  expect(await why("", "")).toBe("none");
  expect(await why("", checkpoint)).toBe("signed");
  expect(await why("nonsense", "")).toBe("proofUnreadable");
  expect(await why("", "nonsense")).toBe("checkpointUnreadable");
  expect(await why(proof, "", [])).toBe("checkpointUnknownKey");
  expect(await why("", checkpoint.replace("\n2\n", "\n3\n"))).toBe("checkpointAltered");
  expect(await why(proof, await checkpointOf(new Uint8Array(32), 2, "exam.example/sittings/2"))).toBe("otherLog");
  expect(await why(proof, await checkpointOf(new Uint8Array(32)))).toBe("otherRoot");
  expect(await checkLog(proof, await checkpointOf(new Uint8Array(32), 1), keys, engine)).toMatchObject({ kind: "signed", isCompared: false, otherSize: 1 });
});
