// The language of the pages: the reader's choice, or else the browser's. Separate from the texts, of which a page loads its own only.

/** Each language by its code of two letters, with its name for itself. */
export const LANGUAGES = { en: "English", vi: "Tiếng Việt" };

export type Language = keyof typeof LANGUAGES;

const KEPT_AS = "examhall-language";

function isLanguage(name: string | null | undefined): name is Language {
  return name != null && Object.hasOwn(LANGUAGES, name);
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

/** The browser's own name for the language, such as `en-GB` rather than `en`: it decides how a date is written. */
export function locale(): string {
  return navigator.languages.find((name) => name.slice(0, 2) === chosen) ?? chosen;
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
