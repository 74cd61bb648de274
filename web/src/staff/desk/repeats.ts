// Keeps an order from being given twice by a double click or a key that is held: the same order to the same students is given again
// only when the first is answered, and a moment later. Minutes that were given can't be taken back.

import type { Timing } from "../../exam/ports";

const AFTER_MS = 1_000;

export class Repeats {
  #given = new Map<string, { isAnswered: boolean; isTold: boolean; cancel?: () => void }>();

  constructor(private timing: Timing) {}

  /** Whether this order may be given now: `again` says that it has just been given, and `told` that somebody was told so already. */
  take(sign: string): "new" | "again" | "told" {
    const known = this.#given.get(sign);
    if (known === undefined) {
      this.#given.set(sign, { isAnswered: false, isTold: false });
      return "new";
    }
    // As long as a key is held, the moment after the answer does not end.
    if (known.isAnswered) this.#forgetSoon(sign);
    if (known.isTold) return "told";
    known.isTold = true;
    return "again";
  }

  answered(sign: string): void {
    const known = this.#given.get(sign);
    if (known === undefined) return;
    known.isAnswered = true;
    this.#forgetSoon(sign);
  }

  #forgetSoon(sign: string): void {
    const known = this.#given.get(sign);
    if (known === undefined) return;
    known.cancel?.();
    known.cancel = this.timing.later(AFTER_MS, () => this.#given.delete(sign));
  }
}
