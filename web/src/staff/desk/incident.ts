// What is written down of an exam day, as the desk shows it.

import type { SittingIncident } from "../../api/schema";
import { deskTexts } from "./texts/texts.svelte";

/** One that was written down here has no id until it is read. */
export type Incident = Omit<SittingIncident, "id"> & { id?: string };

/** In whose name the server puts on record what it has found itself, the one kind of that, and how it says it. */
const SERVER = "server";
const WRONG_CODES = "wrong codes";
const WRONG_CODES_SAID = /^(\d+) wrong codes have been tried that begin like the code of this candidate\.$/;
/** Of a text in a note that goes away by itself; all of it stands in the list. */
const NEWS_CHARACTERS_MAX = 120;

/** What others have noted since, in their order. Nobody is told of what they have noted themselves. */
export function othersNew(before: readonly Incident[], now: readonly Incident[], own: string | undefined): Incident[] {
  const known = new Set(before.map(({ id }) => id));
  return now.filter((one) => one.by !== own && !known.has(one.id));
}

export function kindWord(kind: string): string {
  const texts = deskTexts();
  if (kind === WRONG_CODES) return texts.kindWrongCodes;
  // A school may call a kind of its own like something that every object has.
  return Object.hasOwn(texts.kindNames, kind) ? (texts.kindNames[kind] ?? kind) : kind;
}

export function byWord({ by }: Incident): string {
  return by === SERVER ? deskTexts().byServer : by;
}

/** The server's own sentence is in English, whatever the language of the page is. */
export function incidentText({ kind, text }: Pick<Incident, "kind" | "text">): string {
  const [, count] = kind === WRONG_CODES ? (WRONG_CODES_SAID.exec(text) ?? []) : [];
  return count === undefined ? text : deskTexts().wrongCodesTried(Number(count));
}

export function incidentNews(one: Incident): string {
  const letters = [...incidentText(one)];
  const text = letters.length > NEWS_CHARACTERS_MAX ? `${letters.slice(0, NEWS_CHARACTERS_MAX).join("")}…` : letters.join("");
  return deskTexts().incidentNews(byWord(one), kindWord(one.kind), one.candidate ?? one.room ?? deskTexts().wholeExam, text);
}
