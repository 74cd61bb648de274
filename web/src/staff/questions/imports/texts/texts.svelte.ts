// The texts of imports from files of other systems, in the language of the page.

import { language } from "../../../../texts/choice.svelte";
import { isolating } from "../../../../texts/isolated";
import type { ImportTexts } from "./en";

const CATALOGUES = isolating(import.meta.glob<ImportTexts>("./??.ts", { eager: true, import: "default" }));

export function importTexts(): ImportTexts {
  return CATALOGUES[`./${language()}.ts`] as ImportTexts;
}
