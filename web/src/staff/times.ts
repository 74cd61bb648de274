// How the staff pages write times of day, days, and how long something takes or is away, by the clocks of `zone.ts`.

import { dayNumber, inZone, wallOf } from "./zone";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Such as "14:05" or "14:05:30". */
export function timeOfDay(milliseconds: number, locale: string, withSeconds = false): string {
  return new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", ...(withSeconds ? { second: "2-digit" } : {}), ...inZone() }).format(milliseconds);
}

/** Whole days of the calendar from one moment to another. */
export function daysBetween(from: number, to: number): number {
  return dayNumber(to) - dayNumber(from);
}

/** "today", "tomorrow", or else the date; the year only if it is another one. */
export function dayOf(milliseconds: number, nowMs: number, locale: string): string {
  const days = daysBetween(nowMs, milliseconds);
  if (Math.abs(days) <= 1) return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(days, "day").toLocaleLowerCase(locale);
  return dateShown(milliseconds, nowMs, locale);
}

/** The date; the year only if it is another one. */
export function dateShown(milliseconds: number, nowMs: number, locale: string): string {
  const [year, present] = [milliseconds, nowMs].map((ms) => new Date(wallOf(ms)).getUTCFullYear());
  const isThisYear = year === present;
  return new Intl.DateTimeFormat(locale, { weekday: "short", day: "numeric", month: "short", ...(isThisYear ? {} : { year: "numeric" }), ...inZone() }).format(milliseconds);
}

/** The day and the time of day. */
export function dayAndTime(milliseconds: number, nowMs: number, locale: string): string {
  return `${dayOf(milliseconds, nowMs, locale)}, ${timeOfDay(milliseconds, locale)}`;
}

/** Whole days from two on; below that hours and minutes; all are cut off. */
export type Span = { days: number } | { hours: number; minutes: number };

export function spanOf(milliseconds: number): Span {
  const size = Math.abs(milliseconds);
  if (size >= 2 * DAY_MS) return { days: Math.floor(size / DAY_MS) };
  return { hours: Math.floor(size / HOUR_MS), minutes: Math.floor((size % HOUR_MS) / MINUTE_MS) };
}

/** Whether a text of an address or a field is a day, such as 2026-06-01. */
export function isDay(text: string): boolean {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  return day !== undefined && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
