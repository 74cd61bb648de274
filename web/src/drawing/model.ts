// The form in which a drawing is stored (docs/live-protocol.md, "Drawings"): items with points, in the order in which they
// were made.

import type { StoredDrawing } from "../exam/protocol";
import { LETTERS_PX, VERSION } from "./layout";

export const STROKES = ["pen", "highlighter"] as const;
export const SHAPES = ["line", "arrow", "rectangle", "ellipse"] as const;
export type StrokeKind = (typeof STROKES)[number];
export type ShapeKind = (typeof SHAPES)[number];

export interface Item {
  /** Its kind. */
  t: StrokeKind | ShapeKind | "text";
  /** Its colour, as `#rrggbb`. */
  c: string;
  /** The width of its line; of a text, the height of the letters. */
  w: number;
  /** Points as x, y, x, y …: the path of a stroke, two corners or ends of a shape, the start of a text on its base line. */
  p: number[];
  /** The pressure at each point of a stroke, 0 to 100; absent if the device does not report it. */
  f?: number[];
  /** The words of a text. */
  s?: string;
}

export interface Drawing {
  /** How the question is laid out on the sheet: in version 1 with its options one behind the other. */
  v: Version;
  /** The width and height of the sheet, in the unit of the points. */
  size: [number, number];
  /** The size in pixels at which the question was laid out. Browsers set formulas in whole pixels, so it must not be another one. */
  letters: number;
  items: Item[];
}

export type Version = 1 | 2;
const LETTERS_PX_MAX = 128;
/** The bytes of all items together. The server takes 200 KiB for a drawing; the rest is a margin for what surrounds them. */
export const BYTES_MAX = 195_000;
export const TEXT_MAX = 200;
const SIDE_MAX = 10_000;
const ITEMS_MAX = 20_000;

export function stored(drawing: Drawing): StoredDrawing | null {
  return drawing.items.length === 0 ? null : { v: drawing.v, size: drawing.size, letters: drawing.letters, items: drawing.items };
}

/** Reads a stored drawing. Items that can't be read are left out, since any client may have written them. */
export function readDrawing(found: StoredDrawing | null): Drawing | undefined {
  const { v, size, letters, items } = (found ?? {}) as { v?: unknown; size?: unknown; letters?: unknown; items?: unknown };
  if (!Array.isArray(size) || !Array.isArray(items)) return undefined;
  const [width, height] = size as unknown[];
  if (!isSide(width) || !isSide(height)) return undefined;
  const isSize = typeof letters === "number" && letters >= 1 && letters <= LETTERS_PX_MAX;
  return { v: v === VERSION ? VERSION : 1, size: [width, height], letters: isSize ? letters : LETTERS_PX, items: items.slice(0, ITEMS_MAX).filter(isItem) };
}

/** The bytes of one item as JSON, with the comma behind it. */
export function itemBytes(item: Item): number {
  return new TextEncoder().encode(JSON.stringify(item)).length + 1;
}

function isSide(side: unknown): side is number {
  return typeof side === "number" && side > 0 && side <= SIDE_MAX;
}

function isItem(found: unknown): found is Item {
  if (typeof found !== "object" || found === null) return false;
  const { t, c, w, p, f, s } = found as Record<string, unknown>;
  const isKnown = ["text", ...STROKES, ...SHAPES].includes(t as never);
  const isDrawn = isKnown && typeof c === "string" && /^#[0-9a-f]{6}$/i.test(c) && isSide(w) && isNumbers(p) && p.length >= 2 && p.length % 2 === 0;
  const isComplete = t === "text" ? typeof s === "string" && s.length <= TEXT_MAX : !SHAPES.includes(t as never) || (isNumbers(p) && p.length === 4);
  return isDrawn && isComplete && (f === undefined || (isNumbers(f) && f.length * 2 === (p as number[]).length));
}

function isNumbers(found: unknown): found is number[] {
  return Array.isArray(found) && found.every((number) => typeof number === "number" && Number.isFinite(number) && Math.abs(number) <= SIDE_MAX);
}
