// How the staff pages write times of day, days, and how long something takes or is away.

export const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Such as "14:05", in the time zone of this device. */
export function timeOfDay(milliseconds: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" }).format(milliseconds);
}

/** Whole days of the calendar from one moment to another. */
export function daysBetween(from: number, to: number): number {
  const midnight = (milliseconds: number) => new Date(milliseconds).setHours(0, 0, 0, 0);
  return Math.round((midnight(to) - midnight(from)) / DAY_MS);
}

/** "today", "tomorrow", or else the date; the year only if it is another one. */
export function dayOf(milliseconds: number, nowMs: number, locale: string): string {
  const days = daysBetween(nowMs, milliseconds);
  if (Math.abs(days) <= 1) return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(days, "day");
  const isThisYear = new Date(milliseconds).getFullYear() === new Date(nowMs).getFullYear();
  return new Intl.DateTimeFormat(locale, { weekday: "short", day: "numeric", month: "short", ...(isThisYear ? {} : { year: "numeric" }) }).format(milliseconds);
}

/** The day and the time of day. */
export function dayAndTime(milliseconds: number, nowMs: number, locale: string): string {
  return `${dayOf(milliseconds, nowMs, locale)}, ${timeOfDay(milliseconds, locale)}`;
}

export type Span = { unit: "days" | "hours" | "minutes" | "none"; count: number };

/** In the largest unit of which there are two or more, cut off; `none` below a minute. */
export function spanOf(milliseconds: number): Span {
  const size = Math.abs(milliseconds);
  if (size < MINUTE_MS) return { unit: "none", count: 0 };
  if (size < 2 * HOUR_MS) return { unit: "minutes", count: Math.floor(size / MINUTE_MS) };
  return size < 2 * DAY_MS ? { unit: "hours", count: Math.floor(size / HOUR_MS) } : { unit: "days", count: Math.floor(size / DAY_MS) };
}
