// The size of a sheet, the scale at which it is shown, and the resolution at which it is drawn.

import type { Point } from "./geometry";

export type Size = [width: number, height: number];

const SIDES = { width: [280, 736], height: [360, 900] } as const;
/** The room to draw below a question, however long it is. */
const BELOW_QUESTION = 300;
const SCALE_MAX = 1.6;
export const ZOOM_MAX = 3;
/** The pixels that a canvas of a phone can hold. Larger ones are drawn at a lower resolution. */
const PIXELS_MAX = 8_000_000;

/** The size of a new sheet: as wide as the card of the question, and as high as the page has room, at the legible scale. */
export function firstSize(cardWidth: number, height: number, legible: number): Size {
  return [within(cardWidth / legible, SIDES.width), within(height / legible, SIDES.height)];
}

/** The height that shows the whole question and leaves room below it. */
export function heightFor(height: number, questionHeight: number): number {
  return questionHeight === 0 ? height : Math.max(height, Math.ceil(questionHeight) + BELOW_QUESTION);
}

/** The scale that shows the whole sheet if it stays legible, and otherwise its full width. */
export function scaleFor([width, height]: Size, room: { width: number; height: number }, zoom: number, legible: number): number {
  const wide = room.width / width;
  return zoom * Math.max(0.2, Math.min(Math.max(SCALE_MAX, legible), wide, Math.max(legible, room.height / height)));
}

/** The pixels of a canvas to a unit of its sheet. */
export function densityFor([width, height]: Size, scale: number, pixelRatio: number): number {
  return Math.min(scale * pixelRatio, Math.sqrt(PIXELS_MAX / (width * height)));
}

/** Where to scroll so that the point under `at`, measured from the corner of the view, stays there after zooming by `ratio`. */
export function scrolledFor(scrolled: Point, at: Point, ratio: number): Point {
  return [(scrolled[0] + at[0]) * ratio - at[0], (scrolled[1] + at[1]) * ratio - at[1]];
}

function within(side: number, [least, most]: readonly [number, number]): number {
  return Math.round(Math.min(most, Math.max(least, side)) * 100) / 100;
}
