// What a proctor reads on the pages of students, in the language of the page.

import { language, type Language } from "../choice.svelte";
import { isolating } from "../isolated";
import en, { type WatchTexts } from "./en";
import vi from "./vi";

const CATALOGUES: Record<Language, WatchTexts> = isolating({ en, vi });

export function watchTexts(): WatchTexts {
  return CATALOGUES[language()];
}
