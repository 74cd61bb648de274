// The texts of lists of people in the language of the page.

import { language } from "../../../texts/choice.svelte";
import type { RosterTexts } from "./en";

const CATALOGUES = import.meta.glob<RosterTexts>("./??.ts", { eager: true, import: "default" });

export function rosterTexts(): RosterTexts {
  return CATALOGUES[`./${language()}.ts`] as RosterTexts;
}
