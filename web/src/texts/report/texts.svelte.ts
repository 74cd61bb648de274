// The texts of reports in the language of the page.

import { language, type Language } from "../choice.svelte";
import { isolating } from "../isolated";
import en, { type ReportTexts } from "./en";
import vi from "./vi";

const CATALOGUES: Record<Language, ReportTexts> = isolating({ en, vi });

export function reportTexts(): ReportTexts {
  return CATALOGUES[language()];
}
