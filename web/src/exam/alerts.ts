// When a student is told of the time: once at 10 minutes (in tests longer than 30), once at 5, and without pause in the last 3.

export const TEN_MINUTES_MS = 600_000;
export const FIVE_MINUTES_MS = 300_000;
export const COUNTDOWN_MS = 180_000;
/** An extension that lifts the time by less than this above a mark does not arm it again. */
const REARM_MS = 5_000;
const LONG_TEST_MINUTES = 30;

export class Alerts {
  /** The marks that still lie ahead. */
  #ahead = new Set<number>();
  #marks: number[];
  #isFirst = true;

  constructor(durationMinutes: number) {
    this.#marks = durationMinutes > LONG_TEST_MINUTES ? [TEN_MINUTES_MS, FIVE_MINUTES_MS] : [FIVE_MINUTES_MS];
  }

  /** The mark that has been passed since the last look, if any: only the lowest when a sleeping page passes two. */
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

  /** The server has given an alert; whether it is news. */
  received(mark: number): boolean {
    return this.#ahead.delete(mark);
  }
}
