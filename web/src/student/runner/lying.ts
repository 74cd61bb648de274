// Where a finished drawing is shown: on its question, or as a picture below it. Separate from the card, which does it.

import { LETTERS_PX, VERSION } from "../../drawing/layout";
import type { StoredDrawing } from "../../exam/protocol";

/** How the question of a drawing is shown. */
export interface LyingPlace {
  /** Whether the drawing lies on it. */
  isOn: boolean;
  /** The scale of the sheet then. */
  scale: number;
}

/** The letters of a question may be this much smaller than those of the page before the drawing leaves it … */
const SMALLEST = 0.75;
/** … and the sheet of a phone is not enlarged more than this on a large screen. */
const LARGEST = 1.3;
/** A difference in size that moves nothing by as much as a pixel. */
const ALIKE = 0.002;

/** The scale at which the letters of a sheet are as large as those of the page. */
export function legibleScaleOfPage(): number {
  return parseFloat(getComputedStyle(document.documentElement).fontSize) / LETTERS_PX;
}

/**
 * `legible` is the scale at which the letters of a sheet are as large as those of the page. A sheet that would move the question
 * must be here when the question is opened: one that comes later would move it under the student's hand.
 */
export function lyingPlace(drawing: StoredDrawing | null, cardWidth: number, legible: number, wasHere: boolean): LyingPlace {
  const width = (drawing?.["size"] as unknown[] | undefined)?.[0];
  if (drawing?.["v"] !== VERSION || typeof width !== "number" || width <= 0 || cardWidth <= 0) return { isOn: false, scale: 1 };
  const size = cardWidth / width / legible;
  const isAlike = Math.abs(size - 1) < ALIKE;
  return { isOn: size >= SMALLEST && (wasHere || isAlike), scale: Math.min(size, LARGEST) * legible };
}
