// Stores handovers in `localStorage`, which writes synchronously: a page that is being closed has no time for the database.

import { withoutDrawings, type Handover } from "../exam/handover";

const PREFIX = "examhall-left-";

/** Each tab has an entry of its own, so that a tab which does not know yet that it lost an attempt overwrites nothing. */
const nameOf = (test: string, tab: string) => `${PREFIX}${tab}:${test}`;

/** What this tab has handed over of an attempt. */
export function handoverOf(test: string, tab: string): Handover | undefined {
  try {
    const handover = JSON.parse(localStorage.getItem(nameOf(test, tab)) ?? "null") as Partial<Handover> | null;
    const isWhole = typeof handover?.record?.startKey === "string" && Array.isArray(handover.commands) && Array.isArray(handover.kept) && typeof handover.drawings === "object";
    return isWhole ? (handover as Handover) : undefined;
  } catch {
    return undefined;
  }
}

export function keepHandover(test: string, tab: string, handover: Handover): void {
  // There may be no room for two versions, or for drawings, or at all. Then only what gets into the database survives.
  forgetHandover(test, tab);
  if (!isKept(nameOf(test, tab), handover)) isKept(nameOf(test, tab), withoutDrawings(handover));
}

function isKept(name: string, handover: Handover): boolean {
  try {
    localStorage.setItem(name, JSON.stringify(handover));
    return true;
  } catch {
    return false;
  }
}

/** The handovers of all tabs: which tab, and which attempt. */
export function listHandovers(): { tab: string; test: string }[] {
  try {
    const names = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? "");
    const split = (name: string) => ({ tab: name.slice(0, name.indexOf(":")), test: name.slice(name.indexOf(":") + 1) });
    return names.filter((name) => name.startsWith(PREFIX)).map((name) => split(name.slice(PREFIX.length)));
  } catch {
    return [];
  }
}

export function forgetHandover(test: string, tab: string): void {
  try {
    localStorage.removeItem(nameOf(test, tab));
  } catch {
    // A browser without storage has nothing to delete.
  }
}
