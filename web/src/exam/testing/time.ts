// A clock that moves only when a test says so.

import type { Timing } from "../ports";

export class MovedTime implements Timing {
  #now = 0;
  #calls: { at: number; call: () => void }[] = [];
  /** By how many milliseconds the device's calendar is wrong. */
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

  /** Lets this time pass and calls what is due meanwhile, settling promises in between. */
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

/** Settles everything that waits only for promises. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}
