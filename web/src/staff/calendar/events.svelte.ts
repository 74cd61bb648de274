// The events of a view, read page by page and again every minute, and the categories by which they are filtered.

import type { Answer } from "../api";
import { readCalendar, readAll } from "./client";
import { windowOf, placed, type Placed } from "./placing";
import type { Day, CalendarView } from "./days";
import type { CalendarEvent, TermView } from "./shapes";

export interface AskedEvents {
  view: CalendarView;
  day: Day;
  search: string;
  category: string;
  status: string;
}

const REFRESH_MS = 60_000;
/** Of a list at once. */
const LIST_SIZE = 50;

export class LoadedEvents {
  events = $state.raw<Placed[]>();
  /** More exist than are shown. */
  hasMore = $state(false);
  /** What is asked for now has not been read yet: what is shown is older. */
  isLoading = $state(false);
  at = $state(0);
  problem = $state.raw<Answer<unknown>>();
  #asked: AskedEvents | undefined;
  #shownAs = "";
  #pages = 1;
  #turn = 0;

  /** Reads what is asked for. What was read before stays until it is there. */
  open(asked: AskedEvents): void {
    const shownAs = `${asked.view} ${JSON.stringify(windowOf(asked.view, asked.day))} ${asked.search} ${asked.category} ${asked.status}`;
    if (shownAs === this.#shownAs) return;
    [this.#asked, this.#shownAs, this.#pages] = [asked, shownAs, 1];
    this.isLoading = true;
    void this.refresh();
  }

  more(): void {
    this.#pages += 1;
    void this.refresh();
  }

  async refresh(): Promise<void> {
    const asked = this.#asked;
    if (asked === undefined) return;
    const turn = (this.#turn += 1);
    const answer = await this.#read(asked);
    // An answer that was overtaken by a later one says nothing new.
    if (turn !== this.#turn) return;
    this.isLoading = false;
    if (answer.kind !== "done") return void (this.problem = answer);
    [this.events, this.hasMore] = [answer.value.items.map(placed), !answer.value.isWhole];
    [this.at, this.problem] = [performance.now(), undefined];
  }

  async #read({ view, day, search, category, status }: AskedEvents): Promise<Answer<{ items: CalendarEvent[]; isWhole: boolean }>> {
    const query = { ...windowOf(view, day), search: search.trim(), categories: category, status };
    if (view !== "list") return readAll<CalendarEvent>("events", query);
    const items: CalendarEvent[] = [];
    for (let page = 1; ; page += 1) {
      const answer = await readCalendar<{ events: CalendarEvent[]; total_pages: number }>("/events", { ...query, per_page: LIST_SIZE, page });
      if (answer.kind !== "done") return answer;
      items.push(...answer.value.events);
      const isWhole = page >= answer.value.total_pages;
      if (isWhole || page >= this.#pages) return { kind: "done", value: { items, isWhole } };
    }
  }

  /** Reads again every minute while the page is looked at. Returns how to stop. */
  follow(): () => void {
    const again = () => document.hidden || void this.refresh();
    const timer = setInterval(again, REFRESH_MS);
    document.addEventListener("visibilitychange", again);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", again);
    };
  }
}

let known = $state.raw<TermView[]>([]);

/** All categories, also those without events. Empty until they are read. */
export function categories(): TermView[] {
  return known;
}

export async function readCategories(): Promise<void> {
  const answer = await readAll<TermView>("categories", { hide_empty: false });
  if (answer.kind === "done") known = answer.value.items;
}
