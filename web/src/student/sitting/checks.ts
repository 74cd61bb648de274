// The check list of the waiting room. Each line says what was really tried.

import { differenceOf } from "../../sitting/countdown";
import type { Paper } from "../../sitting/paper";
import type { Connection } from "../../sitting/waiting_room";
import type { SittingTexts } from "../../texts/sittings/en";

/** `attention` is what the student, or their teacher, should do something about. */
export type CheckState = "fine" | "pending" | "attention";

export interface Check {
  name: "connection" | "storage" | "clock" | "paper";
  state: CheckState;
  sentence: string;
}

export interface CheckFindings {
  connection: Connection;
  /** Whether there has been a connection. */
  wasConnected: boolean;
  roundTripMs: number | undefined;
  /** Undefined while it is being tried. */
  canKeep: boolean | undefined;
  clockErrorMs: number | undefined;
  paper: Paper["state"];
}

const SLOW_MS = 1_500;

export function checksOf(found: CheckFindings, texts: SittingTexts, locale: string): Check[] {
  return [connectionOf(found, texts, locale), storageOf(found, texts), paperOf(found, texts), clockOf(found, texts)];
}

function connectionOf({ connection, wasConnected, roundTripMs = 0 }: CheckFindings, texts: SittingTexts, locale: string): Check {
  const name = "connection";
  if (connection === "none") return wasConnected ? { name, state: "attention", sentence: texts.disconnected } : { name, state: "pending", sentence: texts.connecting };
  if (connection === "https") return { name, state: "fine", sentence: texts.connectedHttps };
  const seconds = (roundTripMs / 1_000).toLocaleString(locale, { maximumFractionDigits: 1 });
  return { name, state: "fine", sentence: roundTripMs < SLOW_MS ? texts.connected(Math.max(1, Math.round(roundTripMs))) : texts.connectedSlow(seconds) };
}

function storageOf({ canKeep }: CheckFindings, texts: SittingTexts): Check {
  const name = "storage";
  if (canKeep === undefined) return { name, state: "pending", sentence: texts.storageTried };
  return canKeep ? { name, state: "fine", sentence: texts.storageGood } : { name, state: "attention", sentence: texts.storageBad };
}

function paperOf({ paper }: CheckFindings, texts: SittingTexts): Check {
  const sentences: Record<Paper["state"], [CheckState, string]> = {
    here: ["fine", texts.paperHere],
    waiting: ["pending", texts.paperFetching],
    fetching: ["pending", texts.paperFetching],
    failed: ["attention", texts.paperFailed],
    // Nothing that the student could mend.
    atStart: ["fine", texts.paperAtStart],
  };
  const [state, sentence] = sentences[paper];
  return { name: "paper", state, sentence };
}

/** A wrong clock harms nothing, so it never calls for attention. */
function clockOf({ clockErrorMs }: CheckFindings, texts: SittingTexts): Check {
  const name = "clock";
  if (clockErrorMs === undefined) return { name, state: "pending", sentence: texts.clockUnknown };
  const found = differenceOf(clockErrorMs);
  if (found === undefined) return { name, state: "fine", sentence: texts.clockGood };
  const words = { seconds: texts.secondsLong, minutes: texts.minutesLong, hours: texts.hoursLong, days: texts.daysLong }[found.unit](found.count);
  return { name, state: "fine", sentence: clockErrorMs > 0 ? texts.clockFast(words) : texts.clockSlow(words) };
}
