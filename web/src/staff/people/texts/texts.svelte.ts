// The texts of the pages of people in the language of the page.

import { language, type Language } from "../../../texts/choice.svelte";
import { en, type PeopleTexts } from "./en";
import { vi } from "./vi";

const CATALOGUES: Record<Language, PeopleTexts> = { en, vi };

export function peopleTexts(): PeopleTexts {
  return CATALOGUES[language()];
}
