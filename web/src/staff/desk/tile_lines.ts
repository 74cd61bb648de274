// The lines of the tiles: so many beside each other, and where students of several halls are shown, the name of each hall above its
// own. Only the lines in view become elements, so each knows where it stands.

export type TileLine = { top: number; height: number } & (
  | { kind: "hall"; hall: string; count: number }
  /** `first` is the place of the first of them among all. */
  | { kind: "tiles"; keys: readonly string[]; first: number }
);

export interface LineSizes {
  perLine: number;
  tilePx: number;
  hallPx: number;
  gapPx: number;
}

/** `hallOf` is undefined where all are shown together. */
export function tileLines(keys: readonly string[], hallOf: ((key: string) => string) | undefined, { perLine, tilePx, hallPx, gapPx }: LineSizes): TileLine[] {
  const lines: TileLine[] = [];
  let top = 0;
  const add = (height: number, line: { kind: "hall"; hall: string; count: number } | { kind: "tiles"; keys: readonly string[]; first: number }) => {
    lines.push({ ...line, top, height });
    top += height + gapPx;
  };
  for (let from = 0; from < keys.length; ) {
    const hall = hallOf?.(keys[from] as string);
    let to = hall === undefined ? keys.length : from + 1;
    while (to < keys.length && hallOf?.(keys[to] as string) === hall) to += 1;
    if (hall !== undefined) add(hallPx, { kind: "hall", hall, count: to - from });
    for (let first = from; first < to; first += perLine) add(tilePx, { kind: "tiles", keys: keys.slice(first, Math.min(to, first + perLine)), first });
    from = to;
  }
  return lines;
}

/** How high all of them are together. */
export function linesHeight(lines: readonly TileLine[]): number {
  const last = lines.at(-1);
  return last === undefined ? 0 : last.top + last.height;
}

/** The first line that lies between these heights, and the first one behind them, with one line more on each side. */
export function rangeOf(lines: readonly TileLine[], from: number, to: number): { first: number; after: number } {
  const first = lines.findIndex(({ top, height }) => top + height >= from);
  const after = lines.findIndex(({ top }) => top > to);
  return { first: Math.max(0, (first === -1 ? lines.length : first) - 1), after: after === -1 ? lines.length : after + 1 };
}

/** The place of the tile above or below that at a place: in the next line of tiles, as far as there is one. */
export function placeBeside(lines: readonly TileLine[], place: number, by: 1 | -1): number {
  const rows = lines.filter((line) => line.kind === "tiles");
  const at = rows.findIndex(({ first, keys }) => place >= first && place < first + keys.length);
  const [row, next] = [rows[at], rows[at + by]];
  if (row === undefined || next === undefined) return place;
  return next.first + Math.min(place - row.first, next.keys.length - 1);
}
