// Which pages of the rail have a place in its one row on a phone. Separate from the rail, so that it can be tested without a browser.

/** A word under an icon needs so much. */
const PLACE_PX = 72;
const PLACES_MIN = 3;

/** Those in the row, the page that is shown among them, and the rest, if not all fit; the last place is then that of "More". */
export function placesOf<Entry extends { isHere: boolean }>(entries: Entry[], width: number): { row: Entry[]; rest: Entry[] } {
  const places = Math.max(PLACES_MIN, Math.floor(width / PLACE_PX));
  if (entries.length <= places) return { row: entries, rest: [] };
  const first = entries.slice(0, places - 1);
  const here = entries.find(({ isHere }) => isHere);
  const row = here === undefined || first.includes(here) ? first : [...first.slice(0, -1), here];
  return { row, rest: entries.filter((entry) => !row.includes(entry)) };
}
