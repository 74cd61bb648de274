// The texts of types of questions and of numbers as keys, in the language of the page.

import { language } from "../../../../texts/choice.svelte";
import { isolating } from "../../../../texts/isolated";
import type { KeyTexts } from "./en";

const CATALOGUES = isolating(import.meta.glob<KeyTexts>("./??.ts", { eager: true, import: "default" }));

export function keyTexts(): KeyTexts {
  return CATALOGUES[`./${language()}.ts`] as KeyTexts;
}
