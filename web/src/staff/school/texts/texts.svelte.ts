// The texts of the page of the school in the language of the page.

import { language, type Language } from "../../../texts/choice.svelte";
import { en, type SchoolTexts } from "./en";
import { vi } from "./vi";

const CATALOGUES: Record<Language, SchoolTexts> = { en, vi };

export function schoolTexts(): SchoolTexts {
  return CATALOGUES[language()];
}
