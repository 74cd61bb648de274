// The record of a student and the source of their time, as the drawer reads them.

import { get } from "../api";
import type { Desk } from "./desk.svelte";
import type { RecordEvent } from "./frames";
import type { Row } from "./row";
import { clockTime, deskTexts } from "./texts/texts.svelte";

interface Sourced {
  value: string | number;
  source: string;
}

export interface Explanation {
  start: Sourced;
  begin: Sourced | null;
  minutes: Sourced;
  factor: Sourced;
  extra: Sourced;
  end: Sourced | null;
  extendedMinutes: number;
  pausedMilliseconds: number;
  enteredAt: string | null;
  deadline: Sourced | null;
}

/** The newest first; undefined if it can't be read now. */
export async function readRecord(desk: Desk, row: Row): Promise<RecordEvent[] | undefined> {
  const { candidateId, sessionId } = row;
  const outcome =
    desk.isSitting && candidateId !== undefined
      ? await desk.give({ type: "history", candidateId })
      : sessionId === null
        ? undefined
        : await desk.give({ type: "history", sessionId });
  return outcome?.kind === "history" ? [...outcome.events].reverse() : undefined;
}

/** Only those who manage the sitting may ask. */
export async function readExplanation(desk: Desk, row: Row): Promise<Explanation | undefined> {
  if (desk.sitting?.isManaged !== true || row.candidateId === undefined) return undefined;
  const answer = await get("/api/admin/sittings/{id}/candidates/{candidateId}/explain", { id: desk.sitting.id, candidateId: row.candidateId });
  return answer.kind === "done" ? answer.value.explain : undefined;
}

export interface RecordLine {
  title: string;
  value: string;
  source?: string;
}

/** An explanation as lines of a table; what is not there is left out. */
export function recordLines(explained: Explanation): RecordLine[] {
  const texts = deskTexts();
  const sources: Record<string, string> = { sitting: texts.sourceSitting, room: texts.sourceRoom, accommodation: texts.sourceAccommodation, candidate: texts.sourceCandidate, template: texts.sourceTemplate };
  const source = (one: Sourced) => sources[one.source] ?? one.source;
  const lines: RecordLine[] = [
    { title: texts.explainStart, value: clockTime(String(explained.start.value)), source: source(explained.start) },
    { title: texts.explainMinutes, value: String(explained.minutes.value), source: source(explained.minutes) },
    { title: texts.explainFactor, value: texts.extraTime(Number(explained.factor.value)), source: source(explained.factor) },
  ];
  if (Number(explained.extra.value) > 0) lines.push({ title: texts.explainExtra, value: `+${explained.extra.value}`, source: source(explained.extra) });
  const { extendedMinutes } = explained;
  if (extendedMinutes !== 0) lines.push({ title: texts.explainExtended, value: `${extendedMinutes > 0 ? "+" : "−"}${Math.abs(extendedMinutes)}` });
  if (explained.pausedMilliseconds > 0) lines.push({ title: texts.explainPaused, value: texts.minutes(Math.round(explained.pausedMilliseconds / 60_000)) });
  if (explained.end !== null) lines.push({ title: texts.explainEnd, value: clockTime(String(explained.end.value)), source: source(explained.end) });
  if (explained.deadline !== null) lines.push({ title: texts.explainDeadline, value: clockTime(String(explained.deadline.value)), source: source(explained.deadline) });
  return lines;
}
