// The texts of the pages of sittings in the language of the page.

import { language, type Language } from "../../../texts/choice.svelte";
import { en, type PlanTexts } from "./en";
import { vi } from "./vi";

const CATALOGUES: Record<Language, PlanTexts> = { en, vi };

export function planTexts(): PlanTexts {
  return CATALOGUES[language()];
}
