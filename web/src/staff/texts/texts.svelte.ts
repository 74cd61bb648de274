// The texts of the shell and of Today in the language of the page.

import { language } from "../../texts/choice.svelte";
import { isolating } from "../../texts/isolated";
import type { StaffTexts } from "./en";

const CATALOGUES = isolating(import.meta.glob<StaffTexts>("./??.ts", { eager: true, import: "default" }));

export function staffTexts(): StaffTexts {
  return CATALOGUES[`./${language()}.ts`] as StaffTexts;
}
