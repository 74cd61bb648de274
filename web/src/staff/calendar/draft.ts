// An event as it is typed into a form: made from what the calendar says, checked, and sent with what has changed alone, so that
// two people who edit different fields do not overwrite each other.

import { isDay } from "../times";
import { escaped, plainOf, sourceOf } from "./markup";
import { venueOf, type CalendarEvent, type EventStatus, type EventExam, type OrganizerView, type TermView, type VenueView } from "./shapes";

/** A record that the event is linked to: one that exists, or the fields of one that is made with the event. */
export interface LinkDraft {
  id?: number;
  name: string;
  fields: Record<string, string>;
}

export type ExamKind = "none" | "template" | "sitting" | "grade";

export interface ExamDraft {
  kind: ExamKind;
  templateId: string;
  sittingId: string;
  grade: number;
  mode: "standard" | "adaptive";
  minutes: string;
  /** Empty: with the event. */
  opensBefore: string;
}

export interface EventDraft {
  title: string;
  isAllDay: boolean;
  startDay: string;
  startTime: string;
  endDay: string;
  endTime: string;
  timezone: string;
  status: EventStatus;
  description: string;
  categories: LinkDraft[];
  tags: LinkDraft[];
  venue: LinkDraft | null;
  organizers: LinkDraft[];
  cost: string;
  /** Empty: the link to the exam, or none. */
  website: string;
  exam: ExamDraft;
}

export type DraftField =
  | "title"
  | "start"
  | "end"
  | "timezone"
  | "categories"
  | "tags"
  | "venue"
  | "organizers"
  | "website"
  | "exam"
  | "opensBefore"
  | "minutes";

const OPENS_MINUTES_MAX = 7 * 24 * 60;
const STANDARD_MINUTES = { least: 15, most: 70 };
const DEFAULT_MINUTES = "30";
const MINUTE_MS = 60_000;
/** What an event of whole days gets when it is given times. */
const MORNING = { start: "09:00", end: "10:00" };

const NO_EXAM: ExamDraft = { kind: "none", templateId: "", sittingId: "", grade: 1, mode: "standard", minutes: DEFAULT_MINUTES, opensBefore: "" };

export function newEventDraft(day: string, timezone: string, status: EventStatus): EventDraft {
  return {
    title: "",
    isAllDay: false,
    startDay: day,
    startTime: MORNING.start,
    endDay: day,
    endTime: MORNING.end,
    timezone,
    status,
    description: "",
    categories: [],
    tags: [],
    venue: null,
    organizers: [],
    cost: "",
    website: "",
    exam: { ...NO_EXAM },
  };
}

export function eventDraftOf(event: CalendarEvent): EventDraft {
  const venue = venueOf(event);
  const clock = (date: string) => date.slice(11, 16);
  return {
    title: plainOf(event.title),
    isAllDay: event.all_day,
    startDay: event.start_date.slice(0, 10),
    startTime: event.all_day ? MORNING.start : clock(event.start_date),
    endDay: event.end_date.slice(0, 10),
    endTime: event.all_day ? MORNING.end : clock(event.end_date),
    timezone: event.timezone,
    status: event.status,
    description: sourceOf(event.description),
    categories: event.categories.map(termLink),
    tags: event.tags.map(termLink),
    venue: venue === undefined ? null : venueLink(venue),
    organizers: event.organizer.map(organizerLink),
    cost: plainOf(event.cost),
    website: isOwnWebsite(event) ? event.website : "",
    exam: examDraft(event.exam),
  };
}

export const termLink = ({ id, name }: TermView): LinkDraft => ({ id, name: plainOf(name), fields: {} });
export const venueLink = ({ id, venue }: VenueView): LinkDraft => ({ id, name: plainOf(venue), fields: {} });
export const organizerLink = ({ id, organizer }: OrganizerView): LinkDraft => ({ id, name: plainOf(organizer), fields: {} });

/** Without a website of its own, an event shows the link of its exam, or the one of its page. */
function isOwnWebsite({ id, website, url, exam }: CalendarEvent): boolean {
  return website !== "" && website !== url && !(exam !== undefined && website.endsWith(examPath(exam, id)));
}

/** Where the exam of an event is sat. */
export function examPath(exam: EventExam, event: number): string {
  if ("sittingId" in exam) return `/s/${exam.sittingId}`;
  if ("templateId" in exam) return `/t/${exam.templateId}?event=${event}`;
  if (exam.mode === "adaptive") return `/test/${exam.grade}?mode=adaptive&event=${event}`;
  return `/test/${exam.grade}?minutes=${exam.durationMinutes}&event=${event}`;
}

function examDraft(exam: EventExam | undefined): ExamDraft {
  if (exam === undefined) return { ...NO_EXAM };
  if ("sittingId" in exam) return { ...NO_EXAM, kind: "sitting", sittingId: exam.sittingId };
  const opensBefore = exam.opensMinutesBefore === undefined ? "" : String(exam.opensMinutesBefore);
  if ("templateId" in exam) return { ...NO_EXAM, kind: "template", templateId: exam.templateId, opensBefore };
  return { ...NO_EXAM, kind: "grade", grade: exam.grade, mode: exam.mode, minutes: String(exam.durationMinutes), opensBefore };
}

/** The exam as the calendar takes it; an empty text removes one. */
export function announcedExam({ kind, templateId, sittingId, grade, mode, minutes, opensBefore }: ExamDraft): EventExam | "" {
  const opens = opensBefore.trim() === "" ? {} : { opensMinutesBefore: Number(opensBefore) };
  if (kind === "template") return { templateId, ...opens };
  if (kind === "sitting") return { sittingId };
  return kind === "grade" ? { grade, mode, durationMinutes: Number(minutes), ...opens } : "";
}

/** When the event begins and ends, as the calendar takes it. */
function timesOf(draft: EventDraft): Record<"start_date" | "end_date", string> {
  const { isAllDay, startDay, startTime, endDay, endTime } = draft;
  return isAllDay ? { start_date: startDay, end_date: endDay } : { start_date: `${startDay} ${startTime}`, end_date: `${endDay} ${endTime}` };
}

/** Moves the end with the start, so that the event lasts as long as before. */
export function withStart(draft: EventDraft, startDay: string, startTime: string): Partial<EventDraft> {
  const [before, after, end] = [clockMs(draft.startDay, draft.startTime), clockMs(startDay, startTime), clockMs(draft.endDay, draft.endTime)];
  if ([before, after, end].some(Number.isNaN) || end < before) return { startDay, startTime };
  return { startDay, startTime, ...endAt(end + after - before) };
}

/** Gives the event as many minutes from its start. */
export function withMinutes({ startDay, startTime }: EventDraft, minutes: number): Partial<EventDraft> {
  const start = clockMs(startDay, startTime);
  return Number.isNaN(start) ? {} : endAt(start + minutes * MINUTE_MS);
}

/** How many minutes the event lasts; NaN for whole days, and while a time is missing. */
export function eventMinutes({ isAllDay, startDay, startTime, endDay, endTime }: EventDraft): number {
  return isAllDay ? NaN : (clockMs(endDay, endTime) - clockMs(startDay, startTime)) / MINUTE_MS;
}

/** On a clock that is never put forward or back, for differences alone. */
const clockMs = (day: string, time: string) => (isDay(day) && isTime(time) ? Date.parse(`${day}T${time}Z`) : NaN);

function endAt(ms: number): Pick<EventDraft, "endDay" | "endTime"> {
  const [endDay = "", endTime = ""] = new Date(ms).toISOString().slice(0, 16).split("T");
  return { endDay, endTime };
}

const isTime = (text: string) => /^\d\d:\d\d(:\d\d)?$/.test(text);

/** The fields that can't be sent as they are. */
export function eventFaults(draft: EventDraft): DraftField[] {
  const { title, isAllDay, startDay, startTime, endDay, endTime, timezone, website, exam } = draft;
  const { start_date: start, end_date: end } = timesOf(draft);
  const isStart = isDay(startDay) && (isAllDay || isTime(startTime));
  const isEnd = isDay(endDay) && (isAllDay || isTime(endTime));
  const links: [DraftField, LinkDraft[]][] = [
    ["venue", draft.venue === null ? [] : [draft.venue]],
    ["organizers", draft.organizers],
  ];
  const wrong: [DraftField, boolean][] = [
    ["title", title.trim() === ""],
    ["start", !isStart],
    ["end", !isEnd || (isStart && end < start)],
    ["timezone", timezone.trim() === ""],
    ...links.map(([field, all]): [DraftField, boolean] => [field, all.some(({ name }) => name.trim() === "")]),
    ["website", website.trim() !== "" && !/^(https?|ftps?):\/\/[^\s/]+\S*$/.test(website.trim())],
    ["exam", (exam.kind === "template" && exam.templateId === "") || (exam.kind === "sitting" && exam.sittingId === "")],
    ["minutes", exam.kind === "grade" && exam.mode === "standard" && !isWhole(exam.minutes, STANDARD_MINUTES.least, STANDARD_MINUTES.most)],
    ["opensBefore", ["template", "grade"].includes(exam.kind) && exam.opensBefore.trim() !== "" && !isWhole(exam.opensBefore, 0, OPENS_MINUTES_MAX)],
  ];
  return wrong.filter(([, isWrong]) => isWrong).map(([field]) => field);
}

const isWhole = (text: string, least: number, most: number) => /^\d+$/.test(text.trim()) && Number(text) >= least && Number(text) <= most;

/** What must be sent so that the event becomes as it is in the form; without `before`, a new one. */
export function bodyOf(draft: EventDraft, before?: EventDraft, id = 0): Record<string, unknown> {
  const parts: [(draft: EventDraft) => unknown, () => Record<string, unknown>][] = [
    [({ title }) => title.trim(), () => ({ title: escaped(draft.title.trim()) })],
    [(one) => [timesOf(one), one.isAllDay, one.timezone], () => ({ ...timesOf(draft), all_day: draft.isAllDay, timezone: draft.timezone.trim() })],
    [({ status }) => status, () => ({ status: draft.status })],
    // An empty description is none that was sent, while a blank one becomes empty.
    [({ description }) => description, () => ({ description: draft.description === "" ? " " : draft.description })],
    [({ categories }) => categories, () => ({ categories: draft.categories.map(termWish) })],
    [({ tags }) => tags, () => ({ tags: draft.tags.map(termWish) })],
    [({ venue }) => venue, () => ({ venue: draft.venue === null ? "" : linkBody(draft.venue, "venue") })],
    [({ organizers }) => organizers, () => ({ organizer: draft.organizers.map((one) => linkBody(one, "organizer")) })],
    [({ cost }) => cost.trim(), () => ({ cost: draft.cost.trim() })],
    [({ website }) => website.trim(), () => ({ website: websiteOf(draft, id) })],
    [({ exam }) => announcedExam(exam), () => ({ exam: announcedExam(draft.exam) })],
  ];
  const empty = newEventDraft("", "", "draft");
  const changed = parts.filter(([of], index) => JSON.stringify(of(draft)) !== JSON.stringify(of(before ?? empty)) || (before === undefined && index <= 2));
  return Object.assign({}, ...changed.map(([, body]) => body())) as Record<string, unknown>;
}

const termWish = ({ id, name }: LinkDraft) => id ?? escaped(name.trim());

function linkBody({ id, name, fields }: LinkDraft, nameField: string): unknown {
  if (id !== undefined) return id;
  const filled = Object.entries(fields).filter(([, value]) => value.trim() !== "");
  return { [nameField]: escaped(name.trim()), ...Object.fromEntries(filled.map(([field, value]) => [field, value.trim()])) };
}

/** A website that is taken away leaves the link of the exam. */
function websiteOf({ website, exam }: EventDraft, id: number): string {
  const sent = announcedExam(exam);
  return website.trim() === "" && sent !== "" && id !== 0 ? `${location.origin}${examPath(sent, id)}` : website.trim();
}
