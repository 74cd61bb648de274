// The choices among the students of a desk.

import { folded } from "../search";
import { isAtWork, isHere, isStopped, rowName, type Row } from "./row";

export const SHOWN = ["all", "attention", "unready", "work", "offline", "paused", "submitted", "expected"] as const;
export type Shown = (typeof SHOWN)[number];

export function isShown(shown: Shown, row: Row, needsAttention: boolean): boolean {
  switch (shown) {
    case "all":
      return true;
    case "attention":
      return needsAttention;
    case "unready":
      return row.state === "waiting" || row.state === "expected";
    case "work":
      return isAtWork(row);
    case "offline":
      return isHere(row) && !row.connected;
    case "paused":
      return row.state === "paused" || isStopped(row);
    case "submitted":
      return row.state === "submitted";
    case "expected":
      return row.state === "expected" || row.state === "absent";
  }
}

export const MARKS = ["all", "unmarked", "here", "absent"] as const;
export type MarkShown = (typeof MARKS)[number];

/** The choices of who is there: those who have entered are here, whatever has become of them. */
export function isMarkShown(shown: MarkShown, { sessionId, attendance }: Row): boolean {
  if (shown === "all") return true;
  const mark = sessionId !== null && attendance !== "absent" ? "here" : attendance === undefined ? "unmarked" : attendance === "present" ? "here" : "absent";
  return mark === shown;
}

/** Those in whose name, account or seat is what was typed, whatever its case and its accents. Who sits there comes first. */
export function foundRows(typed: string, rows: readonly Row[]): Row[] {
  if (typed === "") return [...rows];
  const found: [Row[], Row[], Row[]] = [[], [], []];
  for (const row of rows) {
    if (!plain(`${rowName(row)} ${row.account ?? ""} ${row.seat ?? ""}`).includes(typed)) continue;
    found[seatRank(typed, plain(row.seat ?? ""))].push(row);
  }
  return found.flat();
}

/** 0 if that is the seat, 1 if it is the seat's number, 2 for any other. */
function seatRank(typed: string, seat: string): 0 | 1 | 2 {
  if (seat === typed) return 0;
  const number = /\d+$/.exec(seat)?.[0];
  return number !== undefined && /^\d+$/.test(typed) && Number(number) === Number(typed) ? 1 : 2;
}

/** In Vietnamese names accents are typed or not. */
export function plain(text: string): string {
  return folded(text).trim();
}
