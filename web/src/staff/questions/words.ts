// The difference between two texts, word by word, for a reader who has to see at once what an edit does.

import { commonPlaces } from "../common_places";

export interface WordPiece {
  text: string;
  /** Whether it stands in the other text too. */
  isSame: boolean;
}

export interface Comparison {
  before: WordPiece[];
  after: WordPiece[];
}

/** Words, signs and blanks each by themselves, so that a formula differs only where it does. */
const TOKEN = /[\p{L}\p{N}]+|\s+|[^\p{L}\p{N}\s]/gu;
/** A longer text is compared as a whole: the table would have more than a million places. */
const TOKENS_MAX = 1_000;

export function compared(before: string, after: string): Comparison {
  const [old, now] = [before.match(TOKEN) ?? [], after.match(TOKEN) ?? []];
  if (old.length > TOKENS_MAX || now.length > TOKENS_MAX) return { before: whole(before), after: whole(after) };
  const [ofOld, ofNow] = commonPlaces<string>(old, now, (one, other) => one === other);
  return { before: pieces(old, ofOld), after: pieces(now, ofNow) };
}

function whole(text: string): WordPiece[] {
  return text === "" ? [] : [{ text, isSame: false }];
}

function pieces(tokens: string[], same: Set<number>): WordPiece[] {
  const found: WordPiece[] = [];
  tokens.forEach((text, index) => {
    const last = found.at(-1);
    const isSame = same.has(index);
    if (last?.isSame === isSame) last.text += text;
    else found.push({ text, isSame });
  });
  return found;
}
