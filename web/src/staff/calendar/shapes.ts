// What the calendar's interface says of events and of what belongs to them, as docs/calendar.md describes it.

export type EventStatus = "publish" | "future" | "draft" | "pending" | "private" | "trash";

/** Lists of the interface; each is a part of its addresses, and the name of the list in an answer. */
export type Group = "events" | "venues" | "organizers" | "categories" | "tags";

/** A category or a tag. Names are HTML. */
export interface TermView {
  id: number;
  name: string;
  slug: string;
  description: string;
  /** Of categories; 0 for none. */
  parent?: number;
  /** Published events that have it. */
  count: number;
}

/** What has no value is left out. */
export interface VenueView {
  id: number;
  status: EventStatus;
  venue: string;
  address?: string;
  city?: string;
  country?: string;
  zip?: string;
  phone?: string;
  website?: string;
}

export interface OrganizerView {
  id: number;
  status: EventStatus;
  organizer: string;
  phone?: string;
  website?: string;
  email?: string;
}

/** The exam that an event announces. */
export type EventExam =
  | { templateId: string; opensMinutesBefore?: number }
  | { sittingId: string }
  | { grade: number; mode: "standard" | "adaptive"; durationMinutes: number; opensMinutesBefore?: number };

export interface CalendarEvent {
  id: number;
  status: EventStatus;
  /** HTML, as `description`. */
  title: string;
  description: string;
  url: string;
  /** Clocks of the event's own zone, such as `2027-06-01 09:00:00`. */
  start_date: string;
  end_date: string;
  utc_start_date: string;
  utc_end_date: string;
  all_day: boolean;
  timezone: string;
  cost: string;
  website: string;
  categories: TermView[];
  tags: TermView[];
  venue: VenueView | [];
  organizer: OrganizerView[];
  exam?: EventExam;
}

/** An event has one venue or none, and none is an empty list. */
export function venueOf({ venue }: CalendarEvent): VenueView | undefined {
  return Array.isArray(venue) ? undefined : venue;
}
