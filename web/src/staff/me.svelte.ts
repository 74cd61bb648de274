// Who is signed in, and what they may do. The server decides; the pages only do not offer what it would refuse.

import { get } from "./api";

export interface Me {
  email: string;
  name: string;
  role: "student" | "reviewer" | "manager" | "admin";
  /** Those that they may review, watch or sign off: all for admins, none for students. */
  grades: number[];
}

/** `unreachable` until the server has answered once; a later silence changes nothing. */
export type Acquaintance = "asking" | "unreachable" | "guest" | "known";

let known = $state.raw<Me>();
let hasKnown = false;
let acquaintance = $state<Acquaintance>("asking");

export function me(): Me | undefined {
  return known;
}

/** Whether somebody was signed in here since the page was loaded. */
export function wasKnown(): boolean {
  return hasKnown;
}

export function acquainted(): Acquaintance {
  return acquaintance;
}

/** Asks the server who is signed in. */
export async function meet(): Promise<void> {
  const answer = await get<Me | undefined>("/api/me", { guests: true });
  if (answer.kind === "done") {
    acquaintance = answer.value === undefined ? "guest" : "known";
    hasKnown ||= answer.value !== undefined;
    if (answer.value === undefined || JSON.stringify(answer.value) !== JSON.stringify(known)) known = answer.value;
  } else if (acquaintance !== "known") {
    acquaintance = "unreachable";
  }
}

export function isAdmin(): boolean {
  return known?.role === "admin";
}

/** Whether they plan sittings, and see the results of people. */
export function isManager(): boolean {
  return known?.role === "admin" || known?.role === "manager";
}

/** Whether they manage this grade: its sittings, its templates and its results. */
export function manages(grade: number): boolean {
  return isAdmin() || (known?.role === "manager" && known.grades.includes(grade));
}

export function isStaff(): boolean {
  return known !== undefined && known.role !== "student";
}
