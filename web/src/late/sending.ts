// Sends what came too late by HTTPS, whichever way the test itself went: the server keeps it for staff to decide about.

import { batchOf } from "../exam/batch";
import type { Network } from "../exam/ports";
import type { Command } from "../exam/protocol";
import { commandsReplyOf } from "../exam/reply";

/** Requests for one test: what a page keeps of it fits into a few. */
const REQUESTS_MAX = 100;

/**
 * Sends these commands, answers first, and resolves to those that the server has now: kept as late, or saved after all. An
 * answer that does not come ends it, and whatever is left stays on this device.
 */
export async function sendLate(network: Network, { sessionId, token }: { sessionId: string; token: string }, commands: Command[]): Promise<Command[]> {
  const kept: Command[] = [];
  let rest = commands;
  for (let request = 0; rest.length > 0 && request < REQUESTS_MAX; request += 1) {
    const batch = batchOf(rest) as Command[];
    const answer = await network.request("POST", `/api/live/${sessionId}/commands`, token, { commands: batch }).catch(() => undefined);
    const reply = commandsReplyOf(answer);
    if (reply === undefined) break;
    const errors = reply.replies.filter((one) => one.type === "error");
    // An error without a number speaks of the whole request.
    if (errors.some(({ seq }) => seq === undefined)) break;
    const refused = new Set(errors.filter((error) => error.kept !== true).map(({ seq }) => seq));
    kept.push(...batch.filter(({ seq }) => !refused.has(seq)));
    rest = rest.filter((command) => !batch.includes(command));
  }
  return kept;
}
