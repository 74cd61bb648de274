// The texts of results in the language of the page.

import { language, type Language } from "../../../texts/choice.svelte";
import { en, type ResultsTexts } from "./en";
import { vi } from "./vi";

const CATALOGUES: Record<Language, ResultsTexts> = { en, vi };

export function resultsTexts(): ResultsTexts {
  return CATALOGUES[language()];
}
