// Draws items on a canvas, redrawing only what changed: a stroke added to two thousand costs no more than one added to two.

import { boxOf, meets, union } from "./geometry";
import type { Item } from "./model";
import { outlineOf } from "./outline";

export const FONT = '"Lexend Variable", "DejaVu Sans Mathematics", system-ui, sans-serif';
export const HIGHLIGHT_OPACITY = 0.4;

interface CachedPath {
  path: Path2D;
  isFilled: boolean;
}

/** An item never changes, so its outline is computed once. */
const cachedPaths = new WeakMap<Item, CachedPath>();

function cachedPathOf(item: Item): CachedPath {
  const found = cachedPaths.get(item);
  if (found !== undefined) return found;
  const { path, isFilled } = item.t === "text" ? { path: "", isFilled: true } : outlineOf(item);
  const made = { path: new Path2D(path), isFilled };
  cachedPaths.set(item, made);
  return made;
}

export function draw(context: CanvasRenderingContext2D, item: Item): void {
  const { path, isFilled } = cachedPathOf(item);
  context.globalAlpha = item.t === "highlighter" ? HIGHLIGHT_OPACITY : 1;
  context.fillStyle = item.c;
  context.strokeStyle = item.c;
  context.lineWidth = item.w;
  context.lineCap = "round";
  context.lineJoin = "round";
  if (item.t === "text") {
    context.font = fontOf(item.w);
    context.fillText(item.s ?? "", item.p[0] ?? 0, item.p[1] ?? 0);
  } else if (isFilled) context.fill(path);
  else context.stroke(path);
}

/** Measures lines of a text with letters of this height, in units of the sheet. */
export function widthOfLetters(height: number): (line: string) => number {
  const context = document.createElement("canvas").getContext("2d");
  if (context === null) return () => 0;
  context.font = fontOf(height);
  return (line) => context.measureText(line).width;
}

const fontOf = (height: number) => `500 ${height}px ${FONT}`;

export function clear(context: CanvasRenderingContext2D): void {
  context.save();
  context.resetTransform();
  context.clearRect(0, 0, context.canvas.width, context.canvas.height);
  context.restore();
}

export function drawAll(context: CanvasRenderingContext2D, items: Item[]): void {
  clear(context);
  for (const item of items) draw(context, item);
}

/** Redraws the part of the sheet that the changed items cover, or covered before. */
export function drawAround(context: CanvasRenderingContext2D, items: Item[], changed: Item[]): void {
  const box = union(changed.map((item) => boxOf(item)));
  if (box === undefined) return;
  context.save();
  context.beginPath();
  context.rect(box.left, box.top, box.right - box.left, box.bottom - box.top);
  context.clip();
  context.clearRect(box.left, box.top, box.right - box.left, box.bottom - box.top);
  for (const item of items) if (meets(boxOf(item), box)) draw(context, item);
  context.restore();
}
