// Splits text into plain text and LaTeX between dollar signs, without taking prices for LaTeX.

export interface Piece {
  isMath: boolean;
  text: string;
}

/**
 * A dollar opens before anything but a space, and closes after anything but a space and not before a digit; `\$` is a plain
 * dollar. The first alternative consumes escapes outside of LaTeX, so that they open nothing. A lookbehind would be simpler,
 * but Safari before 16.4 can't parse it.
 */
const MATH = /\\[\s\S]|\$(?=\S)((?:\\[\s\S]|[^$\\])*?[^\s\\$]|(?:\\[\s\S]|[^$\\])*?\\[\s\S])\$(?!\d)/g;

/** The pieces of the text, in order. */
export function pieces(text: string): Piece[] {
  const found: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(MATH)) {
    if (match[1] === undefined) continue;
    found.push({ isMath: false, text: plain(text.slice(end, match.index)) }, { isMath: true, text: match[1] });
    end = match.index + match[0].length;
  }
  found.push({ isMath: false, text: plain(text.slice(end)) });
  return found.filter((piece) => piece.text !== "");
}

function plain(text: string): string {
  return text.replaceAll("\\$", "$");
}
