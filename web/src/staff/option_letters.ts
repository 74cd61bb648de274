// The letters of options where they stand in an order of their own: in a form of a paper, or as one student saw them. Data have
// the letters of the master copy; what people read on paper or saw on the screen has letters by position.

const POSITIONS = "ABCD";

/** The letter under which an option of the master copy is shown. `CADB` shows C of the master copy first, and so as A. */
export function letterAsShown(order: string | undefined, letter: string): string {
  const place = letter === "" ? -1 : (order?.indexOf(letter) ?? -1);
  return place < 0 ? letter : POSITIONS.charAt(place);
}

/** The same things in the order in which they are shown. */
export function inShownOrder<T>(order: string | undefined, options: readonly T[]): T[] {
  const shown = order === undefined ? [] : [...order].flatMap((letter) => options.slice(POSITIONS.indexOf(letter), POSITIONS.indexOf(letter) + 1));
  // An order that is not one of these options says nothing.
  return shown.length === options.length ? shown : [...options];
}
