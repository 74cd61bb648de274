// The texts of the morning kit in the language of the page.

import { language } from "../../../../texts/choice.svelte";
import { isolating } from "../../../../texts/isolated";
import type { KitTexts } from "./en";

const CATALOGUES = isolating(import.meta.glob<KitTexts>("./??.ts", { eager: true, import: "default" }));

export function kitTexts(): KitTexts {
  return CATALOGUES[`./${language()}.ts`] as KitTexts;
}
