// Waits until a test that has ended goes on again, as a proctor may order: asks the server again and again, which answers when
// it does. Loaded with the report, since a running test does not need it.

import type { HttpReply } from "../../exam/reply";
import { isRefusal, standingOf, waitingOf } from "../../exam/reply";
import type { Network } from "../../exam/ports";
import { Again } from "../../offline/again";

/** The server answers after 25 seconds at the latest. */
const WAIT_MS = 25_000;
/** An answer that comes sooner than this did not wait, so the next question does. */
const EARLY_MS = 5_000;
const PAUSE_MS = 15_000;
/** Pages that were answered at the same moment ask again over this time. */
const SPREAD_MS = 2_000;
/** Most ends are mended soon. After this time the page asks less often. */
const OFTEN_MS = 10 * 60_000;
const SELDOM_MS = 60_000;
/** What the server answers while the test stays as it has ended. */
const ENDED = 204;

export class ReopeningWait {
  #again: Again;
  #isOver = false;
  #since = performance.now();
  #sessionId: string;
  #token: string;

  /** `continuation` is the secret that continues the test. `goesOn` is called once. */
  constructor(
    private network: Pick<Network, "request">,
    continuation: string,
    private goesOn: () => void,
  ) {
    [this.#sessionId = "", this.#token = ""] = continuation.split(".", 2);
    this.#again = new Again(() => this.#wait());
    void this.#again.now();
  }

  end(): void {
    this.#isOver = true;
    this.#again.end();
  }

  /** Resolves to false after a failure, which is tried again after growing pauses, and when the page is looked at again. */
  async #wait(): Promise<boolean> {
    while (!this.#isOver) {
      const askedAt = performance.now();
      const answer = await this.#ask();
      if (this.#isOver || isRefusal(answer)) return true;
      if (this.#isGoingOn(answer)) {
        this.end();
        this.goesOn();
        return true;
      }
      if (answer?.status === 400) return true;
      if (answer?.status !== ENDED) return false;
      await pause(Math.random() * SPREAD_MS + this.#pauseAfter(askedAt));
    }
    return true;
  }

  #ask(): Promise<HttpReply | undefined> {
    const path = `/api/live/${encodeURIComponent(this.#sessionId)}?wait=reopening`;
    return this.network.request("GET", path, this.#token, undefined, WAIT_MS).catch(() => undefined);
  }

  #isGoingOn(answer: HttpReply | undefined): boolean {
    const standing = standingOf(answer, this.#sessionId);
    return waitingOf(answer) !== undefined || (standing !== undefined && standing.state !== "submitted");
  }

  #pauseAfter(askedAt: number): number {
    const now = performance.now();
    if (now - this.#since > OFTEN_MS) return SELDOM_MS;
    return now - askedAt < EARLY_MS ? PAUSE_MS : 0;
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
