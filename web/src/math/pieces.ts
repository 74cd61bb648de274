// Finds LaTeX between dollar signs, and leaves prices alone.

export interface Piece {
  isMath: boolean;
  text: string;
}

/**
 * Opens before something that is no space, closes after such and not before a digit; `\$` is a dollar. What is escaped
 * outside is found first, so that it opens nothing: looking behind would say so too, and no Safari before 16.4 could read it.
 */
const MATH = /\\[\s\S]|\$(?=\S)((?:\\[\s\S]|[^$\\])*?[^\s\\$]|(?:\\[\s\S]|[^$\\])*?\\[\s\S])\$(?!\d)/g;

/** The text in its order, mathematics apart from the rest. */
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
