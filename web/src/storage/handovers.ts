// What a page that is left has not got into the database, which breaks off what is under way: this is written at once.

import { withoutDrawings, type Left } from "../exam/handover";

const PREFIX = "examhall-left-";

/** Each tab has an entry of its own: one that does not know yet that it has lost an attempt spoils nothing. */
const nameOf = (test: string, tab: string) => `${PREFIX}${tab}:${test}`;

/** What this tab has left of an attempt. */
export function leftOf(test: string, tab: string): Left | undefined {
  try {
    const left = JSON.parse(localStorage.getItem(nameOf(test, tab)) ?? "null") as Partial<Left> | null;
    const isWhole = typeof left?.record?.startKey === "string" && Array.isArray(left.commands) && Array.isArray(left.kept) && typeof left.drawings === "object";
    return isWhole ? (left as Left) : undefined;
  } catch {
    return undefined;
  }
}

export function keepLeft(test: string, tab: string, left: Left): void {
  // There may be no room for two, for drawings, or for anything: then what gets into the database is all.
  forgetLeft(test, tab);
  if (!isKept(nameOf(test, tab), left)) isKept(nameOf(test, tab), withoutDrawings(left));
}

function isKept(name: string, left: Left): boolean {
  try {
    localStorage.setItem(name, JSON.stringify(left));
    return true;
  } catch {
    return false;
  }
}

/** What tabs have left: of which attempts. */
export function entries(): { tab: string; test: string }[] {
  try {
    const names = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? "");
    const split = (name: string) => ({ tab: name.slice(0, name.indexOf(":")), test: name.slice(name.indexOf(":") + 1) });
    return names.filter((name) => name.startsWith(PREFIX)).map((name) => split(name.slice(PREFIX.length)));
  } catch {
    return [];
  }
}

export function forgetLeft(test: string, tab: string): void {
  try {
    localStorage.removeItem(nameOf(test, tab));
  } catch {
    // There is nothing to forget.
  }
}
