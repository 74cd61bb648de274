// The texts of templates in the language of the page.

import { language } from "../../../texts/choice.svelte";
import { isolating } from "../../../texts/isolated";
import type { TemplateTexts } from "./en";

const CATALOGUES = isolating(import.meta.glob<TemplateTexts>("./??.ts", { eager: true, import: "default" }));

export function templateTexts(): TemplateTexts {
  return CATALOGUES[`./${language()}.ts`] as TemplateTexts;
}
