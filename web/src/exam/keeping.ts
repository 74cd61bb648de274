// Keeps one attempt in the browser, each change in one piece; after a failure all of it, again and again, until that succeeds.

import type { Keeper, Kept, Surroundings, Write } from "./ports";

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
  #hasLeft: boolean;
  #isBlind: boolean;
  #failures = 0;
  #isWaiting = false;
  #isOver = false;
  #isForgotten = false;

  constructor(
    private keeper: Keeper,
    private surroundings: Surroundings,
    private test: string,
    { hasLeft = false, isBlind = false }: Pick<Kept, "hasLeft" | "isBlind">,
    private events: KeepingEvents,
  ) {
    [this.#hasLeft, this.#isBlind] = [hasLeft, isBlind];
  }

  /** Settles when it is kept, or can't be. */
  async write(write: Write): Promise<void> {
    if (this.#isOver) return;
    const [isWhole, failures] = [!this.isKept, this.#failures];
    const written = isWhole ? this.#whole() : write;
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
      if (this.isKept && this.#underWay.size === 0) this.#takeBack();
    }
  }

  /** Writes down what was left, or what could not be read, with all the rest. */
  writeWhole(): void {
    void this.write(this.#whole());
  }

  /** The page is being left, or may be without a word: nothing waits for a database any more. */
  leave(): void {
    if (this.#isForgotten) return;
    if (this.isKept && this.#underWay.size === 0) return this.#takeBack();
    const whole = this.#whole();
    const drawings = Object.assign({}, ...[...this.#underWay].map((write) => write.drawings)) as NonNullable<Write["drawings"]>;
    this.#hasLeft = true;
    this.keeper.leave(this.test, this.isKept ? { ...whole, drawings, isWhole: false } : whole);
  }

  #whole(): Write {
    return { ...this.events.whole(), isWhole: true, ...(this.#isBlind ? { isBlind: true } : {}) };
  }

  /** All that was left is in the database. */
  #takeBack(): void {
    if (this.#hasLeft) this.keeper.leave(this.test);
    this.#hasLeft = false;
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
    [this.#isOver, this.#isForgotten] = [true, true];
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
