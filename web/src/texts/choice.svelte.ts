// The language of the pages: the reader's choice, or else the school's, or the browser's. Separate from the texts, of which a
// page loads its own only.

/** Each language by its code of two letters, with its name for itself. */
export const LANGUAGES = { en: "English", vi: "Tiếng Việt" };

export type Language = keyof typeof LANGUAGES;

const KEPT_AS = "examhall-language";

function isLanguage(name: string | null | undefined): name is Language {
  return name != null && Object.hasOwn(LANGUAGES, name);
}

function first(): Language {
  if (isLanguage(own)) return own;
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

/** The reader's own choice. */
let own = read();
let chosen = $state<Language>(first());
const ALL = Object.keys(LANGUAGES) as Language[];
let choices = $state.raw(ALL);
document.documentElement.lang = first();

export function language(): Language {
  return chosen;
}

/** The languages that the reader may choose among. */
export function offeredLanguages(): Language[] {
  return choices;
}

/** The browser's own name for the language, such as `en-GB` rather than `en`: it decides how a date is written. */
export function locale(): string {
  return navigator.languages.find((name) => name.slice(0, 2) === chosen) ?? chosen;
}

/** Offers these languages alone, the first of them to readers who have not chosen one; without any, all, as at first. */
export function offer(names: string[] = []): void {
  const known = names.filter(isLanguage);
  choices = known.length === 0 ? ALL : known;
  show(choices.find((name) => name === own) ?? known[0] ?? first());
}

export function speak(name: Language): void {
  own = name;
  show(name);
  try {
    localStorage.setItem(KEPT_AS, name);
  } catch {
    // The choice then lasts only as long as the page.
  }
}

function show(name: Language): void {
  chosen = name;
  document.documentElement.lang = name;
}
