// The texts of the pages of sittings in the language of the page.

import { language } from "../../../texts/choice.svelte";
import { isolating } from "../../../texts/isolated";
import type { PlanTexts } from "./en";

const CATALOGUES = isolating(import.meta.glob<PlanTexts>("./??.ts", { eager: true, import: "default" }));

export function planTexts(): PlanTexts {
  return CATALOGUES[`./${language()}.ts`] as PlanTexts;
}
