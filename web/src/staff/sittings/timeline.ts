// The line of time of a sitting: its four moments, how far each of them may move, and where it stands on the line. Pure, so
// that dragging, arrow keys and typing follow the same rules, which are those of the server.

import { HOUR, MINUTE, iso, parsed } from "../moments";
import { wallOf } from "../zone";
import type { Sitting, SittingFields } from "./shapes";

export type MomentName = "doors" | "start" | "entry" | "end";
export const MOMENTS: readonly MomentName[] = ["doors", "start", "entry", "end"];

/** What the pointer and the arrow keys move by. */
export const SNAP_MS = 5 * MINUTE;
export const PAGE_MS = 30 * MINUTE;
/** When the doors open if a sitting does not say. */
export const DOORS_BEFORE_MS = 30 * MINUTE;
/** How far from the others a moment can be dragged; it can be typed further away. */
const REACH_MS = 24 * HOUR;

/** The moments of a sitting; the last entry and the end may be open. */
export interface SittingTimes {
  doors: number;
  start: number;
  entry: number | undefined;
  end: number | undefined;
}

export interface Limits {
  least: number;
  most: number;
}

export function sittingTimes(sitting: Pick<Sitting, "doorsAt" | "startsAt" | "entryUntil" | "endsAt">): SittingTimes {
  return { doors: Date.parse(sitting.doorsAt), start: Date.parse(sitting.startsAt), entry: parsed(sitting.entryUntil), end: parsed(sitting.endsAt) };
}

/** Whether the doors are where they are without a time of their own: they then go with the start. */
export function doorsFollow({ doors, start }: SittingTimes): boolean {
  return doors === start - DOORS_BEFORE_MS;
}

/** Whether the doors open as soon as this is saved: their time is past, and that of before, if there was one, was not. */
export function opensAtOnce(doors: number, before: number | undefined, now: number): boolean {
  return doors <= now && (before === undefined || before > now);
}

/** How far a moment may go while the others stay. Doors that follow the start don't stop it. */
export function limitsOf(name: MomentName, times: SittingTimes): Limits {
  const { doors, start, end } = times;
  switch (name) {
    case "doors":
      return { least: start - REACH_MS, most: Math.min(start, times.entry ?? Infinity) };
    case "start": {
      const most = Math.min(start + REACH_MS, (end ?? Infinity) - MINUTE);
      return doorsFollow(times) ? { least: start - REACH_MS, most: Math.min(most, (times.entry ?? Infinity) + DOORS_BEFORE_MS) } : { least: doors, most };
    }
    case "entry":
      return { least: doors, most: start + REACH_MS };
    case "end":
      return { least: start + MINUTE, most: start + REACH_MS };
  }
}

/** The moments with one of them elsewhere. */
export function withMoment(times: SittingTimes, name: MomentName, ms: number | undefined): SittingTimes {
  if (name === "start" && ms !== undefined) return { ...times, start: ms, doors: doorsFollow(times) ? ms - DOORS_BEFORE_MS : times.doors };
  if (name === "doors") return { ...times, doors: ms ?? times.start - DOORS_BEFORE_MS };
  return name === "start" ? times : { ...times, [name]: ms };
}

/** Where a moment lands that is dragged to `ms`: on five minutes, and within its limits. */
export function dragged(name: MomentName, times: SittingTimes, ms: number): number {
  const { least, most } = limitsOf(name, times);
  const snapped = Math.round(ms / SNAP_MS) * SNAP_MS;
  return Math.min(Math.max(snapped, least), most);
}

/** Where a key takes a moment; undefined if the key does not move it. */
export function keyedMoment(key: string, name: MomentName, times: SittingTimes): number | undefined {
  const from = times[name];
  if (from === undefined) return undefined;
  const { least, most } = limitsOf(name, times);
  const by = (step: number, size: number) => {
    // From a crooked time, the first step leads to a straight one.
    const next = step > 0 ? Math.floor(from / size) * size + size : Math.ceil(from / size) * size - size;
    return Math.min(Math.max(next, least), most);
  };
  switch (key) {
    case "ArrowRight":
    case "ArrowUp":
      return by(1, SNAP_MS);
    case "ArrowLeft":
    case "ArrowDown":
      return by(-1, SNAP_MS);
    case "PageUp":
      return by(1, PAGE_MS);
    case "PageDown":
      return by(-1, PAGE_MS);
    case "Home":
      return least;
    case "End":
      return most;
    default:
      return undefined;
  }
}

export type Contradiction = "doorsAfterStart" | "entryBeforeDoors" | "endBeforeStart";

/** What is wrong with moments that were typed; the server refuses the same. */
export function contradiction({ doors, start, entry, end }: SittingTimes): Contradiction | undefined {
  if (doors > start) return "doorsAfterStart";
  if (entry !== undefined && entry < doors) return "entryBeforeDoors";
  if (end !== undefined && end <= start) return "endBeforeStart";
  return undefined;
}

/** The fields that lead from one set of moments to another. Doors half an hour before the start get no time of their own. */
export function movedFields(before: SittingTimes, after: SittingTimes): SittingFields {
  const fields: SittingFields = {};
  if (after.start !== before.start) fields.startsAt = iso(after.start);
  if (after.doors !== before.doors || (doorsFollow(after) && after.start !== before.start)) fields.doorsAt = doorsFollow(after) ? null : iso(after.doors);
  if (after.entry !== before.entry) fields.entryUntil = after.entry === undefined ? null : iso(after.entry);
  if (after.end !== before.end) fields.endsAt = after.end === undefined ? null : iso(after.end);
  return fields;
}

/** How long it is for those with the usual time, and since when. */
export interface Usual {
  minutes: number;
  begunAt?: number | undefined;
  /** Of minutes and pauses for everyone. */
  grantedMs?: number;
}

/** The moment at which those with the usual time stop. Once it has begun, time counts from then and not from the start that was planned. */
export function usualEnd(times: SittingTimes, { minutes, begunAt, grantedMs = 0 }: Usual): number {
  return Math.min((begunAt ?? times.start) + minutes * MINUTE, times.end ?? Infinity) + grantedMs;
}

/** What the line shows: all moments with room at both sides, from one full half hour to another. */
export function shownLimits(times: SittingTimes, usual: Usual): Limits {
  const all = [times.doors, times.start, usual.begunAt, usualEnd(times, usual), times.entry, times.end].filter((ms) => ms !== undefined);
  const size = PAGE_MS;
  return { least: Math.floor((Math.min(...all) - size / 2) / size) * size, most: Math.ceil((Math.max(...all) + size / 2) / size) * size };
}

/** Where on the line a moment stands, from 0 to 1. */
export function placeOnLine(ms: number, { least, most }: Limits): number {
  return Math.min(Math.max((ms - least) / (most - least), 0), 1);
}

export function atPlace(place: number, { least, most }: Limits): number {
  return least + place * (most - least);
}

const STEPS = [15, 30, 60, 120, 240, 480, 1_440].map((minutes) => minutes * MINUTE);

/** The marks of the line: at most `count` of them, at full quarters or hours of the zone. */
export function marksOf(span: Limits, count: number): number[] {
  const step = STEPS.find((step) => (span.most - span.least) / step <= count) ?? (STEPS.at(-1) as number);
  const offset = span.least - wallOf(span.least);
  const first = Math.ceil((span.least - offset) / step) * step + offset;
  const marks: number[] = [];
  for (let ms = first; ms <= span.most; ms += step) marks.push(ms);
  return marks;
}
