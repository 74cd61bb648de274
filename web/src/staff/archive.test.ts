import { expect, test } from "vitest";
import { ArchiveCount } from "./archive";

const bytes = (text: string) => Uint8Array.from([...text].map((letter) => letter.charCodeAt(0)));
const file = (name: string) => `PK\x03\x04${"\0".repeat(26)}${name}content PKP`;
const entry = (name: string) => `PK\x01\x02${"\0".repeat(42)}${name}`;

function counted(text: string, length: number): ArchiveCount {
  const archive = new ArchiveCount();
  for (let from = 0; from < text.length; from += length) archive.add(bytes(text.slice(from, from + length)));
  return archive;
}

test("files are counted wherever the pieces end", () => {
  const archive = ["01-Ada.pdf", "02-Bo.pdf"].map(file).join("") + ["01-Ada.pdf", "02-Bo.pdf"].map(entry).join("");
  for (const length of [1, 2, 3, 7, 1_000]) expect(counted(archive, length)).toMatchObject({ count: 2, isPartial: false });
  expect(counted("PKPK\x03\x04", 1).count).toBe(1);
  expect(counted("", 1).count).toBe(0);
});

test("what could not be put in is told, and is no file", () => {
  const names = ["01-Ada.pdf", "not-included.txt"];
  const archive = names.map(file).join("") + names.map(entry).join("");
  for (const length of [1, 5, 1_000]) expect(counted(archive, length)).toMatchObject({ count: 1, isPartial: true });
});
