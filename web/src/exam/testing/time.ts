// Time that moves when a test says so.

import type { Timing } from "../ports";

export class MovedTime implements Timing {
  #now = 0;
  #calls: { at: number; call: () => void }[] = [];
  /** How far the device's calendar is wrong. */
  calendarError = 0;

  now(): number {
    return this.#now;
  }

  calendar(): number {
    return this.#now + this.calendarError;
  }

  random(): number {
    return 0.5;
  }

  later(milliseconds: number, call: () => void): () => void {
    const planned = { at: this.#now + milliseconds, call };
    this.#calls.push(planned);
    return () => {
      this.#calls = this.#calls.filter((other) => other !== planned);
    };
  }

  /** Moves on, with everything that was planned until then; promises are kept in between. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await settled();
    for (;;) {
      const next = this.#calls.filter((planned) => planned.at <= end).sort((one, other) => one.at - other.at)[0];
      if (next === undefined) break;
      this.#calls = this.#calls.filter((planned) => planned !== next);
      this.#now = next.at;
      next.call();
      await settled();
    }
    this.#now = end;
  }
}

/** Lets everything that waits for nothing but promises happen. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}
