import { afterEach, expect, test, vi } from "vitest";
import { fromBase64Url, hexadecimal, utf8, type Bytes } from "./bytes";
import type { ReceiptCryptography } from "./cryptography";

/** RFC 8037, appendix A: a key, and a JWS that it has signed. */
const KEY = fromBase64Url("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo") as Bytes;
const SIGNED = utf8("eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc");
const SIGNATURE = fromBase64Url("hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg") as Bytes;

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** Decided anew, as by a page that has just been loaded. */
async function chosen(): Promise<ReceiptCryptography> {
  return (await import("./cryptography")).cryptography();
}

async function checks({ sha256, isSigned }: ReceiptCryptography): Promise<void> {
  expect(await isSigned(SIGNED, SIGNATURE, KEY)).toBe(true);
  expect(await isSigned(utf8("another text"), SIGNATURE, KEY)).toBe(false);
  const bent = SIGNATURE.map((byte, index) => (index === 3 ? byte ^ 1 : byte));
  expect(await isSigned(SIGNED, bent, KEY)).toBe(false);
  expect(await isSigned(SIGNED, SIGNATURE.slice(1), KEY)).toBe(false);
  expect(await isSigned(SIGNED, SIGNATURE, KEY.slice(1))).toBe(false);
  expect(hexadecimal(await sha256(utf8("abc")))).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

test("a browser that knows Ed25519 needs no library", async () => {
  const own = await chosen();
  expect(own.by).toBe("browser");
  await checks(own);
});

test("without cryptography, as on plain http, the library does all of it", async () => {
  vi.stubGlobal("crypto", {});
  const library = await chosen();
  expect(library.by).toBe("library");
  await checks(library);
});

test("a browser that does not know this kind of key uses the library too", async () => {
  vi.stubGlobal("crypto", { subtle: { importKey: () => Promise.reject(new DOMException("Unrecognized name.", "NotSupportedError")) } });
  expect((await chosen()).by).toBe("library");
});
