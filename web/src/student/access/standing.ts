// What stands between a student and the start of a template that says who may sit it, and when.

import type { TemplateAccess } from "../../exam/question";
import type { StartBar } from "../../exam/start";
import type { Me } from "../api";

/** `free`: nothing does. Of several the first that the server would name. */
export type AccessStanding = "free" | "signIn" | "notYours" | "early" | "closed" | "noneLeft" | "underWay";

export interface AccessAsked {
  access: TemplateAccess;
  isSignedIn: boolean;
  /** Their own attempt goes on elsewhere. */
  isUnderWay: boolean;
  /** They are staff of the template, for whom nothing of it holds. */
  isStaff: boolean;
  /** Why the last start was refused, since when nothing has been tried. */
  bar: StartBar | undefined;
  /** By the server's clock. */
  now: number;
}

export function accessStanding({ access, isSignedIn, isUnderWay, isStaff, bar, now }: AccessAsked): AccessStanding {
  if (isStaff) return "free";
  const isCounted = access.who !== "anyone";
  const { opens, closes } = accessWindow(access);
  if (isCounted && !isSignedIn) return "signIn";
  // A start would go on with that attempt, for which there is a button of its own.
  if (isCounted && isUnderWay) return "underWay";
  if (isCounted && access.goesOn === true) return "free";
  if (bar === "Not for this account" || access.forAccount === false) return "notYours";
  if (bar === "Not open yet" || (opens !== undefined && now < opens)) return "early";
  if (bar === "Closed" || (closes !== undefined && now >= closes)) return "closed";
  if (bar === "No attempts left" || (isCounted && access.attemptsLeft === 0)) return "noneLeft";
  return "free";
}

/** The moments between which it can be begun. */
export function accessWindow({ opensAt, closesAt }: TemplateAccess): { opens: number | undefined; closes: number | undefined } {
  const read = (text: string | null | undefined) => (text == null || Number.isNaN(Date.parse(text)) ? undefined : Date.parse(text));
  return { opens: read(opensAt), closes: read(closesAt) };
}

/**
 * Whether what the reader gets shows that they are staff of the template: its questions are withheld from all others. No student is
 * taken for one because of a clock that is wrong.
 */
export function isReadByStaff(access: TemplateAccess, role: Me["role"] | undefined, isWithheld: boolean, now: number): boolean {
  if (role === undefined || role === "student") return false;
  const { opens, closes } = accessWindow(access);
  const isShut = (opens !== undefined && now < opens) || (closes !== undefined && now >= closes);
  return !isWithheld && (access.who !== "anyone" || access.codeRequired === true || isShut);
}

/** The whole minutes of a test that is begun now, if the window gives it fewer than its own. */
export function minutesLeft(access: TemplateAccess, minutes: number, now: number): number | undefined {
  const { closes } = accessWindow(access);
  const left = closes === undefined ? Infinity : Math.floor((closes - now) / 60_000);
  return left < minutes && left >= 0 ? left : undefined;
}
