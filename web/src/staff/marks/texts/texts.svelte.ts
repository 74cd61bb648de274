// The texts of scales of marks in the language of the page.

import { language } from "../../../texts/choice.svelte";
import type { MarksTexts } from "./en";

const CATALOGUES = import.meta.glob<MarksTexts>("./??.ts", { eager: true, import: "default" });

export function marksTexts(): MarksTexts {
  return CATALOGUES[`./${language()}.ts`] as MarksTexts;
}
