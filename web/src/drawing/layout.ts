// The layout of a question under its sheet, as far as the card needs it before the rest of drawing is loaded.

/**
 * The size of the letters in units of every sheet, and in pixels of one that does not say it. A page with letters of this size
 * shows a sheet at a scale of 1.
 */
export const LETTERS_PX = 16;
/** Of new drawings. In this version the question is laid out as on the card. */
export const VERSION = 2;
