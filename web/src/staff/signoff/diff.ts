// What differs between two texts, word by word; a formula counts as one word.

import { pieces, type Piece } from "../../math/pieces";
import { commonPlaces } from "../common_places";

export interface DiffPart extends Piece {
  isChanged: boolean;
}

export interface TextDiff {
  before: DiffPart[];
  after: DiffPart[];
}

/** A table of all pairs of words is compared, so longer texts are marked from the first difference to the last. */
const PAIRS_MAX = 250_000;
const WORD = /[\p{L}\p{N}\p{M}]+|\s+|[^\p{L}\p{N}\p{M}\s]/gu;

export function diffOf(before: string, after: string): TextDiff {
  const [old, fresh] = [wordsOf(before), wordsOf(after)];
  let start = 0;
  while (start < old.length && start < fresh.length && isEqual(old[start], fresh[start])) start += 1;
  let end = 0;
  while (end < old.length - start && end < fresh.length - start && isEqual(old.at(-1 - end), fresh.at(-1 - end))) end += 1;
  const [oldKept, freshKept] = kept(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end));
  const marked = (words: Piece[], within: Set<number>): DiffPart[] =>
    joined(words.map((word, index) => ({ ...word, isChanged: index >= start && index < words.length - end && !within.has(index - start) })));
  return { before: marked(old, oldKept), after: marked(fresh, freshKept) };
}

/** Words, the spaces between them, signs one by one, and formulas. */
function wordsOf(text: string): Piece[] {
  const split = (plain: string) => (plain.match(WORD) ?? []).map((word) => ({ isMath: false, text: word }));
  return pieces(text).flatMap((piece) => (piece.isMath ? [piece] : split(piece.text)));
}

function isEqual(one: Piece | undefined, other: Piece | undefined): boolean {
  return one?.text === other?.text && one?.isMath === other?.isMath;
}

/** The places of what both have in common; none if there is too much to compare. */
function kept(old: Piece[], fresh: Piece[]): [Set<number>, Set<number>] {
  return old.length * fresh.length > PAIRS_MAX ? [new Set(), new Set()] : commonPlaces(old, fresh, isEqual);
}

/** Neighbours that are alike as one part, and a space between two changed words as changed with them. */
function joined(parts: DiffPart[]): DiffPart[] {
  const found: DiffPart[] = [];
  for (const [index, part] of parts.entries()) {
    const isBridge = !part.isMath && /^\s+$/.test(part.text) && parts[index - 1]?.isChanged === true && parts[index + 1]?.isChanged === true;
    const isChanged = part.isChanged || isBridge;
    const last = found.at(-1);
    if (last !== undefined && !last.isMath && !part.isMath && last.isChanged === isChanged) last.text += part.text;
    else found.push({ ...part, isChanged });
  }
  return found;
}
