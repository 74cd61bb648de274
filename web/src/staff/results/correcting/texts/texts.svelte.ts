// The texts of corrections in the language of the page.

import { language } from "../../../../texts/choice.svelte";
import { isolating } from "../../../../texts/isolated";
import type { CorrectingTexts } from "./en";

const CATALOGUES = isolating(import.meta.glob<CorrectingTexts>("./??.ts", { eager: true, import: "default" }));

export function correctingTexts(): CorrectingTexts {
  return CATALOGUES[`./${language()}.ts`] as CorrectingTexts;
}
