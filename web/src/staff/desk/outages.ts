// Time in which no server could save is not the students': it is offered as one order to whoever was at work then.

import type { Outage, TimeStanding } from "./frames";
import { isAtWork, type Row } from "./row";

const MINUTE_MS = 60_000;
/** What the server gives back by itself, at most. */
const GIVEN_MS_MAX = 10 * MINUTE_MS;

export interface Offer {
  /** When it began: by this it is told from others. */
  from: string;
  milliseconds: number;
  /** Whole ones, so that nobody gets too little. */
  minutes: number;
  /** Of those who were at work then and are still. */
  keys: string[];
}

/** `standing` is that of the hall: whoever was stopped before the outage began has lost nothing. */
export function offersOf(outages: readonly Outage[], rows: ReadonlyMap<string, Row>, standing: TimeStanding | undefined, isAnswered: (from: string) => boolean): Offer[] {
  return outages.flatMap(({ from, to, milliseconds }) => {
    if (isAnswered(from) || milliseconds <= 0) return [];
    const [begunAt, endedAt] = [Date.parse(from), Date.parse(to)];
    const wasStopped = standing?.since != null && Date.parse(standing.since) <= begunAt;
    // Whose time was up in it has got it back from the server.
    const hasIt = (row: Row) => {
      const before = Date.parse(row.deadline) - Math.min(milliseconds, GIVEN_MS_MAX);
      return begunAt <= before && before <= endedAt;
    };
    const isOffered = (row: Row) => isAtWork(row) && Date.parse(row.startedAt) < endedAt && !(wasStopped && row.standing === "paused") && !hasIt(row);
    const keys = [...rows].filter(([, row]) => isOffered(row)).map(([key]) => key);
    return keys.length === 0 ? [] : [{ from, milliseconds, minutes: Math.ceil(milliseconds / MINUTE_MS), keys }];
  });
}
