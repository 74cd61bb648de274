// The texts of results in the language of the page.

import { language } from "../../../texts/choice.svelte";
import { isolating } from "../../../texts/isolated";
import type { ResultsTexts } from "./en";

const CATALOGUES = isolating(import.meta.glob<ResultsTexts>("./??.ts", { eager: true, import: "default" }));

export function resultsTexts(): ResultsTexts {
  return CATALOGUES[`./${language()}.ts`] as ResultsTexts;
}
