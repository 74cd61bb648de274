// Moments as people read and type them, by the clocks of `zone.ts`, which are always named: a school's server may stand in another
// zone, and so may whoever looks.

import { dateShown, timeOfDay } from "./times";
import { momentAt, wallOf, zoneName } from "./zone";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const two = (number: number) => String(number).padStart(2, "0");

/** The day of a moment here, as fields of dates have it. */
export function dateOf(ms: number): string {
  const date = new Date(wallOf(ms));
  return `${String(date.getUTCFullYear()).padStart(4, "0")}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
}

/** The time of day here, to the minute. */
export function timeOf(ms: number): string {
  const date = new Date(wallOf(ms));
  return `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
}

/** The moment of a day and a time here; undefined if either is missing, or no such time is on that day. */
export function momentOf(date: string, time: string): number | undefined {
  const [, year, month, day] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(date) ?? []).map(Number);
  const [, hour, minute] = (/^(\d\d):(\d\d)(?::\d\d)?$/.exec(time) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined || hour === undefined || minute === undefined) return undefined;
  const ms = momentAt(Date.UTC(year, month - 1, day, hour, minute));
  // A clock that is put forward skips an hour, and the 31st of a short month is another day.
  return dateOf(ms) === date && timeOf(ms) === `${two(hour)}:${two(minute)}` ? ms : undefined;
}

/** The first moment of the day here; `days` later or earlier, also where days have 23 or 25 hours. */
export function dayStart(ms: number, days = 0): number {
  const date = new Date(wallOf(ms));
  return momentAt(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + days));
}

/** The day of a moment by the clocks of another zone, as fields of dates have it. */
export function dayIn(ms: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat("en", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" }).formatToParts(ms);
  const part = (name: string) => parts.find(({ type }) => type === name)?.value ?? "";
  return `${part("year").padStart(4, "0")}-${part("month")}-${part("day")}`;
}

/** The day by the clocks of the school if something holds until its end, and else the moment here. */
export function shownEnd(ms: number, locale: string, timeZone: string): string {
  const isEndOfDay = dayIn(ms, timeZone) !== dayIn(ms + MINUTE, timeZone);
  return isEndOfDay ? new Intl.DateTimeFormat(locale, { timeZone, dateStyle: "medium" }).format(ms) : shownMoment(ms, locale);
}

/** The next moment of at least `ms` whose minutes are a multiple of `minutes`. */
export function nextFull(ms: number, minutes: number): number {
  return Math.ceil(ms / (minutes * MINUTE)) * minutes * MINUTE;
}

/** The name of the zone with its distance from UTC at that moment, such as `Asia/Ho_Chi_Minh, UTC+7`. */
export function zoneOf(ms: number): string {
  const name = zoneName();
  const east = Math.round((wallOf(ms) - ms) / MINUTE);
  const [hours, minutes] = [Math.floor(Math.abs(east) / 60), Math.abs(east) % 60];
  const distance = east === 0 ? "UTC" : `UTC${east < 0 ? "−" : "+"}${hours}${minutes === 0 ? "" : `:${two(minutes)}`}`;
  return name === "" || name === "UTC" ? distance : `${name}, ${distance}`;
}

/** A time of day, with its day if that is another than `beside`, and its year if that is not the present one. */
export function shownMoment(ms: number, locale: string, beside?: number): string {
  const isSameDay = beside !== undefined && dateOf(beside) === dateOf(ms);
  const time = timeOfDay(ms, locale);
  return isSameDay ? time : `${dateShown(ms, Date.now(), locale)}, ${time}`;
}

export function parsed(iso: string | null | undefined): number | undefined {
  const ms = iso == null ? NaN : Date.parse(iso);
  return Number.isNaN(ms) ? undefined : ms;
}

export const iso = (ms: number): string => new Date(ms).toISOString();
