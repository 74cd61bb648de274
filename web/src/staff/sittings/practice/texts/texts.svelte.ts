// The texts of practice questions in a sitting in the language of the page.

import { language } from "../../../../texts/choice.svelte";
import { isolating } from "../../../../texts/isolated";
import type { PracticeTexts } from "./en";

const CATALOGUES = isolating(import.meta.glob<PracticeTexts>("./??.ts", { eager: true, import: "default" }));

export function practiceTexts(): PracticeTexts {
  return CATALOGUES[`./${language()}.ts`] as PracticeTexts;
}
