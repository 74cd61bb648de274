// The texts of the bar that is on every page during an outage, in the language of the page.

import { language, type Language } from "../choice.svelte";
import { isolating } from "../isolated";
import en, { type StatusTexts } from "./en";
import vi from "./vi";

const CATALOGUES: Record<Language, StatusTexts> = isolating({ en, vi });

export function statusTexts(): StatusTexts {
  return CATALOGUES[language()];
}
