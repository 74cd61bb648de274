// The server's time of day on this device, whose own clock may be hours off.

/** A sample is replaced by a less exact one after this time, since the clocks of devices drift. */
const SAMPLE_MS = 300_000;

export class ServerTime {
  #sample: { serverMs: number; at: number; roundTripMs: number } | undefined;

  /** The server has said its time in an answer that took `roundTripMs` there and back; `now` is a clock that only goes forward. */
  heard(serverTime: string, now: number, roundTripMs: number): void {
    const said = Date.parse(serverTime);
    const before = this.#sample;
    const isBetter = before === undefined || roundTripMs <= before.roundTripMs || now - before.at > SAMPLE_MS;
    if (!Number.isNaN(said) && isBetter) this.#sample = { serverMs: said + roundTripMs / 2, at: now, roundTripMs };
  }

  /** The device has slept, and its steady clock may have stood still. */
  doubt(): void {
    if (this.#sample !== undefined) this.#sample = { ...this.#sample, roundTripMs: Infinity };
  }

  /** Milliseconds since 1970, or undefined before the server has said its time. */
  at(now: number): number | undefined {
    return this.#sample === undefined ? undefined : this.#sample.serverMs + now - this.#sample.at;
  }
}
