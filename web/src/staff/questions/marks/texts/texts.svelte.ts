// The texts of the marks of questions in the language of the page.

import { language } from "../../../../texts/choice.svelte";
import { isolating } from "../../../../texts/isolated";
import type { MarkTexts } from "./en";

const CATALOGUES = isolating(import.meta.glob<MarkTexts>("./??.ts", { eager: true, import: "default" }));

export function markTexts(): MarkTexts {
  return CATALOGUES[`./${language()}.ts`] as MarkTexts;
}
