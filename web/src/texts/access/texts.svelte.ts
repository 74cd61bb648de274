// The texts of who may sit a template in the language of the page.

import { language, type Language } from "../choice.svelte";
import en, { type AccessTexts } from "./en";
import vi from "./vi";

const CATALOGUES: Record<Language, AccessTexts> = { en, vi };

export function accessTexts(): AccessTexts {
  return CATALOGUES[language()];
}
