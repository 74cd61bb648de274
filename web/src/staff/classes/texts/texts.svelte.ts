// The texts of the pages of classes in the language of the page.

import { language } from "../../../texts/choice.svelte";
import { isolating } from "../../../texts/isolated";
import type { ClassTexts } from "./en";

const CATALOGUES = isolating(import.meta.glob<ClassTexts>("./??.ts", { eager: true, import: "default" }));

export function classTexts(): ClassTexts {
  return CATALOGUES[`./${language()}.ts`] as ClassTexts;
}
