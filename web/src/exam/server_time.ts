// The server's time of day on this device, whose own clock may be hours off.

/** A sample is replaced by a less exact one after this time, since the clocks of devices drift. */
const SAMPLE_MS = 300_000;

export class ServerTime {
  #sample: { serverMs: number; at: number; doubtMs: number } | undefined;

  /**
   * The server has said its time; `now` is a clock that only goes forward, and `roundTripMs` what an answer takes there and
   * back. What it has said unasked, or after it had made the page wait, may have been on its way for longer: `doubtMs`.
   */
  heard(serverTime: string, now: number, roundTripMs: number, doubtMs = roundTripMs): void {
    const said = Date.parse(serverTime);
    const before = this.#sample;
    const isBetter = before === undefined || doubtMs <= before.doubtMs || now - before.at > SAMPLE_MS;
    if (!Number.isNaN(said) && isBetter) this.#sample = { serverMs: said + roundTripMs / 2, at: now, doubtMs };
  }

  /** The device has slept, and its steady clock may have stood still. */
  doubt(): void {
    if (this.#sample !== undefined) this.#sample = { ...this.#sample, doubtMs: Infinity };
  }

  /** Milliseconds since 1970, or undefined before the server has said its time. */
  at(now: number): number | undefined {
    return this.#sample === undefined ? undefined : this.#sample.serverMs + now - this.#sample.at;
  }
}
