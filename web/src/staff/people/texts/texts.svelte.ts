// The texts of the pages of people in the language of the page.

import { language } from "../../../texts/choice.svelte";
import { isolating } from "../../../texts/isolated";
import type { PeopleTexts } from "./en";

const CATALOGUES = isolating(import.meta.glob<PeopleTexts>("./??.ts", { eager: true, import: "default" }));

export function peopleTexts(): PeopleTexts {
  return CATALOGUES[`./${language()}.ts`] as PeopleTexts;
}
