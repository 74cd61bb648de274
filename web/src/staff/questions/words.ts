// The difference between two texts, word by word, for a reader who has to see at once what an edit does.

export interface Piece {
  text: string;
  /** Whether it stands in the other text too. */
  isSame: boolean;
}

export interface Comparison {
  before: Piece[];
  after: Piece[];
}

/** Words, signs and blanks each by themselves, so that a formula differs only where it does. */
const TOKEN = /[\p{L}\p{N}]+|\s+|[^\p{L}\p{N}\s]/gu;
/** A longer text is compared as a whole: the table would have more than a million places. */
const TOKENS_MAX = 1_000;

export function compared(before: string, after: string): Comparison {
  const [old, now] = [before.match(TOKEN) ?? [], after.match(TOKEN) ?? []];
  if (old.length > TOKENS_MAX || now.length > TOKENS_MAX) return { before: whole(before), after: whole(after) };
  const common = commonTokens(old, now);
  return { before: pieces(old, common.old), after: pieces(now, common.now) };
}

function whole(text: string): Piece[] {
  return text === "" ? [] : [{ text, isSame: false }];
}

/** Which tokens of each text are part of their longest common sequence. */
function commonTokens(old: string[], now: string[]): { old: Set<number>; now: Set<number> } {
  const width = now.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = now.length - 1; column >= 0; column -= 1) {
      const [below, beside] = [lengths[(row + 1) * width + column] ?? 0, lengths[row * width + column + 1] ?? 0];
      lengths[row * width + column] = old[row] === now[column] ? (lengths[(row + 1) * width + column + 1] ?? 0) + 1 : Math.max(below, beside);
    }
  }
  const found = { old: new Set<number>(), now: new Set<number>() };
  for (let row = 0, column = 0; row < old.length && column < now.length; ) {
    if (old[row] === now[column]) {
      found.old.add(row);
      found.now.add(column);
      row += 1;
      column += 1;
    } else if ((lengths[(row + 1) * width + column] ?? 0) >= (lengths[row * width + column + 1] ?? 0)) row += 1;
    else column += 1;
  }
  return found;
}

function pieces(tokens: string[], same: Set<number>): Piece[] {
  const found: Piece[] = [];
  tokens.forEach((text, index) => {
    const last = found.at(-1);
    const isSame = same.has(index);
    if (last?.isSame === isSame) last.text += text;
    else found.push({ text, isSame });
  });
  return found;
}
