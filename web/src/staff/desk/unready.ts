// Why a candidate is not ready to begin, as far as their page and their connection say so.

import { isWaiting, type Row } from "./row";

export const UNREADY = ["notEntered", "socket", "storage", "paper", "clock"] as const;
export type Unready = (typeof UNREADY)[number];

/** Empty for those who are ready, and for those whom nobody expects any more. */
export function unreadyReasons(row: Row): Unready[] {
  if (row.state === "expected") return row.attendance === "absent" ? [] : ["notEntered"];
  if (!isWaiting(row)) return [];
  const reasons: Unready[] = [];
  if (!row.connected) reasons.push("socket");
  if (row.trouble?.includes("storage") === true) reasons.push("storage");
  // Without a connection the paper can't come, and its absence says nothing more.
  if (row.ready !== true && row.connected) reasons.push("paper");
  if (row.trouble?.includes("clock") === true) reasons.push("clock");
  return reasons;
}

/** A clock that is off does no harm: the exam goes by the server's. It is said, but it is nothing to wait for. */
export function isHolding(reasons: Unready[]): boolean {
  return reasons.some((reason) => reason !== "clock");
}
