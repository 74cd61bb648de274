import { expect, test } from "vitest";
import { hexadecimal, type Bytes } from "./bytes";
import { cryptography } from "./cryptography";
import { leafHash, rootOf } from "./tree";

/** The entries of the tests of Certificate Transparency, whose roots and paths RFC 6962 implementations share. */
const ENTRIES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"];
const ROOTS = [
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];
const PATHS: [index: number, size: number, path: string[]][] = [
  [0, 1, []],
  [0, 8, ["96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7", "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e", "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4"]],
  [5, 8, ["bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b", "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0", "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"]],
  [2, 3, ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"]],
  [1, 5, ["6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d", "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e", "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b"]],
  [4, 5, ["d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"]],
  [6, 7, ["0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a", "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"]],
];

const bytes = (digits: string): Bytes => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const { sha256 } = await cryptography();
const leaf = (index: number) => leafHash(bytes(ENTRIES[index] ?? ""), sha256);

async function rootFrom(entry: number, index: number, size: number, path: string[]): Promise<string | undefined> {
  const root = await rootOf(await leaf(entry), index, size, path.map(bytes), sha256);
  return root === undefined ? undefined : hexadecimal(root);
}

test.each(PATHS)("entry %i of %i leads to the root", async (index, size, path) => {
  expect(await rootFrom(index, index, size, path)).toBe(ROOTS[size - 1]);
});

test("another entry, another place or another hash leads to another root", async () => {
  for (const [index, size, path] of PATHS) {
    expect(await rootFrom((index + 1) % 8, index, size, path)).not.toBe(ROOTS[size - 1]);
    if (path.length > 0) expect(await rootFrom(index, index, size, [...path.slice(1), ROOTS[0] ?? ""])).not.toBe(ROOTS[size - 1]);
    if (index > 0) expect(await rootFrom(index, index - 1, size, path)).not.toBe(ROOTS[size - 1]);
  }
});

test("a path of another length, and a place that the log does not have, lead nowhere", async () => {
  const [, , path] = PATHS[2] ?? [0, 0, []];
  expect(await rootFrom(5, 5, 8, path.slice(1))).toBeUndefined();
  expect(await rootFrom(5, 5, 8, [...path, ...path])).toBeUndefined();
  for (const [index, size] of [[8, 8], [-1, 8], [0, 0], [0.5, 8]] as const) expect(await rootFrom(5, index, size, path)).toBeUndefined();
});
