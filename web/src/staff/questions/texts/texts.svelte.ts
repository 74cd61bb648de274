// The texts of questions and their review in the language of the page.

import { language } from "../../../texts/choice.svelte";
import { isolating } from "../../../texts/isolated";
import type { BankTexts } from "./en";

const CATALOGUES = isolating(import.meta.glob<BankTexts>("./??.ts", { eager: true, import: "default" }));

export function bankTexts(): BankTexts {
  return CATALOGUES[`./${language()}.ts`] as BankTexts;
}
