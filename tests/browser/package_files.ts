// The files of a zip that the server has written, for tests that show them to other programs.

import { inflateRawSync } from "node:zlib";

const END = 0x06054b50;
const ENTRY = 0x02014b50;
/** Bytes of the head of an entry in the list, and of the head before its content. */
const ENTRY_BYTES = 46;
const CONTENT_BYTES = 30;
const DEFLATED = 8;

/** The content of each file by its name. */
export function filesOf(zip: Buffer): Map<string, Buffer> {
  let end = zip.length - 22;
  while (end >= 0 && zip.readUInt32LE(end) !== END) end -= 1;
  if (end < 0) throw new Error("it is no zip");
  const files = new Map<string, Buffer>();
  let entry = zip.readUInt32LE(end + 16);
  for (let count = zip.readUInt16LE(end + 10); count > 0; count -= 1) {
    if (zip.readUInt32LE(entry) !== ENTRY) throw new Error("its list of files is damaged");
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((place) => zip.readUInt16LE(entry + place)) as [number, number, number];
    const name = zip.toString("utf8", entry + ENTRY_BYTES, entry + ENTRY_BYTES + nameBytes);
    const head = zip.readUInt32LE(entry + 42);
    const start = head + CONTENT_BYTES + zip.readUInt16LE(head + 26) + zip.readUInt16LE(head + 28);
    const packed = zip.subarray(start, start + zip.readUInt32LE(entry + 20));
    files.set(name, zip.readUInt16LE(entry + 10) === DEFLATED ? inflateRawSync(packed) : packed);
    entry += ENTRY_BYTES + nameBytes + extraBytes + commentBytes;
  }
  return files;
}
