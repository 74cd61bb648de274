// The texts of the calendar in the language of the page.

import { language, type Language } from "../../../texts/choice.svelte";
import { en, type CalendarTexts } from "./en";
import { vi } from "./vi";

const CATALOGUES: Record<Language, CalendarTexts> = { en, vi };

export function calendarTexts(): CalendarTexts {
  return CATALOGUES[language()];
}
