// The exchange with the server about one test: what goes out, and what each frame changes. Separate from the exam so
// that this reads as the other half of the protocol, without what a student or a browser does.

import { stateOf } from "./answers";
import { Gate } from "./gate";
import { Line, type FrameContext } from "./line";
import type { Persistence } from "./persistence";
import type { AttemptWrite, Platform } from "./ports";
import type { Position } from "./position";
import type { Change, Command, EndingCommand, EndReason, ErrorCode, ErrorFrame, ExamFrame, OrderFrame, Selected, StageFrame, Standing, Times } from "./protocol";
import { timesOf } from "./reply";
import type { Timekeeper } from "./timekeeper";
import { isClockOff, TroubleReport } from "./trouble";
import type { Notice, Phase, Saving } from "./view";
import type { Work } from "./work";

/** The parts of an exam that frames change. */
export interface ExchangeParts {
  work: Work;
  position: Position;
  time: Timekeeper;
  persistence: Persistence;
}

export interface ExchangeEvents {
  /** Writes this to the browser's database, with the record as it is now. */
  keep(write: AttemptWrite): Promise<void>;
  changed(): void;
  /** The server has given an alert about the time, with this mark. */
  alerted(mark: number): void;
  notify(kind: Notice["kind"], text: string, seconds: number): void;
  /** Another device has answered or drawn later than this command, which is dropped. `selected` is what stands. */
  overruled(command: Command, selected: Selected | null | undefined): void;
  /** The server has ended the test for this reason, and said no more than that. */
  submitted(reason: EndReason): void;
  /** The test is over for this page. `standing` is what the server has of it, where it has said so. */
  finish(phase: Phase, standing?: Standing): void;
}

export class Exchange {
  readonly line: Line;
  #gate: Gate;
  /** The server has said that it can't save anything at the moment. */
  #isStoreAway = false;
  #report: TroubleReport;
  /** In how many messages in a row the clock was off: a single one may have waited while the page was frozen. */
  #clockOff = 0;

  constructor(
    private parts: ExchangeParts,
    private platform: Platform,
    session: { sessionId: string; token: string },
    private events: ExchangeEvents,
  ) {
    this.#report = new TroubleReport(platform.network, session);
    this.#gate = new Gate(platform.timing, () => this.advance());
    this.line = new Line(platform.network, platform.timing, session, {
      pending: () => this.#pending(),
      timeVersion: () => parts.time.version,
      deviceLine: () => parts.work.line ?? 0,
      settled: (isDone) => this.#settle(isDone),
      received: (frame, context) => this.#hear(frame, context),
      transportChanged: () => events.changed(),
      isMine: () => parts.persistence.isMine(),
      superseded: () => events.finish("superseded"),
      refused: () => events.finish("refused"),
    });
  }

  get saving(): Saving {
    if (this.line.transport === "none") return "offline";
    if (this.parts.work.isSaved) return "saved";
    return this.#isStoreAway ? "waiting" : "saving";
  }

  /** Tells the server what is wrong at this computer, if that has changed. */
  report(): void {
    const found = { storage: !this.parts.persistence.isKept, clock: this.#clockOff > 1, paper: false, saving: this.saving === "waiting" };
    this.#report.tell(found, this.line.transport, (frame) => this.line.say(frame));
  }

  do(change: Change): void {
    const { serverMs } = this.parts.time;
    // Only what waits for a connection may come too late, and then it matters when it was done.
    const at = this.line.transport === "none" && serverMs !== undefined ? { at: new Date(serverMs).toISOString() } : {};
    void this.keep(this.parts.work.do({ ...change, ...at }));
    this.line.deliver();
    this.events.changed();
  }

  /** The student now looks at the current question. */
  visit(): void {
    const { questionId } = this.parts.position;
    if (questionId === undefined) return;
    this.look();
    this.do({ type: "visit", questionId });
  }

  #pending(): (Command | EndingCommand)[] {
    if (this.parts.time.isPaused || !this.#gate.isOpen) return [];
    const { ending } = this.parts.position;
    if (this.parts.work.unsaved.length > 0) return this.parts.work.unsaved;
    const { line } = this.parts.work;
    return ending?.seq === undefined ? [] : [{ type: ending.type, seq: ending.seq, ...(line === undefined ? {} : { line }) }];
  }

  #settle(isDone: (seq: number) => boolean): void {
    this.#isStoreAway = false;
    this.advance(this.parts.work.settle(isDone));
  }

  /** Keeps and sends what there is. The ending gets its number when everything before it is saved. */
  advance(write: AttemptWrite = {}): void {
    if (this.parts.work.unsaved.length === 0 && this.#gate.hasStanding) this.parts.position.numberEnding(() => this.parts.work.number());
    void this.keep(write);
    this.line.deliver();
    this.events.changed();
  }

  /** Writes this, and with it which numbers the server may have received: none, while nothing is to be sent. */
  async keep(write: AttemptWrite = {}): Promise<void> {
    const isSending = this.parts.work.unsaved.length > 0 || this.parts.position.ending?.seq !== undefined;
    if (this.line.transport !== "none" && isSending) this.parts.work.sent();
    await this.events.keep(write);
  }

  #hear(frame: ExamFrame, context: FrameContext): void {
    switch (frame.type) {
      case "started":
      case "resumed":
        return this.stand(frame, context.roundTripMs, context.isAsked ?? false);
      case "time":
        this.#compare(frame.serverTime);
        if (context.roundTripMs !== undefined) this.parts.time.heard(frame.serverTime, context.roundTripMs);
        return this.#hearTimes(frame, context.roundTripMs);
      case "alert":
        if (this.parts.time.isNews(frame.remainingMs)) this.events.alerted(frame.remainingMs);
        return;
      case "paused":
      case "unpaused":
      case "extended":
        return this.#hearOrder(frame);
      case "notice":
        return this.events.notify("notice", frame.text, 0);
      case "stage":
        return this.#toStage(frame);
      case "submitted":
        return this.events.submitted(frame.reason);
      case "error":
        return this.#refused(frame, context.isLate ?? false);
      case "receipt":
        // This page asks by HTTPS.
        return;
      default:
        // Every frame that the protocol names is handled above; one of a newer server is ignored.
        return void (frame satisfies never);
    }
  }

  /**
   * Adopts where the test stands for the server, and puts this page's unsaved changes on top. `isAsked` when a socket goes on
   * as it was.
   */
  stand(standing: Standing, roundTripMs?: number, isAsked = false): void {
    const isNewSocket = this.line.transport === "socket" && !isAsked;
    this.parts.time.heard(standing.serverTime);
    if (isNewSocket) this.#report.forget();
    else this.#compare(standing.serverTime);
    if (standing.state === "submitted") return this.events.finish(this.#gate.hasStanding ? "submitted" : "ended", standing);
    if (this.parts.position.isPast(standing.stage)) return;
    this.parts.position.adopt(standing, this.parts.work.isElsewhere(standing));
    const adopted = this.parts.work.adopt(standing, isNewSocket);
    this.#gate.hasStanding = true;
    this.parts.time.stands(standing.durationMinutes);
    const changedMs = this.parts.time.told(timesOf(standing), roundTripMs, isNewSocket);
    this.#isStoreAway = false;
    this.#sendAfter(this.keep(adopted));
    const { questionId } = this.parts.position;
    if (questionId !== undefined && (this.parts.time.isPaused || stateOf(this.parts.work.answers, questionId).visited)) this.look();
    else this.visit();
    this.advance();
    this.#tellChange(changedMs);
  }

  /** The server has said how the time stands. Whoever had no more time, or a pause, may go on at once. */
  #hearTimes(times: Times, roundTripMs?: number): void {
    const { time, work } = this.parts;
    const stoodStill = time.isPaused || time.isUp;
    const changedMs = time.told(times, roundTripMs);
    const goesOn = !time.isPaused && !time.isUp;
    if (goesOn && (changedMs > 0 || stoodStill)) this.advance(work.retryLate());
    else if (!goesOn) this.events.changed();
    this.#tellChange(changedMs);
  }

  /** The student reads of each change, unless it is too small to see. */
  #tellChange(changedMs: number): void {
    const seconds = Math.round(Math.abs(changedMs) / 1_000);
    if (seconds > 0) this.events.notify(changedMs > 0 ? "more" : "less", "", seconds);
  }

  /** An order of a proctor. A server that does not count the changes says of each only what is new in it. */
  #hearOrder(frame: OrderFrame): void {
    const { deadline, serverTime, remainingMs } = frame;
    if (frame.timeVersion !== undefined && deadline !== undefined && serverTime !== undefined && remainingMs !== undefined) {
      const word = frame.type === "paused" ? { pauseText: frame.text ?? "" } : {};
      return this.#hearTimes({ ...frame, ...word, deadline, serverTime, remainingMs });
    }
    if (frame.type === "paused") return this.#pause(frame.text ?? "");
    this.parts.time.changed(frame.remainingMs);
    if (frame.type === "unpaused") return this.#unpause();
    this.advance(this.parts.work.retryLate());
    this.#tellChange(frame.minutes * 60_000);
  }

  /** Compares the clocks. An answer to commands does not say the time of day. */
  #compare(serverTime: string): void {
    if (serverTime !== "") this.#clockOff = isClockOff(this.platform.timing.calendar() - Date.parse(serverTime)) ? this.#clockOff + 1 : 0;
  }

  /** Counts the time on the current question, if there is one. */
  look(): void {
    const { questionId } = this.parts.position;
    if (questionId !== undefined) this.parts.time.turnTo(questionId, stateOf(this.parts.work.answers, questionId).seconds);
  }

  #pause(text?: string): void {
    this.parts.time.pause(text);
    this.events.changed();
  }

  #unpause(): void {
    this.parts.time.unpause();
    this.advance();
  }

  #toStage(frame: StageFrame): void {
    if (this.parts.position.enter(frame)) this.visit();
  }

  /** `isLate` when the frame came over a transport that is no longer in use: what it says of a pause may be over. */
  #refused(frame: ErrorFrame, isLate: boolean): void {
    const { code, seq } = frame;
    if (code === "storage_unavailable") this.#isStoreAway = true;
    if (seq === undefined || code === "storage_unavailable") return this.events.changed();
    if (code === "paused" || code === "rate_limited" || code === "not_begun") return this.#again(code, seq, isLate);
    this.parts.position.refuse(seq);
    if (code === "superseded_by") return this.#superseded(frame);
    if (code === "too_large") this.events.notify("refused", "", 0);
    this.advance(this.parts.work.giveUp(seq, code === "late" || code === "already_submitted"));
  }

  /** Another device, to which the student went later, has set this. Whoever changes it here after reading that is later again. */
  #superseded(frame: ErrorFrame): void {
    const { write, told } = this.parts.work.supersede(frame);
    if (told !== undefined) this.events.overruled(told, frame.selected);
    this.advance(write);
    if ((frame.line ?? 0) > (this.parts.work.line ?? 0)) this.line.askAnew();
  }

  /** The server did not apply this command. It goes out again under a new number, behind those that overtook it. */
  #again(code: ErrorCode, seq: number, isLate: boolean): void {
    void this.keep(this.parts.work.renumber(seq));
    this.parts.position.unnumber(seq);
    if (code === "paused") return isLate ? this.advance() : this.#pause();
    this.#gate.hold();
  }

  /**
   * Lets commands out only after the database has noted that they may have been sent. Otherwise a page that reloads
   * would take those that arrived for the work of another device, and drop the rest. Where lines tell the devices apart,
   * there is nothing to wait for.
   */
  #sendAfter(keeping: Promise<void>): void {
    if (this.parts.work.unsaved.length === 0 || this.parts.work.line !== undefined) return;
    if (!this.parts.persistence.isKept) return this.parts.persistence.handOver();
    this.#gate.waitFor(keeping);
  }
}
