// Splits text into plain text and LaTeX between dollar signs, without taking prices for LaTeX.

export interface Piece {
  isMath: boolean;
  /** Mathematics in a line of its own, between `$$` and `$$`. */
  isDisplay?: true;
  text: string;
}

/**
 * Two dollars open and close a formula in a line of its own; the line breaks around it are not needed then. Three dollars do
 * neither, since they stand for prices.
 *
 * One dollar opens before anything but a space, and closes after anything but a space and not before a digit; `\$` is a plain
 * dollar. The first alternative consumes escapes outside of LaTeX, so that they open nothing. A lookbehind would be simpler,
 * but Safari before 16.4 can't parse it.
 */
const MATH = /\\[\s\S]|\n?\$\$(?!\$)((?:\\[\s\S]|[^$\\])+)\$\$(?!\$)\n?|\$(?=\S)((?:\\[\s\S]|[^$\\])*?[^\s\\$]|(?:\\[\s\S]|[^$\\])*?\\[\s\S])\$(?!\d)/g;

/** The pieces of the text, in order. */
export function pieces(text: string): Piece[] {
  const found: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(MATH)) {
    const [, display, inline] = match;
    const tex = display?.trim() ?? inline;
    if (!tex) continue;
    found.push({ isMath: false, text: plain(text.slice(end, match.index)) }, { isMath: true, ...(display === undefined ? {} : { isDisplay: true as const }), text: tex });
    end = match.index + match[0].length;
  }
  found.push({ isMath: false, text: plain(text.slice(end)) });
  return found.filter((piece) => piece.text !== "");
}

/** Where the LaTeX of each formula begins and ends, without its dollar signs. */
export function formulasIn(text: string): { from: number; to: number }[] {
  return [...text.matchAll(MATH)].flatMap(({ 0: all, 1: display, 2: inline, index }) => {
    if (!(display?.trim() ?? inline)) return [];
    const from = index + all.indexOf("$") + (display === undefined ? 1 : 2);
    return [{ from, to: from + (display ?? inline ?? "").length }];
  });
}

/** What stands outside of formulas, as it was typed and without plain dollars. */
export function outside(text: string): string {
  return text.replace(MATH, (match: string, display?: string, inline?: string) => ((display?.trim() ?? inline) || match === "\\$" ? " " : match));
}

function plain(text: string): string {
  return text.replaceAll("\\$", "$");
}
