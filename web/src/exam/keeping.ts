// Keeps one attempt in the browser, each change in one piece; after a failure all of it, again and again, until that succeeds.

import type { Keeper, Surroundings, Write } from "./ports";

/** After a failure it is tried again this often, also when nothing happens. */
const AGAIN_MS = 10_000;

export interface KeepingEvents {
  /** All that there is to be kept. */
  whole(): Write;
  /** `isKept` is other than before. */
  changed(): void;
  /** Another tab has taken the attempt over. */
  lost(): void;
}

export class Keeping {
  /** Whether the browser keeps what is unsaved, so that it outlives this page. */
  isKept = true;
  /** What is being written, oldest first. */
  #underWay = new Set<Write>();
  #failures = 0;
  #isWaiting = false;
  #isOver = false;

  constructor(
    private keeper: Keeper,
    private surroundings: Surroundings,
    private test: string,
    private events: KeepingEvents,
  ) {}

  /** Settles when it is kept, or can't be. */
  async write(write: Write): Promise<void> {
    if (this.#isOver) return;
    const [isWhole, failures] = [!this.isKept, this.#failures];
    const written = isWhole ? { ...this.events.whole(), isWhole } : write;
    this.#underWay.add(written);
    try {
      const isMine = await this.keeper.write(this.test, written);
      if (!isMine) this.events.lost();
      else if (isWhole && failures === this.#failures) this.#turn(true);
    } catch {
      this.#failures += 1;
      this.#turn(false);
      this.#tryAgainLater();
    } finally {
      this.#underWay.delete(written);
    }
  }

  /** The page is being left: nothing waits for a database any more. */
  leave(): void {
    if (!this.#isOver && this.#underWay.size > 0) this.keeper.leave(this.test, [...this.#underWay]);
  }

  /** The page that was left is back, as it was. */
  stay(): void {
    this.keeper.leave(this.test, []);
  }

  /** Whether no other tab has taken the attempt over, as far as the browser knows. */
  async isMine(): Promise<boolean> {
    const isMine = await this.keeper.write(this.test, {}).catch(() => true);
    if (!isMine && !this.#isOver) this.events.lost();
    return isMine;
  }

  /** What is kept stays as it is. */
  end(): void {
    this.#isOver = true;
  }

  /** Nothing of it is kept any more. */
  forget(): Promise<void> {
    this.#isOver = true;
    return this.keeper.forget(this.test).catch(() => {});
  }

  #turn(isKept: boolean): void {
    if (isKept === this.isKept) return;
    this.isKept = isKept;
    this.events.changed();
  }

  #tryAgainLater(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.surroundings.later(AGAIN_MS, () => {
      this.#isWaiting = false;
      if (!this.isKept) void this.write({});
    });
  }
}
