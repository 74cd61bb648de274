// The texts of sittings in the language of the page.

import type { Language } from "../catalogues";
import { language } from "../language.svelte";
import { en, type SittingTexts } from "./en";
import { vi } from "./vi";

const CATALOGUES: Record<Language, SittingTexts> = { en, vi };

export function sittingTexts(): SittingTexts {
  return CATALOGUES[language()];
}
