// What a page that is being left has not got into the database yet: a database breaks off what a page leaves under way, this is written at once.

import type { Write } from "../exam/ports";

const PREFIX = "examhall-left-";

export interface Left {
  /** That has left it: what another one has done since is newer. */
  tab: string;
  /** In their order. */
  unwritten: Write[];
}

export function leftOf(test: string): Left | undefined {
  try {
    const left = JSON.parse(localStorage.getItem(PREFIX + test) ?? "null") as Partial<Left> | null;
    return typeof left?.tab === "string" && Array.isArray(left.unwritten) ? (left as Left) : undefined;
  } catch {
    return undefined;
  }
}

export function keepLeft(test: string, left: Left): void {
  try {
    localStorage.setItem(PREFIX + test, JSON.stringify(left));
  } catch {
    // Too much, or not allowed: most of it will still get into the database.
  }
}

export function forgetLeft(test: string): void {
  try {
    localStorage.removeItem(PREFIX + test);
  } catch {
    // There is nothing to forget.
  }
}
