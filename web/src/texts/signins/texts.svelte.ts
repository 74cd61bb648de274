// The texts of the list of sign-ins, in the language of the page.

import { language, type Language } from "../choice.svelte";
import { isolating } from "../isolated";
import en, { type SignInTexts } from "./en";
import vi from "./vi";

const CATALOGUES: Record<Language, SignInTexts> = isolating({ en, vi });

export function signInTexts(): SignInTexts {
  return CATALOGUES[language()];
}
