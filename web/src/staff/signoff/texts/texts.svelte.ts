// The texts of the pages of sign-off in the language of the page.

import { language } from "../../../texts/choice.svelte";
import type { SignTexts } from "./en";

const CATALOGUES = import.meta.glob<SignTexts>("./??.ts", { eager: true, import: "default" });

export function signTexts(): SignTexts {
  return CATALOGUES[`./${language()}.ts`] as SignTexts;
}
