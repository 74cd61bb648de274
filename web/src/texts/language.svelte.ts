// The language of the pages: the student's choice, or else the browser's.

import { CATALOGUES, type Language } from "./catalogues";
import type { Texts } from "./en";

const KEPT_AS = "examhall-language";

function isLanguage(name: string | null | undefined): name is Language {
  return name != null && Object.hasOwn(CATALOGUES, name);
}

function first(): Language {
  const kept = read();
  if (isLanguage(kept)) return kept;
  return navigator.languages.map((name) => name.slice(0, 2)).find(isLanguage) ?? "en";
}

/** A browser without storage throws. */
function read(): string | null {
  try {
    return localStorage.getItem(KEPT_AS);
  } catch {
    return null;
  }
}

let chosen = $state<Language>(first());
document.documentElement.lang = first();

export function language(): Language {
  return chosen;
}

export function texts(): Texts {
  return CATALOGUES[chosen].texts;
}

/** The browser's own name for the language, such as `en-GB` rather than `en`: it decides how a date is written. */
export function locale(): string {
  return navigator.languages.find((name) => name.slice(0, 2) === chosen) ?? chosen;
}

/** What a button does, with the key that does the same. */
export function keyed(words: string, key: string): string {
  return `${words} (${key})`;
}

export function speak(name: Language): void {
  chosen = name;
  document.documentElement.lang = name;
  try {
    localStorage.setItem(KEPT_AS, name);
  } catch {
    // The choice then lasts only as long as the page.
  }
}
