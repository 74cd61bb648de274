// Results are not released before it was looked whether a question looks wrong, unless that takes long.

/** From then on whoever releases need not wait: a busy server may look for longer than anybody stays. */
export const LOOK_FIRST_MS = 5_000;

export class LookFirst {
  #isDone = $state(false);
  #isLate = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Whether results may be released now. */
  get isOver(): boolean {
    return this.#isDone || this.#isLate;
  }

  /** Whether the look goes on, and results may be released all the same. */
  get isLate(): boolean {
    return this.#isLate && !this.#isDone;
  }

  begin(): void {
    clearTimeout(this.#timer);
    this.#isDone = false;
    this.#isLate = false;
    this.#timer = setTimeout(() => (this.#isLate = true), LOOK_FIRST_MS);
  }

  done(): void {
    clearTimeout(this.#timer);
    this.#isDone = true;
  }
}
