// Sends commands by HTTPS, one batch at a time. Separate from the line because a request, unlike a socket, has its own
// pauses and failures, and may be answered after the line has gone back to a socket.

import { pauseAfter } from "../line/backoff";
import { batchOf } from "./batch";
import type { Network, Timing } from "./ports";
import type { Command, CommandsReply, EndingCommand } from "./protocol";
import { commandsReplyOf, doneOf } from "./reply";

/** Commands gather for this long before a request takes them, so that quick clicks share one request. */
const GATHER_MS = 200;

export interface HttpsSenderEvents {
  /** The commands that should go by HTTPS now; none when another transport is in use. */
  pending(): (Command | EndingCommand)[];
  answered(reply: CommandsReply, done: Set<number>, roundTripMs: number): void;
  failed(): void;
}

export class HttpsSender {
  #failures = 0;
  #isSending = false;
  #isStopped = false;
  #cancel: (() => void) | undefined;

  constructor(
    private network: Network,
    private timing: Timing,
    private session: { sessionId: string; token: string },
    private events: HttpsSenderEvents,
  ) {}

  /** There are commands to send. */
  deliver(): void {
    const pause = this.#failures === 0 ? 0 : pauseAfter(this.#failures, this.timing.random());
    this.#cancel ??= this.timing.later(GATHER_MS + pause, () => {
      this.#cancel = undefined;
      void this.#send();
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
  }

  async #send(): Promise<void> {
    const commands = batchOf(this.events.pending());
    if (this.#isSending || commands.length === 0) return;
    this.#isSending = true;
    const askedAt = this.timing.now();
    const path = `/api/live/${this.session.sessionId}/commands`;
    const reply = commandsReplyOf(await this.network.request("POST", path, this.session.token, { commands }).catch(() => undefined));
    this.#isSending = false;
    if (this.#isStopped) return;
    const done = reply === undefined ? undefined : doneOf(commands.map(({ seq }) => seq), reply);
    if (reply === undefined || done === undefined) {
      this.#failures += 1;
      return this.events.failed();
    }
    this.#failures = 0;
    this.events.answered(reply, done, this.timing.now() - askedAt);
  }
}
