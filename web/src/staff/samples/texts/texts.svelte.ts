// The texts of the offer of another language in the language of the page.

import { language } from "../../../texts/choice.svelte";
import type { SampleTexts } from "./en";

const CATALOGUES = import.meta.glob<SampleTexts>("./??.ts", { eager: true, import: "default" });

export function sampleTexts(): SampleTexts {
  return CATALOGUES[`./${language()}.ts`] as SampleTexts;
}
