// The school's colour as the accent of the pages: with the contrast that WCAG 2.2 asks of text (1.4.3), or not at all.

/** Red, green and blue from 0 to 255. */
type Colour = readonly [number, number, number];

export interface Accent {
  /** For words and lines on light grounds, and under white words. */
  accent: string;
  /** The same, darker, under the pointer. */
  deep: string;
  /** A tint behind words. */
  soft: string;
}

export const CONTRAST_MIN = 4.5;
const WHITE: Colour = [255, 255, 255];
const BLACK: Colour = [0, 0, 0];
/** `--ground` of the light theme, which is a little darker than paper. */
const GROUND: Colour = [246, 245, 241];
/** The share of the colour in its tint, and of black in what is under the pointer. */
const SOFT = 0.1;
const DEEP = 0.22;
/** By so much the accent is darkened until it can be read on the ground and the tint too. */
const STEP = 0.02;

/** The accent in this colour, or undefined if white words on it could not be read. */
export function accentOf(text: string): Accent | undefined {
  const colour = read(text);
  if (colour === undefined || contrast(colour, WHITE) < CONTRAST_MIN) return undefined;
  const soft = mixed(WHITE, colour, SOFT);
  let accent = colour;
  for (let share = STEP; Math.min(contrast(accent, GROUND), contrast(accent, soft)) < CONTRAST_MIN; share += STEP) accent = mixed(colour, BLACK, share);
  return { accent: written(accent), deep: written(mixed(accent, BLACK, DEEP)), soft: written(soft) };
}

/** The contrast of two colours, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  return contrast(read(one) ?? BLACK, read(other) ?? BLACK);
}

function contrast(one: Colour, other: Colour): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** This much of `other` in `one`. */
function mixed(one: Colour, other: Colour, share: number): Colour {
  const [red, green, blue] = one.map((part, index) => Math.round(part + ((other[index] ?? 0) - part) * share)) as [number, number, number];
  return [red, green, blue];
}

function read(text: string): Colour | undefined {
  const [red, green, blue] = (/^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text) ?? []).slice(1).map((part) => Number.parseInt(part, 16));
  return red === undefined || green === undefined || blue === undefined ? undefined : [red, green, blue];
}

function written(colour: Colour): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
