// Sends what came too late by HTTPS, whichever way the test itself went: the server keeps it for staff to decide about.

import { batchOf } from "../exam/batch";
import type { LateAnswer, Network } from "../exam/ports";
import type { Command } from "../exam/protocol";
import { commandsReplyOf } from "../exam/reply";

/** Requests for one test: what a page keeps of it fits into a few. */
const REQUESTS_MAX = 100;

/** How long it waits before it tries again: a whole room may come back in one minute. */
const PAUSES_MS = [1_000, 3_000, 8_000];

/**
 * Sends these commands, answers first, and resolves to what the server has said of them. What is not answered is tried again
 * a few times, and stays on this device if that helps nothing. A repeat changes nothing.
 */
export async function sendLate(
  network: Network,
  { sessionId, token }: { sessionId: string; token: string },
  commands: Command[],
  pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
): Promise<LateAnswer> {
  const kept: Command[] = [];
  const pauses = [...PAUSES_MS];
  let rest = commands;
  for (let request = 0; rest.length > 0 && request < REQUESTS_MAX; request += 1) {
    const batch = batchOf(rest) as Command[];
    const answer = await network.request("POST", `/api/live/${sessionId}/commands`, token, { commands: batch }).catch(() => undefined);
    const reply = commandsReplyOf(answer);
    const errors = reply?.replies.filter((one) => one.type === "error") ?? [];
    // An error without a number speaks of the whole request.
    const isPutOff = errors.some(({ seq, code }) => seq === undefined || code === "rate_limited" || code === "storage_unavailable");
    if (reply === undefined || isPutOff) {
      const milliseconds = pauses.shift();
      if (milliseconds === undefined) break;
      await pause(milliseconds);
      continue;
    }
    const refused = new Set(errors.filter((error) => error.kept !== true).map(({ seq }) => seq));
    kept.push(...batch.filter(({ seq }) => !refused.has(seq)));
    rest = rest.filter((command) => !batch.includes(command));
  }
  return { kept, isWhole: rest.length === 0 };
}
