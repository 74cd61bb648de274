// Reads replies to HTTPS requests, and recognises those that the server itself did not send: sign-in portals and
// filters in schools answer in its place, with any status.

import type { ErrorFrame, CommandsReply, Standing, Times, WaitingFrame } from "./protocol";

export interface HttpReply {
  status: number;
  body: unknown;
  retryAfter?: number;
  /** The server's time of day, in milliseconds and to the second; missing if it did not say. */
  date?: number;
}

/** The server's sentences about a session that this page can't go on with. */
const REFUSALS: Record<number, string> = { 403: "Wrong token", 404: "Session not found" };

/** The standing in a reply; only one of this session, if it is named. */
export function standingOf(answer: HttpReply | undefined, sessionId?: string): Standing | undefined {
  const standing = objectOf(answer) as Partial<Standing> | undefined;
  const isOne = answer?.status === 200 && (standing?.type === "started" || standing?.type === "resumed") && typeof standing.token === "string";
  if (!isOne || (sessionId !== undefined && standing.sessionId !== sessionId)) return undefined;
  return standing as Standing;
}

/** What a standing says of the time. */
export function timesOf({ deadline, serverTime, remainingMs, timeVersion, pausedMs, state = "active", pauseText }: Standing): Times {
  const version = timeVersion === undefined ? {} : { timeVersion };
  return { deadline, serverTime, remainingMs, state, pauseText: pauseText ?? "", ...version, ...(pausedMs === undefined ? {} : { pausedMs }) };
}

/** The place in a sitting that has not begun. */
export function waitingOf(answer: HttpReply | undefined): WaitingFrame | undefined {
  const waiting = objectOf(answer) as Partial<WaitingFrame> | undefined;
  const isOne = answer?.status === 200 && waiting?.type === "waiting" && typeof waiting.token === "string" && Array.isArray(waiting.sealed);
  return isOne ? (waiting as WaitingFrame) : undefined;
}

export function commandsReplyOf(answer: HttpReply | undefined): CommandsReply | undefined {
  const performed = objectOf(answer) as Partial<CommandsReply> | undefined;
  return answer?.status === 200 && Array.isArray(performed?.replies) ? (performed as CommandsReply) : undefined;
}

/** The sentence with which the server explains an error. */
export function sentenceOf(answer: HttpReply | undefined): string | undefined {
  const sentence = (objectOf(answer) as { error?: unknown } | undefined)?.error;
  return typeof sentence === "string" ? sentence : undefined;
}

/** Whether the server itself, and nobody in between, has refused the session. */
export function isRefusal(answer: HttpReply | undefined): boolean {
  return answer !== undefined && sentenceOf(answer) !== undefined && REFUSALS[answer.status] === sentenceOf(answer);
}

/**
 * Which of these numbers are done, or undefined if an error without a number says that the whole request should be sent
 * again. Against any other error a second try would not help.
 */
export function doneOf(numbers: number[], { replies }: CommandsReply): Set<number> | undefined {
  const errors = replies.filter((reply): reply is ErrorFrame => reply.type === "error");
  const passing = ["storage_unavailable", "rate_limited", "internal"];
  if (errors.some(({ code, seq }) => seq === undefined && passing.includes(code))) return undefined;
  const refused = new Set(errors.map(({ seq }) => seq));
  return new Set(numbers.filter((number) => !refused.has(number)));
}

function objectOf(answer: HttpReply | undefined): object | undefined {
  return typeof answer?.body === "object" && answer.body !== null ? answer.body : undefined;
}
