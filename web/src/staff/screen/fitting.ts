// How large a line of text may be on a projector: as wide as the screen, and no higher than a part of it.

/** The width of a letter of the pages' font, as a part of its size; wide ones are wider than that. */
const LETTER = 0.7;
const WIDTH_VW = 94;

/** A font size with which this text fills the width, or this many hundredths of the height if that is less. */
export function fittingSize(text: string, heightVh: number): string {
  const wide = WIDTH_VW / (Math.max(1, [...text].length) * LETTER);
  return `min(${wide.toFixed(2)}vw, ${heightVh}vh)`;
}
