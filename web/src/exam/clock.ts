// The time that is left, by what the server says alone. The device's time of day plays no part, since students can set
// it.

/** If the calendar clock and the steady clock drift apart by more than this, the device has slept or its clock was set. */
const DRIFT_MAX_MS = 3_000;

export class ServerClock {
  #remainingMs: number | undefined;
  #saidAt = 0;
  #isPaused = false;

  /** This much is left, counted from `now`. */
  set(remainingMs: number, now: number): void {
    this.#remainingMs = remainingMs;
    this.#saidAt = now;
  }

  /**
   * The server has answered a question, and the answer took `roundTripMs` there and back. It was true at some moment in
   * between. If the clock agrees with any such moment it stays as it is; otherwise it takes the least time that the answer
   * can mean, so that a slow answer never shows a student more time than they have.
   */
  answered(remainingMs: number, now: number, roundTripMs: number): void {
    const shown = this.#remainingMs === undefined ? undefined : this.remaining(now);
    const isSame = shown !== undefined && shown <= remainingMs && shown >= remainingMs - roundTripMs;
    if (!isSame) this.set(remainingMs - roundTripMs, now);
  }

  /** The server has said this unasked. It may have been on its way for long, so at most this much is left. */
  atMost(remainingMs: number, now: number): void {
    if (this.#remainingMs === undefined || this.remaining(now) > remainingMs) this.set(remainingMs, now);
  }

  pause(now: number): void {
    this.set(this.remaining(now), now);
    this.#isPaused = true;
  }

  unpause(now: number): void {
    this.#saidAt = this.#isPaused ? now : this.#saidAt;
    this.#isPaused = false;
  }

  /** Milliseconds left, never below 0. `now` comes from a clock that only goes forward. */
  remaining(now: number): number {
    const passed = this.#isPaused ? 0 : now - this.#saidAt;
    return Math.max(0, (this.#remainingMs ?? 0) - passed);
  }
}

/** Notices that the device has slept. The steady clock of some devices stands still then, so the server must be asked. */
export class SleepWatch {
  #difference: number | undefined;

  /** Whether the two clocks have come apart since the last look. */
  look(steady: number, calendar: number): boolean {
    const before = this.#difference;
    this.#difference = calendar - steady;
    return before !== undefined && Math.abs(this.#difference - before) > DRIFT_MAX_MS;
  }
}

/** As `mm:ss`. Seconds are rounded up, so that 00:00 means that nothing is left. */
export function minutesAndSeconds(remainingMs: number): string {
  const seconds = Math.ceil(remainingMs / 1_000);
  return `${String(Math.floor(seconds / 60)).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Whole minutes, rounded up, for a student who asks. */
export function wholeMinutes(remainingMs: number): number {
  return Math.ceil(remainingMs / 60_000);
}
