// What the server says to every page: a message of the school, and whether it only reads. Pure, apart from who asks.

import type { PageStatus } from "../api/schema";
import type { Language } from "../texts/choice.svelte";

/** A page asks again within about this time, while somebody looks at it. Thousands of students do. */
const ASK_MS = 60_000;

/** What the server says, or undefined if something else has answered in its place. */
export function statusOf(said: unknown): PageStatus | undefined {
  const { message, readOnly } = (said ?? {}) as Partial<PageStatus>;
  const isSound = typeof message?.en === "string" && typeof message.vi === "string" && typeof readOnly === "boolean";
  return isSound ? { message, readOnly } : undefined;
}

/** The message for readers of a language, in theirs or else in the other; undefined if nothing is said. */
export function messageFor({ message }: PageStatus, reader: Language): { text: string; language: Language } | undefined {
  const others: Language[] = reader === "en" ? ["en", "vi"] : ["vi", "en"];
  const language = others.find((name) => message[name] !== "");
  return language === undefined ? undefined : { text: message[language], language };
}

/** By this it is known which message somebody has closed: another one is shown again. Empty if nothing is said. */
export function nameOf({ message, readOnly }: PageStatus): string {
  return readOnly || message.en !== "" || message.vi !== "" ? JSON.stringify([readOnly, message.en, message.vi]) : "";
}

/** When a page asks again: not all at once, after a restart of the server. */
export function pauseMs(random: number): number {
  return ASK_MS * (0.75 + random / 2);
}
