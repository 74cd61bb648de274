// The language of the pages: the student's choice, or else the browser's.

import { en, type Texts } from "./en";
import { vi } from "./vi";

export const LANGUAGES = { en: "English", vi: "Tiếng Việt" } as const;
export type Language = keyof typeof LANGUAGES;

const CATALOGUES: Record<Language, Texts> = { en, vi };
const KEPT_AS = "examhall-language";

function isLanguage(name: string | null | undefined): name is Language {
  return name === "en" || name === "vi";
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
  return CATALOGUES[chosen];
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
