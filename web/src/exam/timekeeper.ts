// Everything about time in a test: how much is left, when to alert the student, and how long they look at each question.
// Separate from the exam because a pause, a sleep and a look away each concern several of these clocks.

import { Alerts } from "./alerts";
import { ServerClock, SleepWatch } from "./clock";
import type { Timing } from "./ports";
import { ServerTime } from "./server_time";
import { Stopwatch } from "./stopwatch";

/** What the server says with the standing may have waited in the page by this much, unlike what it answers when asked. */
const STANDING_DOUBT_MS = 10_000;

export class Timekeeper {
  isPaused = false;
  #clock = new ServerClock();
  #sleep = new SleepWatch();
  #stopwatch = new Stopwatch();
  #alerts = new Alerts(0);
  #serverTime = new ServerTime();
  /** Whether the server has said how much time is left. */
  #isKnown = false;
  /** The device has slept since, for an unknown time. */
  #isDoubtful = false;
  #isAway = false;

  constructor(private timing: Timing) {}

  /** Milliseconds left by the server's clock, or undefined while that is not known. */
  get remainingMs(): number | undefined {
    return this.#isKnown && !this.#isDoubtful ? this.#clock.remaining(this.#now) : undefined;
  }

  /** The server's time of day in milliseconds, or undefined if it has not said it. */
  get serverMs(): number | undefined {
    return this.#serverTime.at(this.#now);
  }

  get isUp(): boolean {
    return this.#isKnown && this.#clock.remaining(this.#now) === 0;
  }

  /** The server has said where the test stands. `durationMinutes` decides which alerts there are. */
  stands(durationMinutes: number, remainingMs: number, roundTripMs: number): void {
    if (!this.#isKnown) this.#alerts = new Alerts(durationMinutes);
    this.#isKnown = true;
    this.#isDoubtful = false;
    this.#clock.answered(remainingMs, this.#now, roundTripMs);
  }

  /** The server has said its time of day: with the standing, or when it was asked, if the round trip is given. */
  heard(serverTime: string, roundTripMs?: number): void {
    this.#serverTime.heard(serverTime, this.#now, roundTripMs ?? 0, roundTripMs ?? STANDING_DOUBT_MS);
  }

  /** The server has sent the time; on request, if the round trip is given. */
  received(remainingMs: number, roundTripMs?: number): void {
    if (roundTripMs === undefined) this.#clock.atMost(remainingMs, this.#now);
    else {
      this.#isDoubtful = false;
      this.#clock.answered(remainingMs, this.#now, roundTripMs);
    }
  }

  /** A proctor has changed the time that is left. */
  changed(remainingMs: number): void {
    this.#clock.set(remainingMs, this.#now);
  }

  pause(): void {
    this.isPaused = true;
    this.#clock.pause(this.#now);
    this.#stopwatch.stop(this.#now);
  }

  unpause(): void {
    if (this.isPaused && !this.#isAway) this.#stopwatch.go(this.#now);
    this.isPaused = false;
    this.#clock.unpause(this.#now);
  }

  /** The page has lost the focus, or has it again. */
  away(isAway: boolean): void {
    this.#isAway = isAway;
    if (isAway) this.#stopwatch.stop(this.#now);
    else if (!this.isPaused) this.#stopwatch.go(this.#now);
  }

  /** Whether the device has slept since the last look. */
  hasSlept(): boolean {
    const hasSlept = this.#sleep.look(this.#now, this.timing.calendar());
    // The steady clock may have stood still, and would then show too much time.
    this.#isDoubtful ||= hasSlept;
    if (hasSlept) this.#serverTime.doubt();
    return hasSlept;
  }

  /** The alert that is due, if any. */
  alert(): number | undefined {
    return this.remainingMs !== undefined && !this.isPaused ? this.#alerts.look(this.#clock.remaining(this.#now)) : undefined;
  }

  /** The server has sent an alert for this mark. Returns whether the student has not had it yet. */
  isNews(mark: number): boolean {
    return this.#alerts.received(mark);
  }

  /** The student looks at this question from now on, having looked at it for `seconds` before. */
  turnTo(questionId: string, seconds: number): void {
    this.#stopwatch.set(questionId, seconds);
    this.#stopwatch.turnTo(questionId, this.#now);
  }

  secondsOn(questionId: string): number {
    return this.#stopwatch.seconds(questionId, this.#now);
  }

  get #now(): number {
    return this.timing.now();
  }
}
