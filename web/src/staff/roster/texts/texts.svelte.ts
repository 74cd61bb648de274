// The texts of lists of people in the language of the page.

import { language } from "../../../texts/choice.svelte";
import { isolating } from "../../../texts/isolated";
import type { RosterTexts } from "./en";

const CATALOGUES = isolating(import.meta.glob<RosterTexts>("./??.ts", { eager: true, import: "default" }));

export function rosterTexts(): RosterTexts {
  return CATALOGUES[`./${language()}.ts`] as RosterTexts;
}
