import { expect, test } from "vitest";
import { asCode, codeIn, examIn, isProctorsCode, problemOf } from "./code";

test("a code is written as it stands on the slip, however it is typed", () => {
  for (const typed of ["9F3KT-T2M7X", "9f3ktt2m7x", " 9f3kt t2m7x ", "9f3kt–t2m7x", "9-f-3-k-t-t-2-m-7-x", "９Ｆ３ＫＴーＴ２Ｍ７Ｘ", "９ｆ３ｋｔ　－　ｔ２ｍ７ｘ", "9F3KT\u2011T2M7X\u200b\u00a0", "9F3KT—T2M7X"])
    expect(asCode(typed), typed).toBe("9F3KT-T2M7X");
  expect(asCode("9f3")).toBe("9F3");
  expect(asCode("9f3kt")).toBe("9F3KT");
  expect(asCode("9f3ktt")).toBe("9F3KT-T");
});

test("what no code can be is said before the server is asked", () => {
  expect(problemOf("9f3kt-t2m7x")).toBeUndefined();
  expect(problemOf("BSZ8B 52232"), "look-alikes are taken for what they look like").toBeUndefined();
  expect(problemOf("9F3KT-T2M7")).toEqual({ kind: "length", length: 9 });
  expect(problemOf("")).toEqual({ kind: "length", length: 0 });
  expect(problemOf("9F3KT-T20M7")).toEqual({ kind: "letter", letter: "0" });
  expect(problemOf("9F3KT-TÉM7X")).toEqual({ kind: "letter", letter: "É" });
  expect(problemOf("9F3KT-TE\u0301M7X"), "composed or not").toEqual({ kind: "letter", letter: "É" });
});

test("the codes of slips that were printed earlier have eight characters, and count", () => {
  expect([problemOf("9f3ktt2m"), asCode("9f3k tt2m"), codeIn("#9F3K-TT2M")]).toEqual([undefined, "9F3K-TT2M", "9F3K-TT2M"]);
});

test("the code of a slip's QR code is found, and a continuation is none", () => {
  expect(codeIn("#9F3KT-T2M7X")).toBe("9F3KT-T2M7X");
  for (const hash of ["", "#", "#9F3KT", "#0b0e3f7a-1111-4222-8333-444455556666.to_k-en"]) expect(codeIn(hash), hash).toBeUndefined();
});

test("the code that a proctor reads aloud, that of an exam and that of a slip are told apart by their length", () => {
  expect(["K7QM-3X82", "k7qm 3x82", "K7QM-3X8", "9F3KT-T2M7X", "K7QM-3X80", ""].map(isProctorsCode)).toEqual([true, true, false, false, false, false]);
  expect(["k7pq2", " K7P-Q2 ", "K7PQS", "K7PQ", "K7PQ0", "K7QM-3X82"].map(examIn)).toEqual(["K7PQ2", "K7PQ2", "K7PQ5", undefined, undefined, undefined]);
});
