// What a sitting still lacks before its day. Nothing of it stops anybody; it is what people forget.

import type { CandidatesElsewhere } from "../../api/schema";
import { parsed } from "../moments";
import { areInOneLine, byChance, onOneSeat } from "./forms/seat_forms";
import type { Candidate, Sitting } from "./shapes";

export type SittingLack = { kind: "people" | "template" | "rows" } | { kind: "unseated" | "forms" | "seats" | "codes" | "satBefore" | "practice" | "known"; count: number } | { kind: "proctors"; rooms: string[] } | ({ kind: "elsewhere" } & CandidatesElsewhere);

export function lacks(sitting: Sitting, candidates: Candidate[]): SittingLack[] {
  const found: SittingLack[] = [];
  if (sitting.template === "") found.push({ kind: "template" });
  if (candidates.length === 0) found.push({ kind: "people" });
  const unseated = sitting.rooms.length === 0 ? 0 : candidates.filter(({ room }) => room === null).length;
  if (unseated > 0) found.push({ kind: "unseated", count: unseated });
  // Neighbours get different forms by their seats alone.
  const chance = byChance(candidates);
  if (chance > 0) found.push({ kind: "forms", count: chance });
  if (areInOneLine(candidates)) found.push({ kind: "rows" });
  const shared = onOneSeat(candidates);
  if (shared > 0) found.push({ kind: "seats", count: shared });
  const rooms = sitting.rooms.filter(({ proctors, candidates: count }) => proctors.length === 0 && count > 0).map(({ name }) => name);
  if (rooms.length > 0) found.push({ kind: "proctors", rooms });
  // Whoever has neither an account nor a code stands before a closed door.
  const codes = candidates.filter(({ email, hasAccessCode }) => email === undefined && !hasAccessCode).length;
  if (codes > 0) found.push({ kind: "codes", count: codes });
  // They have seen the paper, and perhaps its keys.
  const satBefore = sitting.satByLink ?? 0;
  if (satBefore > 0) found.push({ kind: "satBefore", count: satBefore });
  // Only the server knows the marks of questions.
  const practice = sitting.practiceQuestions ?? 0;
  if (practice > 0) found.push({ kind: "practice", count: practice });
  if (sitting.elsewhere !== undefined) found.push({ kind: "elsewhere", ...sitting.elsewhere });
  const known = sitting.knownFrom ?? 0;
  if (known > 0) found.push({ kind: "known", count: known });
  return found;
}

/** What may be done with a sitting now. The server decides again; the pages only do not offer what it would refuse. */
export interface Allowed {
  postpone: boolean;
  begin: boolean;
  /** Without a trace, or with a record of those who had entered. */
  remove: "delete" | "callOff" | undefined;
  template: boolean;
  roster: boolean;
  removeCandidates: boolean;
  makeUp: boolean;
}

export function allowed(sitting: Sitting): Allowed {
  const { state, openedAt } = sitting;
  const isToCome = state === "draft" || state === "open";
  return {
    postpone: isToCome,
    // Before the doors hardly anybody could be there.
    begin: state === "open" && sitting.counts.total > 0,
    remove: !isToCome ? undefined : openedAt === null ? "delete" : "callOff",
    template: state === "draft" && openedAt === null,
    roster: state !== "ended",
    removeCandidates: isToCome,
    makeUp: state === "ended" || sitting.counts.absent > 0,
  };
}

/** Whether the results of a sitting can be released now: it has begun, nobody is at work, and they are not seen anyway. */
export function canRelease({ state, counts, releasedAt, results }: Sitting): boolean {
  const hasBegun = state === "running" || state === "ended";
  return hasBegun && releasedAt === null && results !== "now" && counts.waiting + counts.ready + counts.active + counts.paused === 0;
}

/** Whether the plan, or its change, takes a template out of practice that `before` did not name. */
export function isWithheldBy(templateId: string, before: Sitting | undefined, templates: ReadonlyMap<string, unknown>): boolean {
  return templates.has(templateId) && templateId !== before?.templateId;
}

/** Whether the results are to be released at a time, which others can hold up who are still to sit the same paper. */
export function waitsForItsTime({ releasedAt, results }: Sitting): boolean {
  return releasedAt === null && parsed(results) !== undefined;
}

/** The last moment at which anybody writes, of those with more time too; undefined while it depends on who enters when. */
export function lastEnd(sitting: Sitting, candidates: Candidate[]): { ms: number; count: number } | undefined {
  if (sitting.start === "own") return undefined;
  const start = Date.parse(sitting.begunAt ?? sitting.startsAt);
  const usual = endOf(sitting, { factor: 100, extraMinutes: 0, startsAt: null, endsAt: null, grantedMs: sitting.grantedMs }, start);
  const later = candidates.map((candidate) => endOf(sitting, candidate, start)).filter((ms) => ms > usual);
  return later.length === 0 ? undefined : { ms: Math.max(...later), count: later.length };
}

/**
 * As docs/teachers.md says: a shared end leaves room for the time beyond the usual and for what orders have given, and an
 * own one is as it was set.
 */
function endOf(
  { minutes, endsAt }: Sitting,
  { factor, extraMinutes, grantedMs, ...own }: Pick<Candidate, "factor" | "extraMinutes" | "startsAt" | "endsAt" | "grantedMs">,
  start: number,
): number {
  const moreMs = ((minutes * (factor - 100)) / 100 + extraMinutes) * 60_000 + grantedMs;
  const full = (own.startsAt === null ? start : Date.parse(own.startsAt)) + minutes * 60_000 + moreMs;
  if (own.endsAt !== null) return Math.min(full, Date.parse(own.endsAt));
  return endsAt === null ? full : Math.min(full, Date.parse(endsAt) + moreMs);
}
