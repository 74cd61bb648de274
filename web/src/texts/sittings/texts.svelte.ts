// The texts of sittings in the language of the page.

import { language, type Language } from "../choice.svelte";
import { isolating } from "../isolated";
import en, { type SittingTexts } from "./en";
import vi from "./vi";

const CATALOGUES: Record<Language, SittingTexts> = isolating({ en, vi });

export function sittingTexts(): SittingTexts {
  return CATALOGUES[language()];
}
