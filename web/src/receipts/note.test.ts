import { expect, test } from "vitest";
import { utf8, base64 } from "./bytes";
import { cryptography } from "./cryptography";
import { keysIn } from "./keys";
import { isProof, readCheckpoint, readNote, readProof, whoSigned } from "./note";

/** The example of Go's package for signed notes. */
const VKEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
const NOTE = `If you think cryptography is the answer to your problem,
then you don't know what your problem is.

— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
`;
const HASH = base64(new Uint8Array(32));

const engine = await cryptography();
const keys = await keysIn(VKEY, engine.sha256);

async function signerOf(text: string, known = keys) {
  const note = readNote(text);
  return note === undefined ? undefined : whoSigned(note, known, engine);
}

test("a note is signed by the key whose line is known", async () => {
  expect(await signerOf(NOTE)).toBe("signed");
  expect(await signerOf(NOTE, [])).toBe("unknownKey");
});

test("copying may change line breaks and lose the last one", async () => {
  expect(await signerOf(NOTE.replaceAll("\n", "\r\n"))).toBe("signed");
  expect(await signerOf(`\n${NOTE.trim()}`)).toBe("signed");
});

test("an altered text, signature or name is not signed", async () => {
  expect(await signerOf(NOTE.replace("answer", "solution"))).toBe("altered");
  expect(await signerOf(NOTE.replace("x08go/ZJ", "x08go/ZK"))).toBe("altered");
  expect(await signerOf(NOTE.replace("PeterNeumann", "PaulNeumann"))).toBe("unknownKey");
});

test("signatures of witnesses beside that of the log do no harm", async () => {
  expect(await signerOf(`${NOTE}— witness.example ${base64(new Uint8Array(76))}\n`)).toBe("signed");
});

test("what is no note is none", () => {
  for (const text of ["", "text", "text\n\nno signature\n", "text\n\n— name\n", "text\n\n— name ****\n"]) expect(readNote(text), text).toBeUndefined();
});

const SIGNATURE = `— exam.example/sittings/1 ${base64(new Uint8Array(68))}`;
const CHECKPOINT = `exam.example/sittings/1\n31\n${HASH}\n\n${SIGNATURE}\n`;

test("a checkpoint has an origin, a size and a root", () => {
  expect(readCheckpoint(CHECKPOINT)).toMatchObject({ origin: "exam.example/sittings/1", size: 31, root: new Uint8Array(32) });
  for (const wrong of [CHECKPOINT.replace("31", "031"), CHECKPOINT.replace("31", "-1"), CHECKPOINT.replace(HASH, "AAAA"), CHECKPOINT.replace("exam.example/sittings/1\n31", "31")]) {
    expect(readCheckpoint(wrong), wrong).toBeUndefined();
  }
});

const PROOF = `c2sp.org/tlog-proof@v1\nindex 17\n${HASH}\n${HASH}\n\n${CHECKPOINT}`;
const withAddition = (text: string) => PROOF.replace("index", `extra ${base64(utf8(text))}\nindex`);

test("a proof has a place, the hashes beside its way, and a checkpoint", () => {
  expect(isProof(PROOF)).toBe(true);
  expect(readProof(PROOF)).toMatchObject({ index: 17, addition: "", replaces: undefined, path: [new Uint8Array(32), new Uint8Array(32)], checkpoint: { size: 31 } });
  expect(readProof(PROOF.replace(`${HASH}\n${HASH}\n\n`, "\n"))).toMatchObject({ index: 17, path: [] });
  expect(readProof(PROOF.replaceAll("\n", "\r\n"))).toMatchObject({ index: 17 });
});

test("an entry that replaces another one says so, and says nothing else", () => {
  expect(readProof(withAddition("\nreplaces 12"))).toMatchObject({ addition: "\nreplaces 12", replaces: 12 });
  for (const wrong of ["replaces 12", "\nreplaces 012", "\nreplaces 12\n", "\nforgets 12", ""]) expect(readProof(withAddition(wrong)), wrong).toBeUndefined();
});

test("what is no proof is none", () => {
  for (const wrong of ["", PROOF.replace("v1", "v2"), PROOF.replace("17", "x"), PROOF.replace(HASH, "AAAA"), PROOF.replace(SIGNATURE, ""), PROOF.replace("index 17\n", "")]) {
    expect(readProof(wrong), wrong).toBeUndefined();
  }
});
