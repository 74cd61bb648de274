// The texts of the calculator in the language of the page.

import { language, type Language } from "../choice.svelte";
import en, { type CalculatorTexts } from "./en";
import vi from "./vi";

const CATALOGUES: Record<Language, CalculatorTexts> = { en, vi };

export function calculatorTexts(): CalculatorTexts {
  return CATALOGUES[language()];
}
