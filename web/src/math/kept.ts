// The pieces of a text, each formula with the sign that closes its sentence: a browser would break a line between the two.

import { pieces, type Piece } from "./pieces";

export interface KeptPiece extends Piece {
  /** The signs that stay beside a formula; empty for none, and for text. */
  closing: string;
}

const CLOSING = /^[.,;:!?)\]%…’”]+/;

export function keptPieces(text: string): KeptPiece[] {
  const found = pieces(text);
  return found.map((piece, index) => {
    if (piece.isMath) return { ...piece, closing: closingOf(piece, found[index + 1]) };
    return { ...piece, text: piece.text.slice(closingOf(found[index - 1], piece).length), closing: "" };
  });
}

function closingOf(formula: Piece | undefined, after: Piece | undefined): string {
  const isBeside = formula?.isMath === true && formula.isDisplay !== true && after?.isMath === false;
  return (isBeside && CLOSING.exec(after.text)?.[0]) || "";
}
