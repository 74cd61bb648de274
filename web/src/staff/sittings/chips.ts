// What a candidate needs, as short chips: more time, extra minutes, times of their own, a note for proctors.

import { parsed, timeOf } from "../moments";
import { moreTimeText } from "../more_time";
import type { Candidate, Explained, ValueSource } from "./shapes";

/** What a candidate needs, or everybody in a room. */
export type Needs = Pick<Candidate, "factor" | "extraMinutes" | "startsAt" | "endsAt" | "note">;

export interface Chip {
  kind: "factor" | "extra" | "start" | "end" | "note";
  text: string;
  /** Where it comes from, if that is known. */
  source?: ValueSource;
}

export function factorText(percent: number): string {
  return moreTimeText({ kind: "factor", value: percent });
}

export function extraText(minutes: number): string {
  return moreTimeText({ kind: "minutes", value: minutes });
}

/** The chips of a candidate; with their explanation also where each comes from. */
export function chipsOf(candidate: Needs, explained?: Explained): Chip[] {
  const chips: Chip[] = [];
  const from = (source: ValueSource | undefined) => (source === undefined ? {} : { source });
  if (candidate.factor > 100) chips.push({ kind: "factor", text: factorText(candidate.factor), ...from(explained?.factor.source) });
  if (candidate.extraMinutes > 0) chips.push({ kind: "extra", text: extraText(candidate.extraMinutes), ...from(explained?.extra.source) });
  const [start, end] = [parsed(candidate.startsAt), parsed(candidate.endsAt)];
  if (start !== undefined) chips.push({ kind: "start", text: timeOf(start), source: "candidate" });
  if (end !== undefined) chips.push({ kind: "end", text: timeOf(end), source: "candidate" });
  if (candidate.note !== null && candidate.note !== "") chips.push({ kind: "note", text: candidate.note });
  return chips;
}

/** The minutes of a candidate, to half a minute as the server counts them. */
export function candidateMinutes(minutes: number, factor: number, extra: number): number {
  return (minutes * factor) / 100 + extra;
}
