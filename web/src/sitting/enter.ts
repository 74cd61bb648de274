// Enters a sitting. A sitting knows its candidates, so entering twice is harmless: the key only makes the server's work of a
// repeated one less.

import type { Platform } from "../exam/ports";
import type { EnterRequest, Standing, WaitingFrame } from "../exam/protocol";
import { sentenceOf, standingOf, waitingOf, type HttpReply } from "../exam/reply";
import { randomKey } from "../exam/start";

export type EnterOutcome =
  | { kind: "waiting"; frame: WaitingFrame; roundTripMs: number }
  /** It has begun, and perhaps ended. */
  | { kind: "begun"; standing: Standing; roundTripMs: number }
  | { kind: "notOpen"; doorsInMs: number; doorsAt: number }
  | { kind: "entryClosed" | "notExpected" | "handedIn" | "unreachable" }
  | { kind: "tooMany"; seconds: number };

/** The entry of this tab that the server has not answered. */
export interface Entering {
  access: string;
  key: string;
}

export interface EnteringStore {
  find(): Entering | undefined;
  keep(entering: Entering | undefined): void;
}

/** `access` is empty for a candidate who is signed in. */
export async function enter(sitting: EnterRequest, access: string, platform: Platform, entering: EnteringStore): Promise<EnterOutcome> {
  const before = entering.find();
  // Another code may be another candidate's.
  const key = before?.access === access ? before.key : randomKey(platform);
  entering.keep({ access, key });
  const askedAt = platform.timing.now();
  const body = { type: "enter", ...sitting, ...(access === "" ? {} : { access }), key };
  const answer = await platform.network.request("POST", "/api/live", undefined, body).catch(() => undefined);
  const outcome = outcomeOf(answer, platform.timing.now() - askedAt, platform);
  if (outcome.kind !== "unreachable" && outcome.kind !== "tooMany") entering.keep(undefined);
  return outcome;
}

function outcomeOf(answer: HttpReply | undefined, roundTripMs: number, platform: Platform): EnterOutcome {
  const frame = waitingOf(answer);
  if (frame !== undefined) return { kind: "waiting", frame, roundTripMs };
  const standing = standingOf(answer);
  if (standing !== undefined) return { kind: "begun", standing, roundTripMs };
  // A filter on the way may answer with any status, but not with the server's words.
  if (answer === undefined || sentenceOf(answer) === undefined) return { kind: "unreachable" };
  const { code, doorsAt } = answer.body as { code?: string; doorsAt?: string };
  if (code === "not_open" && doorsAt !== undefined) return notOpen(Date.parse(doorsAt), answer.date ?? platform.timing.calendar());
  if (code === "entry_closed") return { kind: "entryClosed" };
  if (code === "already_submitted") return { kind: "handedIn" };
  if (code === "rate_limited" || answer.status === 429) return { kind: "tooMany", seconds: answer.retryAfter ?? 1 };
  return code === "not_expected" || code === "bad_message" ? { kind: "notExpected" } : { kind: "unreachable" };
}

function notOpen(doorsAt: number, serverMs: number): EnterOutcome {
  return { kind: "notOpen", doorsAt, doorsInMs: Math.max(0, doorsAt - serverMs) };
}
