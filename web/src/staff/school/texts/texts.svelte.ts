// The texts of the page of the school in the language of the page.

import { language } from "../../../texts/choice.svelte";
import { isolating } from "../../../texts/isolated";
import type { SchoolTexts } from "./en";

const CATALOGUES = isolating(import.meta.glob<SchoolTexts>("./??.ts", { eager: true, import: "default" }));

export function schoolTexts(): SchoolTexts {
  return CATALOGUES[`./${language()}.ts`] as SchoolTexts;
}
