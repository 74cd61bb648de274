// Events as the calendar's interface shows them, for tests.

import type { CalendarEvent } from "../shapes";

export function eventOf(fields: Partial<CalendarEvent> = {}): CalendarEvent {
  return {
    id: 23,
    status: "publish",
    title: "Maths final",
    description: "",
    url: "https://exam.test/event/maths-final/",
    start_date: "2027-06-01 09:00:00",
    end_date: "2027-06-01 10:30:00",
    utc_start_date: "2027-06-01 02:00:00",
    utc_end_date: "2027-06-01 03:30:00",
    all_day: false,
    timezone: "Asia/Ho_Chi_Minh",
    cost: "",
    website: "https://exam.test/event/maths-final/",
    categories: [],
    tags: [],
    venue: [],
    organizer: [],
    ...fields,
  };
}
