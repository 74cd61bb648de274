// How the palette finds what somebody types: by parts of words in any order, without regard to case and accents.

import { folded, wordsOf } from "./search";

/** So many are shown. Who does not find it among them types another letter. */
const FOUND_MAX = 40;
const BETWEEN_WORDS = /[^\p{L}\p{N}]+/u;

/** What has been folded once, since a letter that is typed must not fold ten thousand names again. */
const known = new Map<string, string>();
const KNOWN_MAX = 100_000;

function foldedOnce(name: string): string {
  const before = known.get(name);
  if (before !== undefined) return before;
  if (known.size >= KNOWN_MAX) known.clear();
  const now = folded(name);
  known.set(name, now);
  return now;
}

/** The items whose names have every word of the query. Names that begin with it come first, then those that have it as a whole word,
 *  such as the number of a seat, and otherwise the order stays. */
export function found<T>(items: T[], nameOf: (item: T) => string, query: string): T[] {
  const words = wordsOf(query);
  if (words.length === 0) return items.slice(0, FOUND_MAX);
  const names = items.map((item) => ({ item, name: foldedOnce(nameOf(item)) })).filter(({ name }) => words.every((word) => name.includes(word)));
  const first = words[0] as string;
  const placeOf = (name: string) => (name.startsWith(first) ? 0 : name.split(BETWEEN_WORDS).includes(first) ? 1 : 2);
  const placed = names.map(({ item, name }) => ({ item, place: placeOf(name) }));
  return [0, 1, 2].flatMap((place) => placed.filter((one) => one.place === place)).slice(0, FOUND_MAX).map(({ item }) => item);
}
