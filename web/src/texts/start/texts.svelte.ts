// The texts of the start page in the language of the page.

import { language, type Language } from "../choice.svelte";
import { isolating } from "../isolated";
import en, { type StartTexts } from "./en";
import vi from "./vi";

const CATALOGUES: Record<Language, StartTexts> = isolating({ en, vi });

export function startTexts(): StartTexts {
  return CATALOGUES[language()];
}
