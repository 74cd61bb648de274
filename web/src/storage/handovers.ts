// What a page that is left has not got into the database, which breaks off what is under way: this is written at once.

import { withoutDrawings, type Handover } from "../exam/handover";

const PREFIX = "examhall-left-";

/** Each tab has an entry of its own: one that does not know yet that it has lost an attempt spoils nothing. */
const nameOf = (test: string, tab: string) => `${PREFIX}${tab}:${test}`;

/** What this tab has left of an attempt. */
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
  // There may be no room for two, for drawings, or for anything: then what gets into the database is all.
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

/** What tabs have left: of which attempts. */
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
    // There is nothing to forget.
  }
}
