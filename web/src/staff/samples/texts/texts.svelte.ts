// The texts of the offer of another language in the language of the page.

import { language } from "../../../texts/choice.svelte";
import { isolating } from "../../../texts/isolated";
import type { SampleTexts } from "./en";

const CATALOGUES = isolating(import.meta.glob<SampleTexts>("./??.ts", { eager: true, import: "default" }));

export function sampleTexts(): SampleTexts {
  return CATALOGUES[`./${language()}.ts`] as SampleTexts;
}
