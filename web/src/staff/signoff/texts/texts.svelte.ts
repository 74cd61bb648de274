// The texts of the pages of sign-off in the language of the page.

import { language } from "../../../texts/choice.svelte";
import { isolating } from "../../../texts/isolated";
import type { SignTexts } from "./en";

const CATALOGUES = isolating(import.meta.glob<SignTexts>("./??.ts", { eager: true, import: "default" }));

export function signTexts(): SignTexts {
  return CATALOGUES[`./${language()}.ts`] as SignTexts;
}
