// The texts about work that came too late, in the language of the page.

import { language, type Language } from "../choice.svelte";
import { isolating } from "../isolated";
import en, { type LateTexts } from "./en";
import vi from "./vi";

const CATALOGUES: Record<Language, LateTexts> = isolating({ en, vi });

export function lateTexts(): LateTexts {
  return CATALOGUES[language()];
}
