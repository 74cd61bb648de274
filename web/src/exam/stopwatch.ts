// How long a student has had each question before their eyes; time away and pauses don't count.

export class Stopwatch {
  #milliseconds = new Map<string, number>();
  #questionId: string | undefined;
  #since = 0;
  #isStopped = false;

  /** What was counted before, in whole seconds. */
  set(questionId: string, seconds: number): void {
    const counted = this.#milliseconds.get(questionId) ?? 0;
    this.#milliseconds.set(questionId, Math.max(counted, seconds * 1_000));
  }

  /** From now on this question is looked at. */
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
