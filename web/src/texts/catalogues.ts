// The languages of the pages, each with its name for itself. Separate from the choice among them, which needs a browser.

import { en, type Texts } from "./en";
import { vi } from "./vi";

interface Catalogue {
  called: string;
  texts: Texts;
}

/** By the language's code of two letters. */
export const CATALOGUES = {
  en: { called: "English", texts: en },
  vi: { called: "Tiếng Việt", texts: vi },
} satisfies Record<string, Catalogue>;

export type Language = keyof typeof CATALOGUES;
