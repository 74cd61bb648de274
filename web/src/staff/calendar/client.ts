// The calendar's interface as its pages use it. It is not the API of exams: its address is the school's choice, its errors have an
// envelope of their own ({code, message, data}), and its lists come in pages.

import { failure, whenSignedIn, type Answer, type Method, type Query, type Refused } from "../api";
import { note } from "../serverClock";
import type { Group } from "./shapes";
import { calendarTexts } from "./texts/texts.svelte";

/** `openAlready`: where students can begin the test already that this event only announces. */
export type CalendarAnswer<T> = Answer<T> & { openAlready?: string };
/** `isWhole`: whether no more of them exist. */
export type Listed<T> = Answer<{ items: T[]; isWhole: boolean }>;

const PATIENCE_MS = 20_000;
/** The header `Date` has whole seconds, cut off. */
const DATE_STEP_MS = 1_000;
/** The most that the interface gives at once. */
const PAGE_SIZE = 50;
/** More is no calendar that somebody reads. */
const PAGES_MAX = 12;

let found: string | undefined;

/** The beginning of the interface's addresses, as other programs know it; undefined if the server can't be reached. */
export async function rootAddress(): Promise<string | undefined> {
  if (found !== undefined) return found;
  const response = await fetch("/staff", { headers: { Accept: "text/html" } }).catch(() => undefined);
  found = response?.headers.get("X-TEC-API-ROOT")?.replace(/\/$/, "");
  return found;
}

export function readCalendar<T>(path: string, query: Query = {}): Promise<CalendarAnswer<T>> {
  return whenSignedIn<T, CalendarAnswer<T>>(() => ask(path, query, { cache: "no-store" }), `calendar ${path} ${JSON.stringify(query)}`);
}

export function write<T>(method: Method, path: string, body?: object): Promise<CalendarAnswer<T>> {
  const request = { method, ...(body === undefined ? {} : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }) };
  return whenSignedIn<T, CalendarAnswer<T>>(() => ask(path, {}, request));
}

/** All records of a list, page by page. */
export async function readAll<T>(group: Group, query: Query = {}): Promise<Listed<T>> {
  const items: T[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await readCalendar<{ total_pages: number } & Record<string, unknown>>(`/${group}`, { ...query, per_page: PAGE_SIZE, page });
    if (answer.kind !== "done") return answer;
    items.push(...((answer.value[group] ?? []) as T[]));
    const isWhole = page >= answer.value.total_pages;
    if (isWhole || page === PAGES_MAX) return { kind: "done", value: { items, isWhole } };
  }
}

async function ask<T>(path: string, query: Query, request: RequestInit): Promise<CalendarAnswer<T>> {
  const root = await rootAddress();
  if (root === undefined) return { kind: "unreachable" };
  const [sentAt, patience] = [performance.now(), new AbortController()];
  const timer = setTimeout(() => patience.abort(), PATIENCE_MS);
  try {
    const headers = { Accept: "application/json", ...(request.headers as Record<string, string> | undefined) };
    const response = await fetch(calendarAddress(root, path, query), { ...request, headers, signal: patience.signal });
    noteDate(response, sentAt);
    const body: unknown = await response.json();
    if (!response.ok) return refused(response.status, body);
    const openAlready = response.headers.get("X-Exam-Open-Already");
    return { kind: "done", value: body as T, ...(openAlready === null ? {} : { openAlready }) };
  } catch {
    // What is no JSON was not said by the calendar.
    return { kind: "unreachable" };
  } finally {
    clearTimeout(timer);
  }
}

/** At the origin of this page, whose sign-in is sent along, even where the school's address has another name. */
export function calendarAddress(root: string, path: string, query: Query, origin = location.origin): URL {
  const address = new URL(new URL(root).pathname + path, origin);
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== "") address.searchParams.set(name, String(value));
  return address;
}

/** The calendar file of all events, or of a category, to which calendar programs subscribe. */
export function feedOf(root: string, category: string, scheme: "webcal" | "http"): string {
  const address = new URL(`${root}/events`);
  address.searchParams.set("ical", "1");
  if (category !== "") address.searchParams.set("categories", category);
  return scheme === "webcal" ? address.href.replace(/^https?:/, "webcal:") : address.href;
}

function noteDate(response: Response, sentAt: number): void {
  const date = Date.parse(response.headers.get("Date") ?? "");
  const roundTripMs = performance.now() - sentAt;
  if (!Number.isNaN(date)) note(new Date(date + DATE_STEP_MS / 2).toISOString(), roundTripMs, roundTripMs + DATE_STEP_MS);
}

function refused(status: number, body: unknown): Refused {
  const said = (body as { message?: unknown } | null)?.message;
  return { kind: "refused", status, error: typeof said === "string" ? said : "", body };
}

/** What clients of the calendar go by; empty for an answer that is no refusal of its own. */
export function codeOf(answer: Answer<unknown>): string {
  const code = answer.kind === "refused" ? (answer.body as { code?: unknown } | null)?.code : undefined;
  return typeof code === "string" ? code : "";
}

/** The names of the fields that the calendar does not accept. */
export function wrongFields(answer: Answer<unknown>): string[] {
  if (answer.kind !== "refused") return [];
  const params = (answer.body as { data?: { params?: unknown } } | null)?.data?.params;
  if (Array.isArray(params)) return params.map(String);
  return params !== null && typeof params === "object" ? Object.keys(params) : [];
}

/** What failed, in the reader's language, with what to do. */
export function calendarFailure(answer: Answer<unknown>): string {
  const texts = calendarTexts().failed;
  const code = codeOf(answer);
  return code in texts ? texts[code as keyof typeof texts] : failure(answer);
}
