// The time that is left, by the server's word alone: what the device believes the time of day to be plays no part.

/** A calendar clock and a steady one that drift apart by more than this have been apart: the device slept, or was set. */
const DRIFT_MAX_MS = 3_000;

export class ServerClock {
  #remainingMs: number | undefined;
  #saidAt = 0;
  #isPaused = false;

  /** From this moment on so much is left. */
  set(remainingMs: number, now: number): void {
    this.#remainingMs = remainingMs;
    this.#saidAt = now;
  }

  /**
   * The server has answered a question that took so long, there and back: it spoke at some moment of that time. What is
   * shown stays where it agrees with that, and otherwise becomes the least that it can mean, so that a slow answer never
   * gives time away.
   */
  answered(remainingMs: number, now: number, roundTripMs: number): void {
    const shown = this.#remainingMs === undefined ? undefined : this.remaining(now);
    const isSame = shown !== undefined && shown <= remainingMs && shown >= remainingMs - roundTripMs;
    if (!isSame) this.set(remainingMs - roundTripMs, now);
  }

  /** The server has said it unasked, nobody knows how long ago: no more than this is left. */
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

  /** Milliseconds left, by a clock that only ever goes forward; never below 0. */
  remaining(now: number): number {
    const passed = this.#isPaused ? 0 : now - this.#saidAt;
    return Math.max(0, (this.#remainingMs ?? 0) - passed);
  }
}

/** Notices that a device has slept: the steady clock of some stands still meanwhile, so the server must be asked. */
export class SleepWatch {
  #difference: number | undefined;

  /** Whether the two clocks have come apart since the last look. */
  look(steady: number, calendar: number): boolean {
    const before = this.#difference;
    this.#difference = calendar - steady;
    return before !== undefined && Math.abs(this.#difference - before) > DRIFT_MAX_MS;
  }
}

/** As `mm:ss`; a second that has begun is shown, so that 0:00 means that nothing is left. */
export function minutesAndSeconds(remainingMs: number): string {
  const seconds = Math.ceil(remainingMs / 1_000);
  return `${String(Math.floor(seconds / 60)).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Whole minutes, rounded up: what a student is told when they ask. */
export function wholeMinutes(remainingMs: number): number {
  return Math.ceil(remainingMs / 60_000);
}
