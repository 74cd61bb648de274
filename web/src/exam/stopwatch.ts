// Measures how long a student looks at each question. Time away from the page and pauses do not count.

export class Stopwatch {
  #milliseconds = new Map<string, number>();
  #questionId: string | undefined;
  #since = 0;
  #isStopped = false;

  /** Starts from the seconds that were counted before, on this page or another. */
  set(questionId: string, seconds: number): void {
    const counted = this.#milliseconds.get(questionId) ?? 0;
    this.#milliseconds.set(questionId, Math.max(counted, seconds * 1_000));
  }

  /** The student looks at this question from now on. */
  turnTo(questionId: string, now: number): void {
    this.#count(now);
    this.#questionId = questionId;
  }

  stop(now: number): void {
    this.#count(now);
    this.#isStopped = true;
  }

  go(now: number): void {
    this.#since = now;
    this.#isStopped = false;
  }

  seconds(questionId: string, now: number): number {
    this.#count(now);
    return Math.floor((this.#milliseconds.get(questionId) ?? 0) / 1_000);
  }

  #count(now: number): void {
    if (this.#questionId !== undefined && !this.#isStopped) {
      this.#milliseconds.set(this.#questionId, (this.#milliseconds.get(this.#questionId) ?? 0) + now - this.#since);
    }
    this.#since = now;
  }
}
