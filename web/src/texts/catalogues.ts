// The students' texts by language. Separate from the choice among them, which needs a browser.

import type { Language } from "./choice.svelte";
import en, { type Texts } from "./en";
import { isolating } from "./isolated";
import vi from "./vi";

export const CATALOGUES: Record<Language, Texts> = isolating({ en, vi });
