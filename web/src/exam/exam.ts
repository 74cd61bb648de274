// One student's test as their page runs it: what they do is kept on the device at once, and sent until the server has
// it. The exam joins the parts (the work, the position, the time, the exchange with the server, the browser's database),
// decides what the student may do, and is what the page shows.

import { count, stateOf, withCross } from "./answers";
import { Exchange } from "./exchange";
import { seenLetter } from "./option_order";
import { Persistence } from "./persistence";
import type { AttemptRecord, AttemptWrite, Platform, StoredAttempt } from "./ports";
import { Position } from "./position";
import type { Choice, Command, Ending, EndReason, Selected, Standing, StoredDrawing } from "./protocol";
import { standingOf } from "./reply";
import { Timekeeper } from "./timekeeper";
import { Typing } from "./typing";
import { termsOf, withNotice, type Notice, type Phase, type ExamView } from "./view";
import { Work } from "./work";

/** When the student turns to another question, seconds on the last one are reported only if there are this many new ones. */
const REPORTED_SECONDS_MIN = 2;

export class Exam {
  /** Called after each change of the view. */
  changed: () => void = () => {};
  /** Called with a mark from `alerts.ts` when the student is due an alert about the time. */
  alerted: (mark: number) => void = () => {};
  /** The student has saved what did not arrive as a file, or wants it deleted. */
  isSettled = false;

  #platform: Platform;
  #persistence: Persistence;
  #position: Position;
  #session: { sessionId: string; token: string };
  #work: Work;
  #time: Timekeeper;
  #exchange: Exchange;
  #typing: Typing;
  #phase: Phase = "running";
  /** The test is over, and the page is asking the server what it has received. */
  #isClosing = false;
  #lost = 0;
  /** What came too late, and is kept by the server; undefined before it was sent. */
  #late: Command[] | undefined;
  #lateCount = 0;
  /** Whether the server has not answered for all that came too late. */
  #hasUnanswered = false;
  /** Why the test is over, once the server has said so. */
  #reason: EndReason | undefined;
  #storedAt: number | undefined;
  #answered: number | undefined;
  #notices: Notice[] = [];

  /**
   * Continues a test that the server has started. `standing` is the server's answer to the start if it has just
   * arrived, and `roundTripMs` how long that answer took.
   */
  constructor(kept: StoredAttempt, platform: Platform, standing?: Standing, roundTripMs = 0) {
    const { record } = kept;
    if (record.sessionId === undefined || record.token === undefined) throw new Error("the test has not been started");
    this.#platform = platform;
    this.#session = { sessionId: record.sessionId, token: record.token };
    this.#position = new Position(record, (seq) => this.#work.isSent(seq));
    this.#time = new Timekeeper(platform.timing);
    this.#typing = new Typing(platform.timing, (questionId, selected) => this.#typed(questionId, selected));
    this.#work = new Work(kept, platform.timing, {
      hasTransport: () => this.#exchange.line.transport !== "none",
      drawn: (change) => this.#phase === "running" && this.#exchange.do(change),
      keep: (write) => void this.#exchange.keep(write),
    });
    this.#persistence = new Persistence(platform.attempts, platform.timing, record.test, kept, {
      whole: () => ({ ...this.#work.whole, record: this.#record }),
      changed: () => this.changed(),
      lost: () => this.#finish("superseded"),
    });
    const parts = { work: this.#work, position: this.#position, time: this.#time, persistence: this.#persistence };
    this.#exchange = new Exchange(parts, platform, this.#session, {
      keep: (write) => this.#keep(write),
      changed: () => this.changed(),
      alerted: (mark) => this.alerted(mark),
      notify: (kind, text, seconds) => this.#notify(kind, text, seconds),
      overruled: (command, selected) => this.#overrule(command, selected),
      submitted: (reason) => {
        this.#reason ??= reason;
        this.#storedAt ??= this.#time.serverMs;
        void this.#close();
      },
      finish: (phase, standing) => this.#finish(phase, standing),
    });
    if (kept.hasHandover) this.#persistence.writeWhole();
    if (record.looked !== undefined) this.#time.turnTo(record.looked.questionId, record.looked.seconds);
    // The time counts without a network too.
    this.#exchange.look();
    if (standing !== undefined) this.#exchange.stand(standing, roundTripMs);
    if (this.#phase === "running") this.#exchange.line.connect();
  }

  get view(): ExamView {
    return {
      ...termsOf(this.#position.record),
      phase: this.#phase,
      sessionId: this.#session.sessionId,
      answers: this.#work.answers,
      isPaused: this.#time.isPaused,
      pauseText: this.#time.pauseText,
      isTimeUp: this.#time.isUp,
      ending: this.#position.ending?.type ?? null,
      canGoBack: this.#position.canWithdraw,
      saving: this.#typing.isWaiting && this.#exchange.saving === "saved" ? "saving" : this.#exchange.saving,
      isKeptHere: this.#persistence.isKept,
      notices: this.#notices,
      lost: this.#lost,
      late: this.#lateCount,
      endedBy: this.#reason ?? null,
      storedAt: this.#storedAt ?? null,
      answered: this.#answered ?? null,
    };
  }

  /** Milliseconds left by the server's clock, or undefined while the page does not know. */
  get remainingMs(): number | undefined {
    return this.#time.remainingMs;
  }

  /** The secret that continues this test on another device. */
  get continuation(): string {
    return `${this.#session.sessionId}.${this.#session.token}`;
  }

  /** Choosing an option that is crossed out restores it. */
  choose(questionId: string, selected: Choice | null): void {
    if (!this.#mayChange) return;
    this.#typing.drop(questionId);
    if (selected !== null) this.eliminate(questionId, selected, false);
    this.#exchange.do({ type: "answer", questionId, selected, timeTaken: this.#time.secondsOn(questionId) });
  }

  /**
   * What stands in the box for a number now. It is sent a moment after the last key, or at once when the student `isDone` with
   * it. What `isHeld` by an input method, which may change it still, waits until the student turns away.
   */
  type(questionId: string, text: string, isDone = false, isHeld = false): void {
    if (!this.#mayChange) return;
    if (isHeld && !isDone) this.#typing.hold(questionId, text);
    else this.#typing.put(questionId, text);
    if (isDone) this.#typing.sendNow();
    else this.changed();
  }

  mark(questionId: string, marked: boolean): void {
    if (this.#mayChange) this.#exchange.do({ type: "mark", questionId, marked });
  }

  /** Crosses an option out, or restores it. The chosen one stays, since nobody may lose an answer by a slip. */
  eliminate(questionId: string, choice: Choice, isOut: boolean): void {
    const { selected, eliminated } = stateOf(this.#work.answers, questionId);
    const isAsWanted = eliminated.includes(choice) === isOut;
    if (!this.#mayChange || isAsWanted || (isOut && choice === selected)) return;
    this.#exchange.do({ type: "eliminate", questionId, eliminated: withCross(eliminated, choice, isOut) });
  }

  /** Allowed during a pause and after the end of the time too: those close the sheet, which then hands in its last stroke. */
  draw(questionId: string, drawing: StoredDrawing | null): void {
    if (this.#phase !== "running" || this.#position.ending !== null) return;
    this.#work.draw(questionId, drawing);
    this.changed();
  }

  /** The student has closed the sheet. */
  drawn(): void {
    this.#work.sendDrafts();
  }

  /** Turns to the question at this index. Where questions come in order, the page offers those in reach alone. */
  go(index: number): void {
    if (!this.#mayChange || !this.#position.has(index)) return;
    this.#typing.sendNow();
    this.#reportSeconds();
    this.#work.sendDrafts();
    this.#position.open(index);
    this.#exchange.visit();
  }

  /** Ends the stage or the test, once the server has everything else. */
  end(ending: Ending): void {
    if (!this.#mayChange) return;
    this.#typing.sendNow();
    this.#reportSeconds();
    this.#work.sendDrafts();
    this.#position.ask(ending);
    this.#exchange.advance();
  }

  /** Withdraws the ending, as long as the server can't have received it. */
  goBack(): void {
    if (!this.#position.canWithdraw) return;
    this.#position.withdraw();
    void this.#exchange.keep();
    this.changed();
  }

  /** The page has lost the focus, or has it again. */
  away(isAway: boolean): void {
    this.#time.away(isAway);
    if (isAway) this.#typing.sendNow();
    if (isAway) this.#work.sendDrafts();
    if (this.#phase === "running") this.#exchange.line.say({ type: "focus", away: isAway });
  }

  /** The page is hidden, and may never be shown again. */
  leave(): void {
    this.#typing.sendNow();
    if (this.#phase === "running") this.#work.sendDrafts();
    // The record says how long the student has looked at the question.
    if (this.#phase === "running") void this.#exchange.keep();
    this.#persistence.handOver();
  }

  retryNow(): void {
    this.#exchange.line.retryNow();
  }

  networkLost(): void {
    this.#exchange.line.networkLost();
  }

  /** Once a second. */
  tick(): void {
    if (this.#phase !== "running") return;
    if (this.#time.hasSlept()) this.#exchange.line.retryNow();
    this.#exchange.line.tick();
    this.#exchange.report();
    const mark = this.#time.alert();
    if (mark !== undefined) this.alerted(mark);
    // What an input method holds has no timer, and the box is closed now.
    if (this.#time.isUp || this.#time.isPaused) this.#typing.sendNow();
    if (this.#time.isUp) this.changed();
  }

  close(): void {
    this.#typing.sendNow();
    this.#exchange.line.end();
    this.#persistence.end();
  }

  /** Deletes everything that this device has stored of the test. */
  forget(): Promise<void> {
    return this.#persistence.forget();
  }

  /** Whether this device alone has something that did not arrive, and that staff may still take as a file. */
  get isHolding(): boolean {
    return this.#lost > 0 && !this.isSettled && this.unsent !== undefined;
  }

  /**
   * The student has read how the test ended: what this device has stored of it is deleted, unless nobody else has it, or the
   * server has not answered for work that came too late. That is sent again when the page is loaded once more.
   */
  endRead(): Promise<void> {
    return this.isHolding || this.#hasUnanswered ? Promise.resolve() : this.forget();
  }

  dismiss(id: number): void {
    this.#notices = this.#notices.filter((notice) => notice.id !== id);
    this.changed();
  }

  get #mayChange(): boolean {
    return this.#phase === "running" && !this.#isClosing && !this.#time.isPaused && this.#position.ending === null && !this.#time.isUp;
  }

  /** Reports the time on the question that the student is about to leave. */
  #reportSeconds(): void {
    const { questionId } = this.#position;
    if (questionId === undefined) return;
    const state = stateOf(this.#work.answers, questionId);
    const seconds = this.#time.secondsOn(questionId);
    if (seconds - state.seconds >= REPORTED_SECONDS_MIN) this.#exchange.do({ type: "answer", questionId, selected: state.selected, timeTaken: seconds });
  }

  /** What was typed just before a pause or the end of the time is still of the test, as a last stroke is. */
  #typed(questionId: string, selected: Selected | null): void {
    const isNews = stateOf(this.#work.answers, questionId).selected !== selected;
    const isOpen = this.#phase === "running" && !this.#isClosing && this.#position.ending === null;
    if (!isNews || !isOpen) return this.changed();
    this.#exchange.do({ type: "answer", questionId, selected, timeTaken: this.#time.secondsOn(questionId) });
  }

  #notify(kind: Notice["kind"], text: string, seconds: number): void {
    this.#notices = withNotice(this.#notices, kind, text, seconds);
    this.changed();
  }

  #overrule({ type, questionId }: Command, selected: Selected | null | undefined): void {
    const { questionIds = [], optionOrder = {} } = this.#position.record;
    const question = questionIds.indexOf(questionId) + 1;
    const elsewhere = type === "drawing" ? { question } : { question, selected: selected ? seenLetter(selected, optionOrder[questionId]) : null };
    this.#notices = withNotice(this.#notices, "elsewhere", "", 0, elsewhere);
    this.changed();
  }

  /**
   * The test is over. The server may have received more than it has acknowledged, so the page asks before it reports
   * a loss to the student.
   */
  async #close(): Promise<void> {
    if (this.#phase !== "running" || this.#isClosing) return;
    this.#typing.sendNow();
    if (this.#work.lost() === 0) return this.#finish("submitted");
    this.#isClosing = true;
    // The last strokes, too: nothing of them is stored yet, and a reload while the page asks must still tell their loss.
    this.#persistence.writeWhole();
    this.#exchange.line.end();
    const { sessionId, token } = this.#session;
    const answer = await this.#platform.network.request("GET", `/api/live/${sessionId}`, token).catch(() => undefined);
    this.#finish("submitted", standingOf(answer, sessionId));
  }

  #finish(phase: Phase, standing?: Standing): void {
    if (this.#phase !== "running") return;
    const isOver = phase === "submitted" || phase === "ended";
    // It is lost or late like all that was not sent.
    if (isOver) this.#typing.sendNow();
    if (isOver && this.#late === undefined && this.#platform.sendLate !== undefined && this.#work.lost(standing) > 0) return void this.#sendLate(phase, standing);
    this.#phase = phase;
    this.#reason ??= standing?.reason;
    this.#exchange.line.end();
    if (isOver) {
      this.#lost = this.#work.lost(standing, this.#late);
      this.#lateCount = this.#work.lost(standing) - this.#lost;
      this.#answered = this.#stored(standing);
      // Answers that did not arrive stay stored until the student has read that they are lost, and late ones where a proctor has
      // ended the test, who may reopen it: then they go out again.
      if (this.#lost === 0 && (this.#lateCount === 0 || this.#reason !== "proctor")) void this.forget();
      else this.#persistence.writeLast();
    }
    this.#persistence.end();
    this.changed();
  }

  /** Whatever the server did not get in time is sent all the same: staff decide whether it counts. */
  async #sendLate(phase: Phase, standing?: Standing): Promise<void> {
    [this.#isClosing, this.#late] = [true, []];
    this.#persistence.writeWhole();
    this.#exchange.line.end();
    const answer = await this.#platform.sendLate?.(this.#session, this.#work.whole.put).catch(() => undefined);
    [this.#late, this.#hasUnanswered] = [answer?.kept ?? [], answer?.isWhole !== true];
    this.#finish(phase, standing);
  }

  /** What the server has not told that it has, for a file; undefined where it takes none. */
  get unsent(): { sessionId: string; token: string; lateKey: string; commands: Command[] } | undefined {
    const { lateKey } = this.#position.record;
    return lateKey === undefined ? undefined : { ...this.#session, lateKey, commands: this.#work.whole.put.filter((command) => !this.#late?.includes(command)) };
  }

  /** How many answers the server has stored. Without its own list, that is known where this page has lost none. */
  #stored(standing?: Standing): number | undefined {
    if (standing?.type === "resumed") return standing.answers.filter(({ selected }) => selected !== null).length;
    return this.#lost === 0 ? count(this.#work.answers, Object.keys(this.#work.answers)).answered : undefined;
  }

  async #keep(write: AttemptWrite): Promise<void> {
    if (this.#phase === "running") await this.#persistence.write({ ...write, record: this.#record });
  }

  get #record(): AttemptRecord {
    const { questionId } = this.#position;
    const looked = questionId === undefined ? {} : { looked: { questionId, seconds: this.#time.secondsOn(questionId) } };
    return { ...this.#position.record, ...this.#work.record, ...looked };
  }
}
