// What the pages of sittings say of the forms of a paper, in the language of the page.

import { language } from "../../../../texts/choice.svelte";
import { isolating } from "../../../../texts/isolated";
import type { FormsTexts } from "./en";

const CATALOGUES = isolating(import.meta.glob<FormsTexts>("./??.ts", { eager: true, import: "default" }));

export function formsTexts(): FormsTexts {
  return CATALOGUES[`./${language()}.ts`] as FormsTexts;
}
