// The tools of a sheet, with their colours and widths.

import { SHAPES, STROKES } from "./model";

export const TOOLS = [...STROKES, "text", ...SHAPES, "eraser"] as const;
export type Tool = (typeof TOOLS)[number];
export const PEN_COLOURS = { ink: "#1b2130", accent: "#2348c5", red: "#b42318", green: "#1a6b3c", yellow: "#f0b400" } as const;
export type Colour = keyof typeof PEN_COLOURS;
/** In units of the sheet; of a text, the height of the letters. */
export const WIDTHS: Record<Exclude<Tool, "eraser">, number> = { pen: 3, highlighter: 18, text: 24, line: 3, arrow: 3, rectangle: 3, ellipse: 3 };
/** From one line of a text to the next, in units of the sheet. */
export const LINE = 1.2 * WIDTHS.text;
