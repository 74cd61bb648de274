// The texts of templates in the language of the page.

import { language, type Language } from "../../../texts/choice.svelte";
import { en, type TemplateTexts } from "./en";
import { vi } from "./vi";

const CATALOGUES: Record<Language, TemplateTexts> = { en, vi };

export function templateTexts(): TemplateTexts {
  return CATALOGUES[language()];
}
