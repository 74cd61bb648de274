// One student's test as the page lives it: what they do is kept on the device at once, and sent until the server has it.

import { canOpen, stateOf } from "./answers";
import { Persistence } from "./persistence";
import { Line, type FrameContext } from "./line";
import type { AttemptRecord, AttemptStore, StoredAttempt, Network, Timing, AttemptWrite } from "./ports";
import type { Change, Choice, Command, Ending, EndingCommand, ErrorFrame, ExamFrame, StageFrame, Standing, StoredDrawing } from "./protocol";
import { standingOf } from "./reply";
import { Timekeeper } from "./timekeeper";
import { termsOf, withNotice, type Notice, type Phase, type View } from "./view";
import { Work } from "./work";

/** After `rate_limited`. */
const HOLD_MS = 1_000;
/** More time than this on a question is told to the server when the student turns to another. */
const WORTH_TELLING_SECONDS = 2;

export interface Platform {
  network: Network;
  timing: Timing;
  attempts: AttemptStore;
}

export class Exam {
  /** Called after each change of the view. */
  changed: () => void = () => {};
  /** Called with a mark of `alerts.ts` when the student is to be told of the time. */
  alerted: (mark: number) => void = () => {};

  #platform: Platform;
  #persistence: Persistence;
  #record: AttemptRecord;
  #session: { sessionId: string; token: string };
  #work: Work;
  #line: Line;
  #time: Timekeeper;
  #ending: { type: Ending; seq?: number } | null;
  #phase: Phase = "running";
  /** The test is over, and it is being asked what the server has of it. */
  #isClosing = false;
  #isStoreAway = false;
  #isHeld = false;
  #hasStood = false;
  /** So many writes that must be done before anything goes out. */
  #notes = 0;
  #lost = 0;
  #notices: Notice[] = [];

  /** Goes on with a test that the server has started: `standing` is its answer to a start, just come, which took so long. */
  constructor(kept: StoredAttempt, platform: Platform, standing?: Standing, roundTripMs = 0) {
    const { record } = kept;
    if (record.sessionId === undefined || record.token === undefined) throw new Error("the test has not been started");
    this.#platform = platform;
    this.#record = record;
    this.#session = { sessionId: record.sessionId, token: record.token };
    this.#ending = record.ending ?? null;
    this.#time = new Timekeeper(platform.timing);
    this.#work = new Work(kept, platform.timing, {
      hasTransport: () => this.#line.transport !== "none",
      drawn: (change) => this.#phase === "running" && this.#do(change),
      keep: (write) => void this.#keep(write),
    });
    this.#persistence = new Persistence(platform.attempts, platform.timing, record.test, kept, {
      whole: () => ({ ...this.#work.whole, record: this.#written() }),
      changed: () => this.changed(),
      lost: () => this.#finish("superseded"),
    });
    this.#line = new Line(platform.network, platform.timing, this.#session, {
      pending: () => this.#pending(),
      settled: (isDone) => this.#settle(isDone),
      received: (frame, context) => this.#hear(frame, context),
      transportChanged: () => this.changed(),
      isMine: () => this.#persistence.isMine(),
      superseded: () => this.#finish("superseded"),
      refused: () => this.#finish("refused"),
    });
    if (kept.hasHandover) this.#persistence.writeWhole();
    if (standing !== undefined) this.#stand(standing, roundTripMs);
    if (this.#phase === "running") this.#line.connect();
  }

  get view(): View {
    return {
      ...termsOf(this.#record),
      phase: this.#phase,
      sessionId: this.#session.sessionId,
      answers: this.#work.answers,
      isPaused: this.#time.isPaused,
      isTimeUp: this.#time.isUp,
      ending: this.#ending?.type ?? null,
      canGoBack: this.#canGoBack,
      saving: this.#saving,
      isKeptHere: this.#persistence.isKept,
      notices: this.#notices,
      lost: this.#lost,
    };
  }

  /** Milliseconds left by the server's clock; undefined until the server has said. */
  get remainingMs(): number | undefined {
    return this.#time.remainingMs;
  }

  /** What continues this test on another device. */
  get continuation(): string {
    return `${this.#session.sessionId}.${this.#session.token}`;
  }

  choose(questionId: string, selected: Choice | null): void {
    if (!this.#mayChange) return;
    this.#do({ type: "answer", questionId, selected, timeTaken: this.#time.secondsOn(questionId) });
  }

  mark(questionId: string, marked: boolean): void {
    if (this.#mayChange) this.#do({ type: "mark", questionId, marked });
  }

  /** Also what was under way when a pause or the end of the time closed the sheet. */
  draw(questionId: string, drawing: StoredDrawing | null): void {
    if (this.#phase !== "running" || this.#ending !== null) return;
    this.#work.draw(questionId, drawing);
    this.changed();
  }

  /** The student has put the pen down. */
  drawn(): void {
    this.#work.sendDrafts();
  }

  /** Turns to the question at this place, if it may be opened. */
  go(index: number): void {
    const { questionIds = [] } = this.#record;
    const questionId = questionIds[index];
    if (questionId === undefined || !this.#mayChange || !canOpen(this.#work.answers, questionIds, index)) return;
    this.#tellTime();
    this.#work.sendDrafts();
    this.#record = { ...this.#record, current: index };
    this.#turn(questionId);
  }

  /** Ends the stage or the test, once everything else is with the server. */
  end(ending: Ending): void {
    if (!this.#mayChange) return;
    this.#tellTime();
    this.#work.sendDrafts();
    this.#ending = { type: ending };
    this.#advance();
  }

  /** Takes the ending back, as long as no transport can have carried it. */
  goBack(): void {
    if (!this.#canGoBack) return;
    this.#ending = null;
    void this.#keep();
    this.changed();
  }

  /** The page has lost or regained the student's eyes. */
  away(isAway: boolean): void {
    this.#time.away(isAway);
    if (isAway) this.#work.sendDrafts();
    if (this.#phase === "running") this.#line.say({ type: "focus", away: isAway });
  }

  /** The page can't be seen any more, and may never be again. */
  leave(): void {
    if (this.#phase === "running") this.#work.sendDrafts();
    this.#persistence.leave();
  }

  retryNow(): void {
    this.#line.retryNow();
  }

  networkLost(): void {
    this.#line.networkLost();
  }

  /** Once a second. */
  tick(): void {
    if (this.#phase !== "running") return;
    if (this.#time.hasSlept()) this.#line.retryNow();
    this.#line.tick();
    const mark = this.#time.alert();
    if (mark !== undefined) this.alerted(mark);
    if (this.#time.isUp) this.changed();
  }

  close(): void {
    this.#line.end();
    this.#persistence.end();
  }

  /** Nothing of it is to be kept on this device any more. */
  forget(): Promise<void> {
    return this.#persistence.forget();
  }

  dismiss(id: number): void {
    this.#notices = this.#notices.filter((notice) => notice.id !== id);
    this.changed();
  }

  get #mayChange(): boolean {
    return this.#phase === "running" && !this.#isClosing && !this.#time.isPaused && this.#ending === null && !this.#time.isUp;
  }

  get #canGoBack(): boolean {
    return this.#ending !== null && (this.#ending.seq === undefined || !this.#work.isSent(this.#ending.seq));
  }

  get #saving(): View["saving"] {
    if (this.#line.transport === "none") return "offline";
    if (this.#work.isSaved) return "saved";
    return this.#isStoreAway ? "waiting" : "saving";
  }

  #do(change: Change): void {
    void this.#keep(this.#work.do(change));
    this.#line.deliver();
    this.changed();
  }

  #turn(questionId: string): void {
    this.#look(questionId);
    this.#do({ type: "visit", questionId });
  }

  /** The time on the question that the student leaves. */
  #tellTime(): void {
    const questionId = this.#record.questionIds?.[this.#record.current ?? 0];
    if (questionId === undefined) return;
    const state = stateOf(this.#work.answers, questionId);
    const seconds = this.#time.secondsOn(questionId);
    if (seconds - state.seconds >= WORTH_TELLING_SECONDS) this.#do({ type: "answer", questionId, selected: state.selected, timeTaken: seconds });
  }

  #pending(): (Command | EndingCommand)[] {
    if (this.#time.isPaused || this.#isHeld || this.#notes > 0 || !this.#hasStood) return [];
    const unsaved = this.#work.unsaved;
    if (unsaved.length > 0) return unsaved;
    const ending = this.#ending;
    return ending?.seq === undefined ? [] : [{ type: ending.type, seq: ending.seq }];
  }

  #settle(isDone: (seq: number) => boolean): void {
    this.#isStoreAway = false;
    this.#advance(this.#work.settle(isDone));
  }

  /** The ending gets its number when everything before it is saved. */
  #advance(write: AttemptWrite = {}): void {
    if (this.#ending !== null && this.#ending.seq === undefined && this.#work.unsaved.length === 0 && this.#hasStood) {
      this.#ending = { ...this.#ending, seq: this.#work.number() };
    }
    void this.#keep(write);
    this.#line.deliver();
    this.changed();
  }

  #hear(frame: ExamFrame, context: FrameContext): void {
    switch (frame.type) {
      case "started":
      case "resumed":
        return this.#stand(frame, context.roundTripMs ?? 0);
      case "time":
        return this.#time.received(frame.remainingMs, context.roundTripMs);
      case "alert":
        if (this.#time.isNews(frame.remainingMs)) this.alerted(frame.remainingMs);
        return;
      case "paused":
        return this.#pause();
      case "unpaused":
        this.#time.changed(frame.remainingMs);
        return this.#unpause();
      case "extended":
        this.#time.changed(frame.remainingMs);
        return this.#notify("extended", "", frame.minutes);
      case "notice":
        return this.#notify("notice", frame.text, 0);
      case "stage":
        return this.#toStage(frame);
      case "submitted":
        return void this.#close();
      case "error":
        return this.#refused(frame, context.isLate ?? false);
      default:
        // Every frame that the protocol names is handled above; one of a newer server is ignored.
        return void (frame satisfies never);
    }
  }

  /** Where the test stands, by the server: its answers, with this page's unsaved changes upon them. */
  #stand(standing: Standing, roundTripMs: number): void {
    if (standing.state === "submitted") return this.#finish(this.#hasStood ? "submitted" : "ended", standing);
    const { stage, stages, grade, mode, durationMinutes, questionIds } = standing;
    // An answer that was overtaken: a stage that has ended never comes back.
    if (stage < (this.#record.stage ?? 0)) return;
    // Who has gone on elsewhere since has not handed it in.
    const isOvertaken = !this.#work.isSent(standing.seq) && (this.#ending?.seq === undefined || !this.#work.isSent(this.#ending.seq));
    const adopted = this.#work.adopt(standing, this.#line.transport === "socket");
    const isNewStage = this.#record.stage !== undefined && this.#record.stage !== stage;
    const current = isNewStage ? 0 : Math.min(this.#record.current ?? 0, questionIds.length - 1);
    if (this.#ending !== null) this.#ending = isNewStage || isOvertaken ? null : { type: this.#ending.type };
    this.#record = { ...this.#record, stage, stages, grade, mode, durationMinutes, questionIds, current };
    this.#hasStood = true;
    this.#time.stands(durationMinutes, standing.remainingMs, roundTripMs);
    this.#isStoreAway = false;
    if (standing.state === "paused") this.#time.pause();
    else this.#time.unpause();
    this.#note(this.#keep(adopted));
    const questionId = questionIds[current];
    if (questionId !== undefined && !stateOf(this.#work.answers, questionId).visited && !this.#time.isPaused) this.#turn(questionId);
    else if (questionId !== undefined) this.#look(questionId);
    this.#advance();
  }

  #look(questionId: string): void {
    this.#time.turnTo(questionId, stateOf(this.#work.answers, questionId).seconds);
  }

  #pause(): void {
    this.#time.pause();
    this.changed();
  }

  #unpause(): void {
    this.#time.unpause();
    this.#advance();
  }

  #toStage(frame: StageFrame): void {
    if (frame.stage <= (this.#record.stage ?? 0)) return;
    this.#ending = null;
    this.#record = { ...this.#record, stage: frame.stage, questionIds: frame.questionIds, current: 0 };
    const first = frame.questionIds[0];
    if (first !== undefined) this.#turn(first);
  }

  /** `isLate` when the transport that says so is not the one in use any more: what it says of the test may be over. */
  #refused({ code, seq }: ErrorFrame, isLate: boolean): void {
    if (code === "storage_unavailable") this.#isStoreAway = true;
    if (seq === undefined || code === "storage_unavailable") return this.changed();
    if (code === "paused" || code === "rate_limited") return this.#again(code, seq, isLate);
    if (seq === this.#ending?.seq) this.#ending = null;
    if (code === "too_large") this.#notify("refused", "", 0);
    this.#advance(this.#work.giveUp(seq, code === "late" || code === "already_submitted"));
  }

  /** What was not applied goes out again, behind what has overtaken it. */
  #again(code: string, seq: number, isLate: boolean): void {
    void this.#keep(this.#work.renumber(seq));
    if (seq === this.#ending?.seq) this.#ending = { type: this.#ending.type };
    if (code === "paused") return isLate ? this.#advance() : this.#pause();
    this.#isHeld = true;
    this.#platform.timing.later(HOLD_MS, () => {
      this.#isHeld = false;
      this.#advance();
    });
  }

  #notify(kind: Notice["kind"], text: string, minutes: number): void {
    this.#notices = withNotice(this.#notices, kind, text, minutes);
    this.changed();
  }

  /** The test is over: the server may have more than it has said, so it is asked before anybody is told of a loss. */
  async #close(): Promise<void> {
    if (this.#phase !== "running" || this.#isClosing) return;
    if (this.#work.lost() === 0) return this.#finish("submitted");
    this.#isClosing = true;
    this.#line.end();
    const { sessionId, token } = this.#session;
    const answer = await this.#platform.network.request("GET", `/api/live/${sessionId}`, token).catch(() => undefined);
    this.#finish("submitted", standingOf(answer, sessionId));
  }

  #finish(phase: Phase, standing?: Standing): void {
    if (this.#phase !== "running") return;
    this.#phase = phase;
    this.#line.end();
    this.#persistence.end();
    if (phase === "submitted" || phase === "ended") {
      this.#lost = this.#work.lost(standing);
      // What did not arrive is kept until the student has read so.
      if (this.#lost === 0) void this.forget();
    }
    this.changed();
  }

  /**
   * What was numbered without a transport is sent only when it is kept that it may have been: a page that is loaded anew
   * would take what had arrived of it for the work of another device, and drop the rest.
   */
  #note(keeping: Promise<void>): void {
    if (this.#work.unsaved.length === 0) return;
    if (!this.#persistence.isKept) return this.#persistence.leave();
    this.#notes += 1;
    void keeping.then(() => {
      this.#notes -= 1;
      this.#advance();
    });
  }

  /** Keeps the record, and what else is to be kept with it, in one piece. */
  async #keep(write: AttemptWrite = {}): Promise<void> {
    if (this.#line.transport !== "none") this.#work.sent();
    this.#record = this.#written();
    if (this.#phase === "running") await this.#persistence.write({ ...write, record: this.#record });
  }

  #written(): AttemptRecord {
    return { ...this.#record, ...this.#work.record, ending: this.#ending };
  }
}
