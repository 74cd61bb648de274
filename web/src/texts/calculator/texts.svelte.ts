// The texts of the calculator in the language of the page.

import { language, type Language } from "../choice.svelte";
import { isolating } from "../isolated";
import en, { type CalculatorTexts } from "./en";
import vi from "./vi";

const CATALOGUES: Record<Language, CalculatorTexts> = isolating({ en, vi });

export function calculatorTexts(): CalculatorTexts {
  return CATALOGUES[language()];
}
