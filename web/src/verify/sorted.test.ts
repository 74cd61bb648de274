import { expect, test } from "vitest";
import { sortedTexts } from "./sorted";

const RECEIPT = "eyJhbGciOiJFZERTQSJ9.eyJ2ZXJzaW9uIjoxfQ.AAAA";
const CHECKPOINT = "exam.example/sittings/1\n2\nAAAA\n\n— exam.example/sittings/1 AAAAAAAA\n";
const PROOF = `c2sp.org/tlog-proof@v1\nindex 1\n\n${CHECKPOINT}`;
const KEYS = `{"keys":[]}`;

test("each file goes into the field that it belongs to", () => {
  expect(sortedTexts([KEYS, CHECKPOINT, PROOF, `${RECEIPT}\n`])).toEqual({ receipt: RECEIPT, proof: PROOF, checkpoint: CHECKPOINT, keys: KEYS });
  expect(sortedTexts([RECEIPT, RECEIPT])).toEqual({ receipt: `${RECEIPT}\n${RECEIPT}` });
  expect(sortedTexts(["exam.example/sittings/1+0123abcd+AQ=="])).toEqual({ keys: "exam.example/sittings/1+0123abcd+AQ==" });
});

test("what nothing is known of is shown as a receipt, and refused there", () => {
  expect(sortedTexts(["a letter"])).toEqual({ receipt: "a letter" });
  expect(sortedTexts([])).toEqual({});
});
