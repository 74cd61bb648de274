// The texts of learning platforms in the language of the page.

import { language } from "../../../texts/choice.svelte";
import { isolating } from "../../../texts/isolated";
import type { PlatformTexts } from "./en";

const CATALOGUES = isolating(import.meta.glob<PlatformTexts>("./??.ts", { eager: true, import: "default" }));

export function platformTexts(): PlatformTexts {
  return CATALOGUES[`./${language()}.ts`] as PlatformTexts;
}
