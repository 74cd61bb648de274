// Waits for the release of a result: asks the server again and again, whose answer comes with the release. Separate from the
// report, which only shows what it is given.

import { Again } from "../../offline/again";
import type { loadSession, StoredSession } from "../api";

/** The server answers after 25 seconds at the latest. A request that takes longer is lost, as after a sleep of the device. */
const LOST_MS = 40_000;
/** An answer that comes sooner than this did not wait, so the next question does. */
const EARLY_MS = 5_000;
const PAUSE_MS = 15_000;
/** Pages that got the same answer at the same moment ask again over this time. */
const SPREAD_MS = 2_000;

export class ReleaseWait {
  #again: Again;
  #isOver = false;

  constructor(
    private ask: () => ReturnType<typeof loadSession>,
    private released: (session: StoredSession) => unknown,
  ) {
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
      const answer = await Promise.race([this.ask(), pause(LOST_MS)]);
      if (answer?.kind === "loaded") {
        if (!this.#isOver) this.released(answer.value);
        return true;
      }
      if (answer?.kind !== "held") return false;
      await pause(Math.random() * SPREAD_MS + (performance.now() - askedAt < EARLY_MS ? PAUSE_MS : 0));
    }
    return true;
  }
}

function pause(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
