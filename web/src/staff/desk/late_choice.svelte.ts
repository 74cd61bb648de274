// What of a student's late work is decided about, and whether staff have to say so again, because the student may have
// known the right answers before it came. They say it of what was chosen then, and are asked anew once something else is.

import type { DecideLateWork, LateDecision, LateWork } from "../../api/schema";
import { iso } from "../moments";
import { momentAt } from "../zone";

export class LateChoice {
  /** Only what was done until then, as a field of the page has it; empty for everything. */
  until = $state("");
  /** How many commands the page shows. */
  seen = $state(0);
  #refused = $state<string>();

  /** Whether the server has said so of what is chosen now. */
  get isSeen(): boolean {
    return this.#refused === this.#chosen;
  }

  get #chosen(): string {
    return `${this.seen} until ${this.until}`;
  }

  /** What to send, and what takes the code of the answer; empty for none. */
  asked(decision: LateDecision, comment: string): { body: DecideLateWork; answered: (code: string) => void } {
    const chosen = this.#chosen;
    const limit = this.until === "" ? {} : { until: iso(momentAt(Date.parse(`${this.until}Z`))) };
    const force = decision === "accept" && this.isSeen ? { force: true } : {};
    return {
      body: { decision, comment: comment.trim(), seen: this.seen, ...limit, ...force },
      answered: (code) => (this.#refused = code === "answers_seen" ? chosen : undefined),
    };
  }
}

/** Since when the right answers were known, if some of what does not count yet came after that. */
export function knownSince({ answersSeenAt, releasedAt, commands }: KnownWork): { at: string; isRelease: boolean } | undefined {
  const waiting = commands.filter(({ state }) => state !== "accepted").map(({ receivedAt }) => Date.parse(receivedAt));
  const last = Math.max(...waiting);
  if (answersSeenAt !== null && Date.parse(answersSeenAt) <= last) return { at: answersSeenAt, isRelease: false };
  return releasedAt !== null && Date.parse(releasedAt) < last ? { at: releasedAt, isRelease: true } : undefined;
}

export type KnownWork = Pick<LateWork, "answersSeenAt" | "releasedAt"> & { commands: Pick<LateWork["commands"][number], "state" | "receivedAt">[] };
