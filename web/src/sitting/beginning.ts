// The beginning of a sitting's exam: what the exam goes on from, and where it stands for a page that has waited for it and
// need not ask the server.

import type { BeginFrame, PartKeys, Standing, WaitingFrame } from "../exam/protocol";
import type { HandedSocket } from "./network";

/** What the exam goes on from. */
export interface Beginning {
  /** Where it stands at the moment of the call; `undefined` until the questions are known. */
  standing: (questionIds: string[]) => Standing;
  /** Whether the server has told where it stands, and with it which questions it has. */
  told: Standing | undefined;
  keys: PartKeys;
  /** The socket to go on with, made once the standing is known. */
  handOver: ((standing: () => Standing) => HandedSocket) | undefined;
  roundTripMs: number;
}

/** `place` has the highest number that a command before the beginning has had; `serverMs` is the server's time now, if it is known. */
export function standingAtStart(
  waiting: WaitingFrame,
  { keys, startedAt, optionOrder }: BeginFrame,
  place: { sessionId: string; token: string; seq: number },
  serverMs: number | undefined,
  questionIds: string[],
): Standing {
  const startedMs = Date.parse(startedAt);
  const passed = waiting.paused === undefined ? Math.max(0, (serverMs ?? startedMs) - startedMs) : 0;
  const remainingMs = Math.max(0, waiting.givenMs - passed);
  const { grade, mode, stages, minutes: durationMinutes, sittingId, sealed, calculator = "none", line, lateKey, form } = waiting;
  const deadline = new Date(startedMs + waiting.givenMs).toISOString();
  const terms = { ...place, grade, mode, stages, durationMinutes, calculator, sittingId, sealed, keys, startedAt, deadline, questionIds, remainingMs, pausedMs: 0, ...(line === undefined ? {} : { line }), ...(lateKey === undefined ? {} : { lateKey }), ...(form && { form }), ...(optionOrder && { optionOrder }) };
  // In a room whose time is stopped nobody sees the paper before it goes on.
  const state = waiting.paused === undefined ? ("active" as const) : ("paused" as const);
  const pauseText = waiting.paused?.text ?? null;
  return { type: "resumed", ...terms, stage: 1, serverTime: startedAt, answers: [], drawings: {}, band: null, state, pauseText };
}
