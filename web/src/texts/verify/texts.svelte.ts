// The texts of the page that checks receipts, in the language of the page.

import { language, type Language } from "../choice.svelte";
import { isolating } from "../isolated";
import en, { type VerifyTexts } from "./en";
import vi from "./vi";

const CATALOGUES: Record<Language, VerifyTexts> = isolating({ en, vi });

export function verifyTexts(): VerifyTexts {
  return CATALOGUES[language()];
}
