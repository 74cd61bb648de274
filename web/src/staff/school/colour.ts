// The school's colour as people write it, whether white text can be read on it, and the nearest one on which it can.

import { CONTRAST_MIN, contrastOf } from "../../school/colours";

const WHITE = "#ffffff";
const BLACK = "#000000";
/** How finely a darker colour is looked for: finer than the channels are. */
const STEPS = 1_000;

/** The colour that a text means, as `#rrggbb` in small letters; undefined if it means none. */
export function hexIn(text: string): string | undefined {
  const digits = /^\s*#?([0-9a-f]{6}|[0-9a-f]{3})\s*$/i.exec(text)?.[1]?.toLowerCase();
  if (digits === undefined) return undefined;
  return digits.length === 6 ? `#${digits}` : `#${[...digits].map((digit) => digit + digit).join("")}`;
}

/** The contrast of white text with two decimals, cut off, so that what is too little is never shown as enough. */
export function shownContrast(hex: string): number {
  return Math.floor(contrastOf(WHITE, hex) * 100) / 100;
}

export function isReadable(hex: string): boolean {
  return contrastOf(WHITE, hex) >= CONTRAST_MIN;
}

/** The nearest colour of the same hue, the same or darker, on which white text can be read. */
export function darkerReadable(hex: string): string {
  for (let step = 0; step < STEPS; step += 1) {
    const found = darker(hex, 1 - step / STEPS);
    if (isReadable(found)) return found;
  }
  return BLACK;
}

/** This share of a colour's light. */
function darker(hex: string, share: number): string {
  const channels = [1, 3, 5].map((at) => Math.round(Number.parseInt(hex.slice(at, at + 2), 16) * share));
  return `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}
