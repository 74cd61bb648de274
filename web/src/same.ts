// Decides whether two texts are the same: readers can't tell them apart, however they were typed or pasted. The server
// has the same rule in domain/src/text/same.rs.

/** Not `\s`, which has another idea of U+0085 and U+FEFF than the server. */
const BLANKS = /\p{White_Space}+/gu;
/** What takes no room; a Braille blank is none of the ignorable characters of Unicode. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u2800\uFFF9-\uFFFB]/gu;
/** As the keyboards of East Asia type Latin letters and digits. */
const OTHER_WIDTH = /[\uFE58\uFE63\uFF00-\uFFEF]+/gu;
/** Hyphens, the minus sign, and the dash that programs make of them. A long dash looks different. */
const HYPHEN = /[\u2010-\u2013\u2043\u2212]/gu;

/** The form in which texts are compared; capitals count. */
export function seenForm(text: string): string {
  const visible = text.replace(BLANKS, " ").replace(INVISIBLE, "");
  const usual = visible.replace(OTHER_WIDTH, (letters) => letters.normalize("NFKC")).normalize("NFC");
  return usual.replace(HYPHEN, "-").replace(BLANKS, " ").trim();
}
