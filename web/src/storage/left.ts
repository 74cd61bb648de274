// What a page that is left has not got into the database, which breaks off what is under way: this is written at once.

import type { Write } from "../exam/ports";

const PREFIX = "examhall-left-";

/** Each tab has an entry of its own: one that does not know yet that it has lost an attempt spoils nothing. */
const nameOf = (test: string, tab: string) => `${PREFIX}${tab}:${test}`;

/** What this tab has left of an attempt. */
export function leftOf(test: string, tab: string): Write | undefined {
  try {
    const left = JSON.parse(localStorage.getItem(nameOf(test, tab)) ?? "null") as Partial<Write> | null;
    return typeof left?.record?.startKey === "string" && Array.isArray(left.put) ? (left as Write) : undefined;
  } catch {
    return undefined;
  }
}

export function keepLeft(test: string, tab: string, left: Write): void {
  const { drawings: _, isWhole: __, put = [], ...rest } = left;
  const answers = { ...rest, put: put.filter(({ type }) => type !== "drawing") };
  // There may be no room for drawings, or for anything: then what gets into the database is all.
  if (!isKept(nameOf(test, tab), left)) isKept(nameOf(test, tab), answers);
}

function isKept(name: string, left: Write): boolean {
  try {
    localStorage.setItem(name, JSON.stringify(left));
    return true;
  } catch {
    return false;
  }
}

/** The tabs that have left something of an attempt. */
export function tabsOf(test: string): string[] {
  try {
    const names = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? "");
    const tabs = names.filter((name) => name.startsWith(PREFIX) && name.endsWith(`:${test}`)).map((name) => name.slice(PREFIX.length).split(":", 1)[0] ?? "");
    return tabs.filter((tab) => names.includes(nameOf(test, tab)));
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
