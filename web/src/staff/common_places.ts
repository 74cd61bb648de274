// What two lists have in common in the same order, for pages that show the difference between two texts.

/** The places, in each of the lists, of a longest common sequence. It makes a table of all pairs, so callers limit how many there are. */
export function commonPlaces<T>(old: T[], fresh: T[], isEqual: (one: T, other: T) => boolean): [Set<number>, Set<number>] {
  const width = fresh.length + 1;
  /** How much both have in common from these places on. */
  const common = new Uint16Array((old.length + 1) * width);
  const at = (row: number, column: number) => common[row * width + column] ?? 0;
  const areEqual = (row: number, column: number) => isEqual(old[row] as T, fresh[column] as T);
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = fresh.length - 1; column >= 0; column -= 1) {
      common[row * width + column] = areEqual(row, column) ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const [oldPlaces, freshPlaces] = [new Set<number>(), new Set<number>()];
  for (let row = 0, column = 0; row < old.length && column < fresh.length; ) {
    if (areEqual(row, column)) {
      oldPlaces.add(row);
      freshPlaces.add(column);
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return [oldPlaces, freshPlaces];
}
