// An answer as the student saw it, for those who compare it with the master copy.

import { seenLetter } from "../exam/option_order";
import type { Selected } from "../exam/protocol";
import { staffTexts } from "./texts/texts.svelte";

/** The letter under which the student saw an option, with that of the master copy where it is another one. A number is as it is. */
export function seenAs(selected: Selected, order: string | undefined): string {
  const seen = seenLetter(selected, order);
  return seen === selected ? selected : staffTexts().seenAs(seen, selected);
}
