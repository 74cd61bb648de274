// Where things stand in the heat map: sizes in pixels, what is visible, and which place lies under a point.

import type { HeatPlace } from "./heat";

export const ROW = 24;
const HEAD = 48;
/** A head with names of questions that are too long to stand side by side. */
const TALL_HEAD = 96;
const COLUMN_LEAST = 28;
const COLUMN_MOST = 64;
const NAMES = 240;
const NARROW_NAMES = 148;
/** Below this width names get less room. */
const NARROW = 640;
/** The longest label that stands upright in a head. */
const UPRIGHT_LETTERS = 4;

export interface Layout {
  rows: number;
  columns: number;
  /** Width of the names, height of the head, width of a column. */
  names: number;
  head: number;
  column: number;
  isTall: boolean;
  /** The whole map. */
  width: number;
  height: number;
}

/** What is seen of it. */
export interface Window {
  left: number;
  top: number;
  width: number;
  height: number;
}

export function layoutOf(rows: number, labels: string[], available: number): Layout {
  const isTall = labels.some(({ length }) => length > UPRIGHT_LETTERS);
  const names = available < NARROW ? NARROW_NAMES : NAMES;
  const head = isTall ? TALL_HEAD : HEAD;
  const column = Math.max(COLUMN_LEAST, Math.min(COLUMN_MOST, Math.floor((available - names) / Math.max(1, labels.length))));
  return { rows, columns: labels.length, names, head, column, isTall, width: names + labels.length * column, height: head + rows * ROW };
}

/** The first row or column that is seen, and the one after the last. */
export function seenSpan(from: number, room: number, size: number, count: number): [number, number] {
  return [Math.max(0, Math.floor(from / size)), Math.max(0, Math.min(count, Math.ceil((from + room) / size)))];
}

/** The place under a point of the window; undefined beside the map and in its corner. */
export function placeAt(x: number, y: number, layout: Layout, { left, top }: Window): HeatPlace | undefined {
  const column = x < layout.names ? -1 : Math.floor((x - layout.names + left) / layout.column);
  const row = y < layout.head ? -1 : Math.floor((y - layout.head + top) / ROW);
  if (column >= layout.columns || row >= layout.rows || x < 0 || y < 0) return undefined;
  return row === -1 && column === -1 ? undefined : { row, column };
}

/** How far to scroll so that the place is seen whole, and no further. */
export function scrolledTo({ row, column }: HeatPlace, layout: Layout, { left, top, width, height }: Window): { left: number; top: number } {
  return {
    left: column < 0 ? left : within(left, column * layout.column, layout.column, width - layout.names),
    top: row < 0 ? top : within(top, row * ROW, ROW, height - layout.head),
  };
}

function within(from: number, start: number, size: number, room: number): number {
  if (start < from) return start;
  return start + size > from + room ? start + size - room : from;
}
