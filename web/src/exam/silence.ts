// When a quiet socket must be asked for a sign of life, and when it counts as dead. Browsers do not say that a socket
// has died until long after, and a student should not work for minutes on one that carries nothing.

/** The server is asked after this much silence, and sooner while something is unsaved. */
const SILENCE_MS = 15_000;
const SILENCE_UNSAVED_MS = 4_000;
/** It then has this long to answer, and longer while commands are still on their way over a slow network. */
const PROBE_MS = 6_000;
const SLOW_BYTES_PER_MS = 8;

export class Silence {
  #heardAt = 0;
  #probedAt: number | undefined;

  get isProbing(): boolean {
    return this.#probedAt !== undefined;
  }

  heard(now: number): void {
    this.#heardAt = now;
    this.#probedAt = undefined;
  }

  probed(now: number): void {
    this.#probedAt = now;
  }

  /** A new socket has taken over; it has been asked nothing yet. */
  forgetProbe(): void {
    this.#probedAt = undefined;
  }

  /** What to do about the silence. `bytes` is the size of the commands that the socket has carried without an answer. */
  verdict(now: number, bytes: number): "wait" | "probe" | "dead" {
    if (this.#probedAt !== undefined) return now - this.#probedAt > PROBE_MS + bytes / SLOW_BYTES_PER_MS ? "dead" : "wait";
    return now - this.#heardAt > (bytes > 0 ? SILENCE_UNSAVED_MS : SILENCE_MS) ? "probe" : "wait";
  }

  /** Whether an answer took so long that it must have waited somewhere, as it does while the page is frozen. */
  isStale(roundTripMs: number): boolean {
    return roundTripMs > PROBE_MS;
  }
}
