// Answers by HTTPS, and whether they are the server's own: portals and filters of schools answer in its place, with any status.

import type { ErrorFrame, CommandsReply, Standing } from "./protocol";

export interface HttpReply {
  status: number;
  body: unknown;
  retryAfter?: number;
}

/** What the server says of a session that nobody can go on with. */
const REFUSALS: Record<number, string> = { 403: "Wrong token", 404: "Session not found" };

/** Where a test stands; of this session, when it is named. */
export function standingOf(answer: HttpReply | undefined, sessionId?: string): Standing | undefined {
  const standing = objectOf(answer) as Partial<Standing> | undefined;
  const isOne = answer?.status === 200 && (standing?.type === "started" || standing?.type === "resumed") && typeof standing.token === "string";
  if (!isOne || (sessionId !== undefined && standing.sessionId !== sessionId)) return undefined;
  return standing as Standing;
}

export function commandsReplyOf(answer: HttpReply | undefined): CommandsReply | undefined {
  const performed = objectOf(answer) as Partial<CommandsReply> | undefined;
  return answer?.status === 200 && Array.isArray(performed?.replies) ? (performed as CommandsReply) : undefined;
}

/** The server's own sentence, when it has one. */
export function sentenceOf(answer: HttpReply | undefined): string | undefined {
  const sentence = (objectOf(answer) as { error?: unknown } | undefined)?.error;
  return typeof sentence === "string" ? sentence : undefined;
}

/** Whether the server, and nobody in between, has said that the session is not there for us. */
export function isRefusal(answer: HttpReply | undefined): boolean {
  return answer !== undefined && sentenceOf(answer) !== undefined && REFUSALS[answer.status] === sentenceOf(answer);
}

/** Which of these numbers are done; undefined when an error without a number says that it will pass. No second try helps against any other. */
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
