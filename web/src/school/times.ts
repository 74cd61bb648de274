// Moments in words, by the school's clocks.

import { locale, texts } from "../texts/language.svelte";
import { clocksOf } from "./clocks";
import { school } from "./shown.svelte";

/** With the name of the school's zone and the device's own time where the two differ. */
export function schoolTime(at: Date, format: Intl.DateTimeFormatOptions): string {
  const { time, zone, device } = clocks(at, format);
  return zone === "" ? time : texts().schoolTime(time, zone, device);
}

/** The day alone. */
export function schoolDay(at: Date): string {
  return clocks(at, { dateStyle: "long" }).time;
}

function clocks(at: Date, format: Intl.DateTimeFormatOptions) {
  return clocksOf(at, school()?.timeZone ?? "", new Intl.DateTimeFormat().resolvedOptions().timeZone, locale(), format);
}
