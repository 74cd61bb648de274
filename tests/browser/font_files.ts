// Which characters a font file has: enough of the formats woff2 and cmap to read that, and nothing else of a font.

import { brotliDecompressSync } from "node:zlib";

const HEADER_BYTES = 48;
/** Tags that are known by a number; only these are of interest here, and one that is written out. */
const [CMAP, GLYF, LOCA, WRITTEN] = [0, 10, 11, 63];
/** Outlines and their places are the tables that version 3 leaves as they are; of all others, version 0 does. */
const PLAIN_OUTLINES = 3;

export function charactersIn(woff2: Buffer): Set<number> {
  if (woff2.toString("latin1", 0, 4) !== "wOF2") throw new Error("this is no woff2 file");
  let at = HEADER_BYTES;
  const number = () => {
    let value = 0;
    for (;;) {
      const byte = woff2.readUInt8(at++);
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
  };
  let [start, cmap] = [0, { from: 0, length: 0 }];
  for (let left = woff2.readUInt16BE(12); left > 0; left -= 1) {
    const flags = woff2.readUInt8(at++);
    const [tag, version] = [flags & 63, flags >> 6];
    if (tag === WRITTEN) at += 4;
    const length = number();
    const isPlain = tag === GLYF || tag === LOCA ? version === PLAIN_OUTLINES : version === 0;
    const stored = isPlain ? length : number();
    if (tag === CMAP) cmap = { from: start, length };
    start += stored;
  }
  const tables = brotliDecompressSync(woff2.subarray(at, at + woff2.readUInt32BE(20)));
  return charactersOf(tables.subarray(cmap.from, cmap.from + cmap.length));
}

function charactersOf(cmap: Buffer): Set<number> {
  const found = new Set<number>();
  for (let index = 0; index < cmap.readUInt16BE(2); index += 1) {
    const table = cmap.subarray(cmap.readUInt32BE(4 + index * 8 + 4));
    const format = table.readUInt16BE(0);
    for (const [first, last] of format === 4 ? segmentsOf(table) : format === 12 ? groupsOf(table) : []) {
      for (let character = first; character <= last; character += 1) found.add(character);
    }
  }
  return found;
}

/** Format 4. Segments may hold characters without a glyph; files that are cut have none. */
function segmentsOf(table: Buffer): [number, number][] {
  const bytes = table.readUInt16BE(6);
  const last = (at: number) => table.readUInt16BE(14 + at);
  const first = (at: number) => table.readUInt16BE(16 + bytes + at);
  const places = Array.from({ length: bytes / 2 }, (_, index) => index * 2);
  return places.map((at): [number, number] => [first(at), last(at)]).filter(([, end]) => end < 0xffff);
}

/** Format 12. */
function groupsOf(table: Buffer): [number, number][] {
  return Array.from({ length: table.readUInt32BE(12) }, (_, index): [number, number] => [table.readUInt32BE(16 + index * 12), table.readUInt32BE(20 + index * 12)]);
}
