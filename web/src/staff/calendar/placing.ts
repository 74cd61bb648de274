// On which days an event is shown: in the zone of the reader, or for events of whole days on the days that it names.

import { compareTexts } from "../order";
import { dateOf } from "../moments";
import { plusDays, shownDays, type Day, type CalendarView } from "./days";
import { plainOf } from "./markup";
import type { CalendarEvent } from "./shapes";

export interface Placed {
  event: CalendarEvent;
  title: string;
  startMs: number;
  endMs: number;
  first: Day;
  last: Day;
}

/** The interface takes days in UTC, which may begin a day before or after those of the reader. */
const MARGIN_DAYS = 2;

export function placed(event: CalendarEvent): Placed {
  const [startMs, endMs] = [momentOf(event.utc_start_date), momentOf(event.utc_end_date)];
  const title = plainOf(event.title);
  if (event.all_day) return { event, title, startMs, endMs, first: event.start_date.slice(0, 10), last: event.end_date.slice(0, 10) };
  // Whoever ends at midnight is not there on the day that begins then.
  return { event, title, startMs, endMs, first: dateOf(startMs), last: dateOf(Math.max(startMs, endMs - 1)) };
}

function momentOf(utc: string): number {
  return Date.parse(`${utc.replace(" ", "T")}Z`);
}

/** Which events to ask for, so that all of a view are among them, also those that have begun before it. */
export function windowOf(view: CalendarView, day: Day): Record<string, string> {
  const { first, last } = shownDays(view, day);
  return { ends_after: plusDays(first, -MARGIN_DAYS), ...(last === undefined ? {} : { starts_before: plusDays(last, MARGIN_DAYS) }) };
}

/** What lasts longer than the day comes first, then the earliest. */
function inOrder(one: Placed, other: Placed): number {
  const isLong = ({ event, first, last }: Placed) => event.all_day || first !== last;
  return Number(isLong(other)) - Number(isLong(one)) || one.startMs - other.startMs || compareTexts(one.title, other.title) || one.event.id - other.event.id;
}

/** The events of a day, in the order in which they are shown. */
export function onDay(all: Placed[], day: Day): Placed[] {
  return all.filter(({ first, last }) => first <= day && day <= last).sort(inOrder);
}

/** The events from a day on, each on the first day on which it is shown. */
export function eventsByDay(all: Placed[], from: Day): { day: Day; events: Placed[] }[] {
  const days = new Map<Day, Placed[]>();
  for (const one of all) {
    if (one.last < from) continue;
    const day = one.first < from ? from : one.first;
    days.set(day, [...(days.get(day) ?? []), one]);
  }
  return [...days.entries()].sort(([one], [other]) => one.localeCompare(other)).map(([day, events]) => ({ day, events: events.sort(inOrder) }));
}
