// The language in which a school has written something, for screen readers: a page may be in another one than its questions.

/** Letters that only Vietnamese has. */
const VIETNAMESE = /[ăđơưĂĐƠƯ\u1EA0-\u1EF9]/;
/** Formulas and markup of mathematics are in no language. */
const MATHEMATICS = /\$[^$]*\$/g;
/** A word that is more than the name of a point, a variable or a unit. */
const WORD = /[A-Za-z]{3}/;
/** Letters of some other language, which can't be told; Greek ones are signs of mathematics. */
const FOREIGN = /[^\p{ASCII}\P{L}\p{Script=Greek}]/u;

/** The language of these texts together; undefined if it is `around`, the language of the page, or can't be told. */
export function languageOf(texts: string[], around: string): "en" | "vi" | undefined {
  const words = texts.join("\n").normalize("NFC").replace(MATHEMATICS, " ");
  const found = VIETNAMESE.test(words) ? "vi" : WORD.test(words) && !FOREIGN.test(words) ? "en" : undefined;
  return found === around ? undefined : found;
}
