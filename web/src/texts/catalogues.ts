// The students' texts by language. Separate from the choice among them, which needs a browser. They are told few names, and have
// these at their end, where nothing stands that they could turn: so the first page need not load what isolates them.

import type { Language } from "./choice.svelte";
import en, { type Texts } from "./en";
import vi from "./vi";

export const CATALOGUES: Record<Language, Texts> = { en, vi };
