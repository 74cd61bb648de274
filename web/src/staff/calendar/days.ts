// Days of the calendar as texts such as `2027-06-01`: months, weeks, and where a key leads. A day has no time zone.

export type Day = string;
export type CalendarView = "month" | "week" | "list";

const DAY_MS = 86_400_000;
const WEEK = 7;
const THURSDAY = 3;

/** Days after the Monday of the week. */
const fromMonday = (day: Day) => (noon(day).getUTCDay() + WEEK - 1) % WEEK;

function noon(day: Day): Date {
  return new Date(`${day}T12:00:00Z`);
}

export function plusDays(day: Day, count: number): Day {
  return new Date(noon(day).getTime() + count * DAY_MS).toISOString().slice(0, 10);
}

/** The same day of another month, or its last one. */
export function plusMonths(day: Day, count: number): Day {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const last = new Date(Date.UTC(year, month + count, 0, 12)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + count, Math.min(date, last), 12)).toISOString().slice(0, 10);
}

/** From Monday to Sunday. */
export function weekOf(day: Day): Day[] {
  const monday = plusDays(day, -fromMonday(day));
  return Array.from({ length: WEEK }, (_, index) => plusDays(monday, index));
}

/** The weeks of the day's month. The first and the last have days of the months beside it. */
export function monthOf(day: Day): Day[][] {
  const first = `${day.slice(0, 7)}-01`;
  const weeks = [weekOf(first)];
  for (;;) {
    const next = weekOf(plusDays((weeks.at(-1) as Day[])[0] as Day, WEEK));
    if (!(next[0] as Day).startsWith(day.slice(0, 7))) return weeks;
    weeks.push(next);
  }
}

/** Whether the week belongs to this month rather than to one beside it. */
export function isOfMonth(day: Day, of: Day): boolean {
  return day.slice(0, 7) === of.slice(0, 7);
}

/** The first and the last day that a view shows. A list has no end. */
export function shownDays(view: CalendarView, day: Day): { first: Day; last?: Day } {
  if (view === "list") return { first: day };
  const weeks = view === "month" ? monthOf(day) : [weekOf(day)];
  return { first: weeks[0]?.[0] ?? day, last: weeks.at(-1)?.at(-1) ?? day };
}

/** The day to which a key leads. */
export function dayAt(key: string, day: Day): Day | undefined {
  const past = fromMonday(day);
  const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -WEEK, ArrowDown: WEEK, Home: -past, End: WEEK - 1 - past };
  const step = steps[key];
  if (step !== undefined) return plusDays(day, step);
  if (key === "PageUp") return plusMonths(day, -1);
  return key === "PageDown" ? plusMonths(day, 1) : undefined;
}

/** The view before or after. A list goes on by a month. */
export function turnedView(view: CalendarView, day: Day, by: 1 | -1): Day {
  return view === "week" ? plusDays(day, by * WEEK) : plusMonths(day, by);
}

/** The day in words. */
export function dayText(day: Day, locale: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" }).format(noon(day));
}

/** The view in words: its month, or the days of its week. */
export function viewTitle(view: CalendarView, day: Day, locale: string): string {
  if (view === "month") return dayText(day, locale, { month: "long", year: "numeric" });
  const format = new Intl.DateTimeFormat(locale, { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
  const week = weekOf(day);
  return view === "list" ? format.format(noon(day)) : format.formatRange(noon(week[0] as Day), noon(week.at(-1) as Day));
}

/** Short and whole names of the days of a week, from Monday. */
export function weekdays(locale: string): { short: string; long: string }[] {
  const week = weekOf(plusDays("2027-01-01", THURSDAY));
  return week.map((day) => ({ short: dayText(day, locale, { weekday: "short" }), long: dayText(day, locale, { weekday: "long" }) }));
}
