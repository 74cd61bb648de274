// The texts of the shell and of Today in the language of the page.

import { language, type Language } from "../../texts/choice.svelte";
import { en, type StaffTexts } from "./en";
import { vi } from "./vi";

const CATALOGUES: Record<Language, StaffTexts> = { en, vi };

export function staffTexts(): StaffTexts {
  return CATALOGUES[language()];
}
