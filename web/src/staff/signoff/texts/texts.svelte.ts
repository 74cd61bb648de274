// The texts of the pages of sign-off in the language of the page.

import { language, type Language } from "../../../texts/choice.svelte";
import { en, type SignTexts } from "./en";
import { vi } from "./vi";

const CATALOGUES: Record<Language, SignTexts> = { en, vi };

export function signTexts(): SignTexts {
  return CATALOGUES[language()];
}
