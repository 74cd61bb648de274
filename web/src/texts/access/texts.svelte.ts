// The texts of who may sit a template in the language of the page.

import { language, type Language } from "../choice.svelte";
import { isolating } from "../isolated";
import en, { type AccessTexts } from "./en";
import vi from "./vi";

const CATALOGUES: Record<Language, AccessTexts> = isolating({ en, vi });

export function accessTexts(): AccessTexts {
  return CATALOGUES[language()];
}
