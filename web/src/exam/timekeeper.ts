// Everything about time in a test: how much is left, when to alert the student, and how long they look at each question.
// Separate from the exam because a pause, a sleep and a look away each concern several of these clocks.

import { Alerts } from "./alerts";
import { ServerClock, SleepWatch } from "./clock";
import type { Timing } from "./ports";
import type { Times } from "./protocol";
import { ServerTime } from "./server_time";
import { Stopwatch } from "./stopwatch";

/** What the server says with the standing may have waited in the page by this much, unlike what it answers when asked. */
const STANDING_DOUBT_MS = 10_000;

export class Timekeeper {
  isPaused = false;
  /** A proctor's word for the pause, if there is one. */
  pauseText = "";
  #clock = new ServerClock();
  #sleep = new SleepWatch();
  #stopwatch = new Stopwatch();
  #alerts = new Alerts(0);
  #serverTime = new ServerTime();
  /** Whether the server has said how much time is left. */
  #isKnown = false;
  /** The version of the times that the clock goes by; undefined while the server does not count them. */
  #version: number | undefined;
  /** Whether it has said how much that is at any moment. */
  #isTold = false;
  /** When the time is up by the server's clock, without the pauses: these give back what they take. */
  #endMs: number | undefined;
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

  get version(): number | undefined {
    return this.#version;
  }

  /** The server has said where the test stands. `durationMinutes` decides which alerts there are. */
  stands(durationMinutes: number): void {
    if (!this.#isKnown) this.#alerts = new Alerts(durationMinutes);
    this.#isKnown = true;
  }

  /**
   * The server has said how the time stands: with an answer, if the round trip is given. News of a version before the one
   * that is known is late, and changes nothing, unless it is `certain`: the first word of the server that has the test now.
   * Returns by how many milliseconds the student's time is another, by the server's own figures.
   */
  told(times: Times, roundTripMs?: number, isCertain = false): number {
    const { timeVersion: version, remainingMs, state } = times;
    if (version !== undefined && this.#version !== undefined && version < this.#version && !isCertain) return 0;
    const isOther = version !== undefined && version !== this.#version;
    const isPaused = state === "paused";
    if (!isPaused && state !== undefined) this.unpause();
    // Only what the clock goes by already can be compared with it; a change is taken over as it is, less its time on the way.
    if (isOther && this.#isTold) this.#clock.set(remainingMs - (isPaused ? 0 : this.#ageOf(times, roundTripMs)), this.#now);
    else if (roundTripMs === undefined) this.#clock.atMost(remainingMs, this.#now);
    else this.#clock.answered(remainingMs, this.#now, isPaused ? 0 : roundTripMs);
    if (roundTripMs !== undefined) this.#isDoubtful = false;
    if (isPaused) this.pause(times.pauseText);
    this.#isTold = true;
    return this.#ends(times, isOther);
  }

  /** Notes the end of this version, and returns by how much it differs from the one before. */
  #ends({ deadline, pausedMs, timeVersion }: Times, isOther: boolean): number {
    if (isOther) this.#version = timeVersion;
    if (pausedMs === undefined || (!isOther && this.#endMs !== undefined)) return 0;
    const end = Date.parse(deadline) - pausedMs;
    const changedMs = end - (this.#endMs ?? end);
    this.#endMs = end;
    return changedMs;
  }

  /** How long ago the server has said this, as far as the page knows; never longer than a round trip. */
  #ageOf({ serverTime }: Times, roundTripMs?: number): number {
    const age = this.serverMs === undefined ? NaN : this.serverMs - Date.parse(serverTime);
    return Number.isNaN(age) ? (roundTripMs ?? 0) : Math.min(Math.max(0, age), roundTripMs ?? Infinity);
  }

  /** The server has said its time of day: with the standing, or when it was asked, if the round trip is given. */
  heard(serverTime: string, roundTripMs?: number): void {
    this.#serverTime.heard(serverTime, this.#now, roundTripMs ?? 0, roundTripMs ?? STANDING_DOUBT_MS);
  }

  /** A proctor has changed the time that is left, by a server that does not count the changes. */
  changed(remainingMs: number): void {
    this.#clock.set(remainingMs, this.#now);
  }

  /** Without a word nothing is known of it, and the one before stays. */
  pause(text = this.pauseText): void {
    this.isPaused = true;
    this.pauseText = text;
    this.#clock.pause(this.#now);
    this.#stopwatch.stop(this.#now);
  }

  unpause(): void {
    if (this.isPaused && !this.#isAway) this.#stopwatch.go(this.#now);
    this.isPaused = false;
    this.pauseText = "";
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
