// A part of the page that a student may ask for: it is loaded ahead, or at the latest then, and asked for again until it is
// here. Separate from what is loaded ahead unseen, which nobody waits for.

import { Again } from "../../offline/again";

/** If a part takes longer to come, the student is told that it is missing: without a network it can only be kept here. */
const MISSED_MS = 3_000;
const OFFLINE_MISSED_MS = 500;
/** One failure may be the network's, which has just come back. */
const REFUSALS = 2;

export class Part<T> {
  /** Once it is here. */
  here = $state.raw<T>();
  /** The server can be reached, and it does not come all the same: some browsers never load a script again that failed once. */
  isRefused = $state(false);
  #refusals = 0;
  #arrived = () => {};
  /** Resolves when it is here. */
  readonly arrival = new Promise<void>((resolve) => (this.#arrived = resolve));
  #again = new Again(() => this.#try());

  /** `maySucceed` tells whether a script can be loaded now: for the sake of those browsers, nothing is tried in vain. */
  constructor(
    private load: () => Promise<T>,
    private maySucceed: () => boolean,
  ) {}

  /** Loads it now, and again until that succeeds. */
  want(): void {
    void this.#again.now();
  }

  /** The student wants it now. Resolves when it is here, or after a while; and to which of the two. */
  async hurry(): Promise<boolean> {
    if (this.here !== undefined) return true;
    this.want();
    // A page that has just begun has no connection yet, and still gets the part in a moment.
    await Promise.race([this.arrival, new Promise((resolve) => setTimeout(resolve, navigator.onLine ? MISSED_MS : OFFLINE_MISSED_MS))]);
    return this.here !== undefined;
  }

  /** The server can be reached again. */
  retryNow(): void {
    this.#again.retryNow();
  }

  end(): void {
    this.#again.end();
  }

  async #try(): Promise<boolean> {
    if (!this.maySucceed()) return false;
    const loaded = await this.load().catch(() => undefined);
    if (loaded === undefined && (await isReachable())) this.#refusals += 1;
    this.isRefused = loaded === undefined && this.#refusals >= REFUSALS;
    if (loaded === undefined) return false;
    this.here = loaded;
    this.#arrived();
    return true;
  }
}

/** Asks for a small file of the server's. */
function isReachable(): Promise<boolean> {
  return fetch("/icon.svg", { cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );
}
