// Lets the test of one student go on that has ended.

import type { Desk } from "./desk.svelte";
import { ORDER_MINUTES_MAX } from "./frames";
import { why } from "./outcomes";
import type { Row } from "./row";
import { deskTexts } from "./texts/texts.svelte";

export type Reopened =
  | { kind: "reopened" }
  /** The student has been shown the right answers: whoever insists is asked first. */
  | { kind: "seen" }
  /** No time would be left: minutes are needed. */
  | { kind: "noTime" }
  | { kind: "refused"; why: string };

/** The minutes as typed: null for none, undefined for what can't be given. */
export function minutesOf(typed: string): number | null | undefined {
  if (typed.trim() === "") return null;
  const minutes = Number(typed);
  return Number.isInteger(minutes) && minutes >= 1 && minutes <= ORDER_MINUTES_MAX ? minutes : undefined;
}

export async function reopenTest(desk: Pick<Desk, "give">, { sessionId }: Row, minutes: number | null, force: boolean): Promise<Reopened> {
  const texts = deskTexts();
  if (sessionId === null) return { kind: "refused", why: texts.allRefused(texts.whyUnknownSession) };
  const outcome = await desk.give({ type: "reopen", sessionId, ...(minutes === null ? {} : { minutes }), ...(force ? { force } : {}) });
  if (outcome.kind === "done") return { kind: "reopened" };
  if (outcome.kind !== "refused") return { kind: "refused", why: texts.abandoned };
  if (outcome.code === "answers_seen") return { kind: "seen" };
  if (outcome.code === "too_little_time") return { kind: "noTime" };
  return { kind: "refused", why: texts.allRefused(why(outcome)) };
}
