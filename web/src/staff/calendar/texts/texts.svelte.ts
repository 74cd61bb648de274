// The texts of the calendar in the language of the page.

import { language } from "../../../texts/choice.svelte";
import { isolating } from "../../../texts/isolated";
import type { CalendarTexts } from "./en";

const CATALOGUES = isolating(import.meta.glob<CalendarTexts>("./??.ts", { eager: true, import: "default" }));

export function calendarTexts(): CalendarTexts {
  return CATALOGUES[`./${language()}.ts`] as CalendarTexts;
}
