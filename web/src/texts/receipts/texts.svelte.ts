// The texts of a student's receipts in the language of the page.

import { language, type Language } from "../choice.svelte";
import { isolating } from "../isolated";
import en, { type ReceiptTexts } from "./en";
import vi from "./vi";

const CATALOGUES: Record<Language, ReceiptTexts> = isolating({ en, vi });

export function receiptTexts(): ReceiptTexts {
  return CATALOGUES[language()];
}
