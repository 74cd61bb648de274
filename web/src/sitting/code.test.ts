import { expect, test } from "vitest";
import { asCode, codeIn, problemOf } from "./code";

test("a code is written as it stands on the slip, however it is typed", () => {
  for (const typed of ["9F3K-TT2M", "9f3ktt2m", " 9f3k tt2m ", "9f3k–tt2m", "9-f-3-k-t-t-2-m", "９Ｆ３ＫーＴＴ２Ｍ", "９ｆ３ｋ　－　ｔｔ２ｍ", "9F3K\u2011TT2M\u200b\u00a0", "9F3K—TT2M"]) expect(asCode(typed), typed).toBe("9F3K-TT2M");
  expect(asCode("9f3")).toBe("9F3");
  expect(asCode("9f3k")).toBe("9F3K");
  expect(asCode("9f3kt")).toBe("9F3K-T");
});

test("what no code can be is said before the server is asked", () => {
  expect(problemOf("9f3k-tt2m")).toBeUndefined();
  expect(problemOf("BSZ8 5223"), "look-alikes are taken for what they look like").toBeUndefined();
  expect(problemOf("9F3K-TT2")).toEqual({ kind: "length", length: 7 });
  expect(problemOf("")).toEqual({ kind: "length", length: 0 });
  expect(problemOf("9F3K-TT0M")).toEqual({ kind: "letter", letter: "0" });
  expect(problemOf("9F3K-TTÉM")).toEqual({ kind: "letter", letter: "É" });
  expect(problemOf("9F3K-TTE\u0301M"), "composed or not").toEqual({ kind: "letter", letter: "É" });
});

test("the code of a slip's QR code is found, and a continuation is none", () => {
  expect(codeIn("#9F3K-TT2M")).toBe("9F3K-TT2M");
  for (const hash of ["", "#", "#9F3K", "#0b0e3f7a-1111-4222-8333-444455556666.to_k-en"]) expect(codeIn(hash), hash).toBeUndefined();
});
