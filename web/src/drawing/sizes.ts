// How large a sheet is, how large it is shown, and how fine it is drawn.

import type { Point } from "./geometry";

export type Size = [width: number, height: number];

const SIDES = { width: [320, 1_100], height: [360, 900] } as const;
/** Below the question there is room to draw, however long it is. */
const BELOW_QUESTION = 300;
/** A sheet is shown smaller than this only to fit the width: its letters are then as large as in the text around it. */
const LEGIBLE_SCALE = 1;
const SCALE_MAX = 1.6;
export const ZOOM_MAX = 3;
/** What canvases of phones can hold; beyond it they are drawn less fine. */
const PIXELS_MAX = 8_000_000;

/** Of a sheet that is begun in so much room. */
export function firstSize(width: number, height: number): Size {
  return [within(width, SIDES.width), within(height, SIDES.height)];
}

/** The height that shows all of the question and leaves room below it. */
export function heightFor(height: number, questionHeight: number): number {
  return questionHeight === 0 ? height : Math.max(height, Math.ceil(questionHeight) + BELOW_QUESTION);
}

/** All of the sheet where it can be read so, else its width. */
export function scaleFor([width, height]: Size, room: { width: number; height: number }, zoom: number): number {
  const wide = room.width / width;
  return zoom * Math.max(0.2, Math.min(SCALE_MAX, wide, Math.max(LEGIBLE_SCALE, room.height / height)));
}

/** Pixels of a canvas for each unit of its sheet. */
export function densityFor([width, height]: Size, scale: number, pixelRatio: number): number {
  return Math.min(scale * pixelRatio, Math.sqrt(PIXELS_MAX / (width * height)));
}

/** How far a place is to be scrolled for what was under `at` (measured from its corner) to stay there when all is `ratio` times as large. */
export function scrolledFor(scrolled: Point, at: Point, ratio: number): Point {
  return [(scrolled[0] + at[0]) * ratio - at[0], (scrolled[1] + at[1]) * ratio - at[1]];
}

function within(side: number, [least, most]: readonly [number, number]): number {
  return Math.round(Math.min(most, Math.max(least, side)));
}
