// Watches for the start of a sitting: has a quiet network checked shortly before it, and the server asked when no word of it
// has come in time.

/** A device whose network has just been checked is not taken by surprise at the beginning. */
const LAST_CHECK_MS = 30_000;
/** So close to the start, the answer to a check would come no sooner than the beginning. */
const TOO_LATE_MS = 6_000;
/** If the exam should have begun, and no word of it has come for this long, the server is asked. */
const OVERDUE_MS = 3_000;
/** Then it is asked again after half of this at the soonest. */
const ASK_AGAIN_MS = 25_000;

export class StartWatch {
  #isChecked = false;
  /** Nothing has been asked before the first time. */
  #askAgainAt = 0;

  /** `random` spreads the pages of a room, which all have the same start. */
  constructor(private random: number) {}

  /** What to do now, if anything. `inMs` is the time until the start, below 0 after it. */
  look(now: number, inMs: number): "check" | "ask" | undefined {
    if (inMs < LAST_CHECK_MS * (0.5 + this.random / 2) && inMs > TOO_LATE_MS && !this.#isChecked) {
      this.#isChecked = true;
      return "check";
    }
    if (-inMs < OVERDUE_MS * (1 + this.random) || now < this.#askAgainAt) return undefined;
    this.#askAgainAt = now + ASK_AGAIN_MS * (0.5 + this.random);
    return "ask";
  }
}
