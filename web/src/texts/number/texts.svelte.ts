// The texts of numbers that are typed, in the language of the page.

import { language, type Language } from "../choice.svelte";
import { isolating } from "../isolated";
import en, { type NumberTexts } from "./en";
import vi from "./vi";

const CATALOGUES: Record<Language, NumberTexts> = isolating({ en, vi });

export function numberTexts(): NumberTexts {
  return CATALOGUES[language()];
}
