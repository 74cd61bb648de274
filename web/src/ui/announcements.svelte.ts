// What the running test says and shows over everything else, shared so that a modal dialog, which silences and covers the
// page beneath, can say and show it too.

import { untrack } from "svelte";

/** A message at the foot of the page. */
export interface Message {
  /** Different for each message. */
  key: string;
  /** Who says it; empty if the page does. */
  from: string;
  text: string;
  dismiss: () => void;
}

/** A page has one running test at a time, so one value is enough. */
export const announcements = $state({
  /** The alert about the time, while it is new. */
  alert: "",
  isFlashing: false,
  /** The clock in the last minutes; empty before. */
  clock: "",
  /** The message at the foot, if there is one. */
  message: undefined as Message | undefined,
  /** What is said on every page for a while; undefined if nothing is. */
  standing: undefined as Message | undefined,
  /** Whether a running test shows messages at its foot. */
  hasFoot: false,
  /** What has just been said to screen readers. */
  said: [] as { id: number; about: string; sentence: string }[],
});

/** A sentence is taken back after this time, so that the same one is said again the next time. */
const SAID_MS = 5_000;
let count = 0;

/** Says this to screen readers, once they have finished what they are saying. It takes the place of what was said about the same. */
export function say(sentence: string, about: "answer" | "mark" | "saving" | "time" | "pause" | "message" = "message"): void {
  const id = (count += 1);
  const isOlder = (earlier: { about: string; sentence: string }) => earlier.sentence === sentence || (about !== "message" && earlier.about === about);
  untrack(() => (announcements.said = [...announcements.said.filter((earlier) => !isOlder(earlier)), { id, about, sentence }]));
  setTimeout(() => (announcements.said = announcements.said.filter((earlier) => earlier.id !== id)), SAID_MS);
}
