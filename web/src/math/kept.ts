// The pieces of a text, with what a browser would break apart: the sign that closes a sentence stays beside its formula, a
// unit beside its number, and a point in one line.

import { pieces, type Piece } from "./pieces";

export interface KeptPiece extends Piece {
  /** The unit and the signs that stay beside a formula; empty for none, and for text. */
  closing: string;
  /** Text that stays in one line. */
  isWhole?: true;
}

/** Whole words, such as centimeters, may need more room than an option has on a narrow phone. */
const UNIT = "(?:[mcdk]?m[²³]?|[mk]?g|m?[lL]|s|min|h)(?![\\p{L}\\d])";
const CLOSING = new RegExp(`^(?: ${UNIT})?[.,;:!?)\\]%…’”]*`, "u");
/** A number and its unit, or the coordinates of a point. */
const WHOLE = new RegExp(`(\\d[\\d.,]* ${UNIT}|\\([−-]?\\d+(?:\\.\\d+)?, [−-]?\\d+(?:\\.\\d+)?\\))`, "u");

export function keptPieces(text: string): KeptPiece[] {
  const found = pieces(text);
  return found.flatMap((piece, index) => {
    if (piece.isMath) return { ...piece, closing: closingOf(piece, found[index + 1]) };
    return whole(piece.text.slice(closingOf(found[index - 1], piece).length));
  });
}

function closingOf(formula: Piece | undefined, after: Piece | undefined): string {
  const isBeside = formula?.isMath === true && formula.isDisplay !== true && after?.isMath === false;
  return (isBeside && CLOSING.exec(after.text)?.[0]) || "";
}

/** With a group in its expression, `split` gives what is between and what is found by turns. */
function whole(text: string): KeptPiece[] {
  const parts = text.split(WHOLE).map((part, index): KeptPiece => ({ isMath: false, text: part, closing: "", ...(index % 2 === 1 ? { isWhole: true as const } : {}) }));
  return parts.filter((part) => part.text !== "");
}
