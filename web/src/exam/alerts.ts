// Decides when to alert the student to the time: once at 10 minutes (in tests longer than 30), once at 5, and
// constantly in the last 3. Both the page and the server notice when a mark is passed, so this also tells which alerts
// the student has had already.

export const TEN_MINUTES_MS = 600_000;
export const FIVE_MINUTES_MS = 300_000;
export const COUNTDOWN_MS = 180_000;
/** An extension must lift the time this far above a mark before the mark alerts again. */
const REARM_MS = 5_000;
const LONG_TEST_MINUTES = 30;

export class Alerts {
  /** The marks that the clock has not passed yet. */
  #ahead = new Set<number>();
  #marks: number[];
  #isFirst = true;

  constructor(durationMinutes: number) {
    this.#marks = durationMinutes > LONG_TEST_MINUTES ? [TEN_MINUTES_MS, FIVE_MINUTES_MS] : [FIVE_MINUTES_MS];
  }

  /** The mark that was passed since the last look, if any. A page that slept through two gets the lower one only. */
  look(remainingMs: number): number | undefined {
    const passed = this.#marks.filter((mark) => this.#ahead.has(mark) && remainingMs <= mark);
    for (const mark of this.#marks) {
      const margin = this.#isFirst ? 0 : REARM_MS;
      if (remainingMs > mark + margin) this.#ahead.add(mark);
      else if (remainingMs <= mark) this.#ahead.delete(mark);
    }
    this.#isFirst = false;
    return passed.at(-1);
  }

  /** The server has sent an alert for this mark. Returns whether the student has not had it yet. */
  received(mark: number): boolean {
    return this.#ahead.delete(mark);
  }
}
