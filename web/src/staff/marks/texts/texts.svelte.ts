// The texts of scales of marks in the language of the page.

import { language } from "../../../texts/choice.svelte";
import { isolating } from "../../../texts/isolated";
import type { MarksTexts } from "./en";

const CATALOGUES = isolating(import.meta.glob<MarksTexts>("./??.ts", { eager: true, import: "default" }));

export function marksTexts(): MarksTexts {
  return CATALOGUES[`./${language()}.ts`] as MarksTexts;
}
