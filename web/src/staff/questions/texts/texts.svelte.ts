// The texts of questions and their review in the language of the page.

import { language, type Language } from "../../../texts/choice.svelte";
import { en, type BankTexts } from "./en";
import { vi } from "./vi";

const CATALOGUES: Record<Language, BankTexts> = { en, vi };

export function bankTexts(): BankTexts {
  return CATALOGUES[language()];
}
