// The texts of the desk and of the projector's page, in the language of the page.

import { language, locale } from "../../../texts/choice.svelte";
import { timeOfDay } from "../../times";
import { isolating } from "../../../texts/isolated";
import type { DeskTexts } from "./en";

const CATALOGUES = isolating(import.meta.glob<DeskTexts>("./??.ts", { eager: true, import: "default" }));

export function deskTexts(): DeskTexts {
  return CATALOGUES[`./${language()}.ts`] as DeskTexts;
}

/** A time of day as the reader writes it. */
export function clockTime(at: number | string, withSeconds = false): string {
  return timeOfDay(new Date(at).getTime(), locale(), withSeconds);
}

/** A length of time in minutes and seconds, of which those that are none are left out. */
export function lastingExactly(milliseconds: number): string {
  const seconds = Math.max(1, Math.round(milliseconds / 1_000));
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return [minutes > 0 ? deskTexts().shortMinutes(minutes) : "", rest > 0 ? deskTexts().shortSeconds(rest) : ""].filter((part) => part !== "").join(" ");
}

/** A length of time in its largest unit. */
export function lasting(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000));
  return seconds < 120 ? deskTexts().seconds(seconds) : deskTexts().minutes(Math.floor(seconds / 60));
}
