// The texts of who may sit a template in the language of the page.

import { language } from "../../../../texts/choice.svelte";
import { isolating } from "../../../../texts/isolated";
import type { RulesTexts } from "./en";

const CATALOGUES = isolating(import.meta.glob<RulesTexts>("./??.ts", { eager: true, import: "default" }));

export function rulesTexts(): RulesTexts {
  return CATALOGUES[`./${language()}.ts`] as RulesTexts;
}
