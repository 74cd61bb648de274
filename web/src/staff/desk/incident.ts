// What is written down of an exam day, as the desk shows it.

import type { SittingIncident } from "../../api/schema";
import { deskTexts } from "./texts/texts.svelte";

/** One that was written down here has no id until it is read. */
export type Incident = Omit<SittingIncident, "id">;

/** What others have noted since, in their order. Nobody is told of what they have noted themselves. */
export function othersNew(before: readonly Incident[], now: readonly Incident[], own: string | undefined): Incident[] {
  const signOf = ({ at, by, text }: Incident) => JSON.stringify([at, by, text]);
  const known = new Set(before.map(signOf));
  return now.filter((one) => one.by !== own && !known.has(signOf(one)));
}

export function kindWord(kind: string): string {
  return deskTexts().kindNames[kind] ?? kind;
}

export function incidentNews({ by, kind, candidate, room, text }: Incident): string {
  return deskTexts().incidentNews(by, kindWord(kind), candidate ?? room ?? deskTexts().wholeExam, text);
}
