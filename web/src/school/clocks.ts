// A moment by the school's clocks, and by the device's where they show something else: who sits an exam abroad, or on a device
// that is set to another zone, should not come at the wrong hour.

export interface Clocks {
  /** By the school's clocks. */
  time: string;
  /** The name of the school's zone; empty, like the next one, where the device's clocks show the same. */
  zone: string;
  /** By the device's. */
  device: string;
}

/** `schoolZone` is empty where the school has said nothing: the device's zone then counts. */
export function clocksOf(at: Date, schoolZone: string, deviceZone: string, locale: string, format: Intl.DateTimeFormatOptions): Clocks {
  const shown = (timeZone: string, more = format) => new Intl.DateTimeFormat(locale, { ...more, timeZone }).format(at);
  const time = shown(schoolZone || deviceZone);
  const day: Intl.DateTimeFormatOptions = { dateStyle: "short" };
  const whole: Intl.DateTimeFormatOptions = { dateStyle: "short", timeStyle: "short" };
  if (schoolZone === "" || shown(schoolZone, whole) === shown(deviceZone, whole)) return { time, zone: "", device: "" };
  const isSameDay = shown(schoolZone, day) === shown(deviceZone, day);
  // Another day is said even where the school's own time needs none.
  const device = isSameDay ? shown(deviceZone, { timeStyle: "short" }) : shown(deviceZone, whole);
  return { time, zone: nameOf(schoolZone, at, locale), device };
}

function nameOf(timeZone: string, at: Date, locale: string): string {
  const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: "long" }).formatToParts(at);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? timeZone;
}
