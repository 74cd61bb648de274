// When the time of those is up whose clock runs. Thousands of rows are looked at twice a second: moments of one form are in the order of
// their texts, and only what is shown is read as a date.

import type { Row } from "./row";

export interface Ends {
  first: number;
  /** Of the most of them, to the minute; the earlier one of two that are as frequent. */
  usual: number;
  last: number;
  /** Whether some have longer than is usual, by what a clock without seconds shows. */
  isLonger: boolean;
}

const MINUTE_LETTERS = "2026-01-05T09:00".length;

export function endsOf(rows: Iterable<Row>): Ends | undefined {
  let first: string | undefined;
  let last: string | undefined;
  const byMinute = new Map<string, number>();
  for (const row of rows) {
    // Nobody knows how long a pause will last, and with it when the time of those in it is up.
    if (row.state !== "active") continue;
    const { deadline } = row;
    if (first === undefined || deadline < first) first = deadline;
    if (last === undefined || deadline > last) last = deadline;
    const minute = deadline.slice(0, MINUTE_LETTERS);
    byMinute.set(minute, (byMinute.get(minute) ?? 0) + 1);
  }
  if (first === undefined || last === undefined) return undefined;
  let usual = first.slice(0, MINUTE_LETTERS);
  for (const [minute, count] of byMinute) {
    const most = byMinute.get(usual) ?? 0;
    if (count > most || (count === most && minute < usual)) usual = minute;
  }
  return { first: Date.parse(first), usual: Date.parse(`${usual}:00Z`), last: Date.parse(last), isLonger: last.slice(0, MINUTE_LETTERS) > usual };
}
