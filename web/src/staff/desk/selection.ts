// Whom an order is for: one, those who are selected, or everyone in the room; and which of them it can reach at all.

import { EVERYONE, type Order } from "./frames";
import { isAtWork, isHere, isStopped, type Row } from "./row";

export type TimeOrder = "extend" | "pause" | "unpause" | "finish" | "notice";
export type Mark = "present" | "absent" | "admit";

/** Those of these rows whom the order would change. */
export function reached(rows: Iterable<Row>, type: TimeOrder | Mark): Row[] {
  return [...rows].filter((row) => reaches(row, type));
}

function reaches(row: Row, type: TimeOrder | Mark): boolean {
  switch (type) {
    case "pause":
      return isHere(row) && row.state !== "paused";
    case "unpause":
      return row.state === "paused" || (isHere(row) && isStopped(row));
    case "present":
      // Whoever has entered says so themselves, unless somebody has marked them absent.
      return row.candidateId !== undefined && (row.sessionId === null ? row.attendance !== "present" : row.attendance === "absent");
    case "absent":
      return row.candidateId !== undefined && row.attendance !== "absent" && row.sessionId === null;
    case "admit":
      return row.candidateId !== undefined && row.sessionId === null && row.admittedBy === undefined;
    case "finish":
      return isAtWork(row) || row.state === "waiting" || row.state === "ready";
    default:
      return isHere(row);
  }
}

/** Whom "everyone" means at a desk. Those who sit an exam in a grade or a template have a desk of their own. */
export function everyone(rows: Iterable<Row>, isSitting: boolean): Row[] {
  return [...rows].filter(({ sittingId }) => isSitting || sittingId === undefined);
}

/** One order for each of these, or a single one where they are everyone in the room whom it could reach. */
export function ordersFor<T extends TimeOrder>(type: T, rows: Row[], isEveryone: boolean, more: { minutes?: number; text?: string } = {}): Order[] {
  const ids = isEveryone ? [EVERYONE] : rows.flatMap(({ sessionId }) => (sessionId === null ? [] : [sessionId]));
  return ids.map((sessionId) => ({ type, sessionId, ...more }) as Order);
}

export function marksFor(type: Mark, rows: Row[]): Order[] {
  return rows.flatMap(({ candidateId }) => (candidateId === undefined ? [] : [{ type, candidateId }]));
}

/**
 * Whether these are all whom the order could reach, so that one order for the room does it. `*` in the room of a grade or a template
 * leaves out those who sit an exam there. Whoever is paused already is here and not reached by a pause, so that `*` is not used
 * then, and taking it back lets nobody else go on.
 */
export function isWholeRoom(whom: Row[], rows: Iterable<Row>, isSitting: boolean): boolean {
  if (whom.length < 2 || everyone(whom, isSitting).length < whom.length) return false;
  return reached(everyone(rows, isSitting), "extend").length === whom.length;
}

/** Where a key was pressed: keys of rows. */
export interface RowPlace {
  /** Of the drawer, if the focus is in it. */
  inDrawer: string | undefined;
  /** Of the row that has the focus in a list. */
  focused: string | undefined;
  selected: ReadonlySet<string>;
  /** Of the drawer, wherever the focus is. */
  opened: string | undefined;
}

/** Whom a key is for: whom somebody looks at, or all who are selected if that one is among them. */
export function meantBy({ inDrawer, focused, selected, opened }: RowPlace): string[] {
  if (inDrawer !== undefined) return [inDrawer];
  if (focused !== undefined && !selected.has(focused)) return [focused];
  if (selected.size > 0) return [...selected];
  return opened === undefined ? [] : [opened];
}
