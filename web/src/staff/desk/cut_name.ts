// Where a name may be cut that has no room: in its middle. Many names in a room begin alike, and people are called by the last word of
// theirs, so the end stays.

/** Letters of an end that is always shown. */
const END_MAX = 9;

/** The part that may be cut off at its end, and the part that stays, with the space before it; empty for a name of one word. */
export function cutName(name: string): { start: string; end: string } {
  const words = name.split(" ");
  let end = "";
  while (words.length > 1) {
    const more = ` ${words.at(-1) ?? ""}${end}`;
    // The last word stays whole, however long it is.
    if (end !== "" && [...more.normalize("NFC")].length > END_MAX + 1) break;
    end = more;
    words.pop();
  }
  return { start: words.join(" "), end };
}
