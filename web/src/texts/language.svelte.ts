// The students' texts in the language of the pages.

import { CATALOGUES } from "./catalogues";
import { language } from "./choice.svelte";
import type { Texts } from "./en";

export { language, locale, speak } from "./choice.svelte";

export function texts(): Texts {
  return CATALOGUES[language()];
}

/** What a button does, with the key that does the same. */
export function keyed(words: string, key: string): string {
  return `${words} (${key})`;
}
