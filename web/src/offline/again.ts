// Does something again until it succeeds: after a pause that grows, and at once when the network is back or the page is
// looked at again, but no sooner than the server allows. Separate from what is done, which is the start of a test as well as a file.

import { pauseAfter } from "../line/backoff";

export class Again {
  #failures = 0;
  #isOver = false;
  #underWay: Promise<boolean> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The server does not want to be asked before. */
  #earliest = 0;

  /**
   * `attempt` resolves to whether it succeeded; nothing happens before `now` or `later` is called. No pause is much longer
   * than `longestMs`, or shorter than `leastSeconds`, which the server may ask for.
   */
  constructor(
    private attempt: () => Promise<boolean>,
    private pauses: { longestMs?: number; leastSeconds?: () => number } = {},
  ) {}

  /** Tries at once, or joins the attempt that is under way, and resolves to whether it succeeded. */
  now(): Promise<boolean> {
    if (this.#underWay === undefined) this.#listen(true);
    return (this.#underWay ??= this.#try());
  }

  /** Tries after a pause. */
  later(): void {
    this.#listen(true);
    this.#failures += 1;
    clearTimeout(this.#timer);
    const { longestMs, leastSeconds = () => 0 } = this.pauses;
    const leastMs = leastSeconds() * 1_000;
    this.#earliest = performance.now() + leastMs;
    this.#timer = setTimeout(() => void this.now(), Math.max(leastMs, pauseAfter(this.#failures, Math.random(), longestMs)));
  }

  /** Tries at once if it has failed before, or as soon as the server wants to be asked. */
  retryNow = (): void => {
    if (this.#isOver || this.#failures === 0 || document.hidden) return;
    const waitMs = this.#earliest - performance.now();
    if (waitMs <= 0) return void this.now();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.now(), waitMs);
  };

  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#listen(false);
  }

  async #try(): Promise<boolean> {
    clearTimeout(this.#timer);
    const isDone = this.#isOver || (await this.attempt().catch(() => false));
    this.#underWay = undefined;
    if (isDone) this.end();
    else if (!this.#isOver) this.later();
    return isDone;
  }

  #listen(isListening: boolean): void {
    const change = isListening ? addEventListener : removeEventListener;
    change("online", this.retryNow);
    document[isListening ? "addEventListener" : "removeEventListener"]("visibilitychange", this.retryNow);
  }
}
