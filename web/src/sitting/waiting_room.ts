// A candidate's place in a sitting from entering to the beginning: a connection that is kept up, the clock, the paper, and
// at last the beginning itself. Separate from the exam's own line because nothing of the student's can be lost here, and the
// one message that counts comes to everybody in the same moment.

import { SleepWatch } from "../exam/clock";
import type { Platform } from "../exam/ports";
import { FINAL_CODES, readFrame, type BeginFrame, type ServerFrame, type Standing, type Trouble, type WaitingFrame } from "../exam/protocol";
import { isRefusal, standingOf, waitingOf } from "../exam/reply";
import { ServerTime } from "../exam/server_time";
import { isClockOff, TroubleReport } from "../exam/trouble";
import { pauseBeforeSocket } from "../line/backoff";
import { Keeper } from "../line/keeper";
import { standingAtStart, type Beginning } from "./beginning";
import { HandedSocket } from "./network";
import type { Paper } from "./paper";
import type { PaperStore } from "./ports";
import { ReadyReport } from "./ready_report";
import { StartWatch } from "./start_watch";

export type { Beginning };

/** A socket has this long to open and to answer. */
const OPEN_MS = 8_000;
/**
 * After this much silence, or up to a quarter more, since pages that came together should not ask together, the server is
 * asked for a sign of life, and it has this long to give one.
 */
const SILENCE_MS = 20_000;
const PROBE_MS = 6_000;
/** The server answers a long poll after 25 seconds at the latest. */
const POLL_MS = 25_000;
/** A paper for everybody is fetched over this time, or a third of the time that is left. */
const FETCH_SPREAD_MS = 20_000;
const FIRST_SPREAD_MS = 3_000;
const NORMAL = 1000;

/** How the page hears of the beginning. */
export type Connection = "none" | "socket" | "https";
export type RoomPhase = "waiting" | "superseded" | "refused" | "begun";

export interface RoomNotice {
  id: number;
  text: string;
}

export interface RoomEvents {
  changed(): void;
  begun(beginning: Beginning): void;
}

export class WaitingRoom {
  phase: RoomPhase = "waiting";
  connection: Connection = "none";
  /** How long the last answer took, there and back; undefined before the first one. */
  roundTripMs: number | undefined;
  notices: RoomNotice[] = [];
  /** Whether the browser stores what is given to it, once the page has tried. */
  canKeep: boolean | undefined;
  waiting: WaitingFrame | undefined;
  #time = new ServerTime();
  #sleep = new SleepWatch();
  #keeper: Keeper<"superseded" | "refused">;
  #polls = 0;
  #ready: ReadyReport;
  /** The newest line that this device has been given; 0 for none. */
  #line: number;
  #random: number;
  #startWatch: StartWatch;
  #report: TroubleReport;

  /**
   * `waiting` is what the server has just said, or what this device has kept of it; it took `roundTripMs` if it is new.
   * `line` is that of this device, if it has been to this test before.
   */
  constructor(
    private session: { sessionId: string; token: string },
    private attempt: string,
    private platform: Platform,
    private paper: Paper,
    private store: PaperStore,
    private events: RoomEvents,
    kept: { waiting?: WaitingFrame | undefined; seq?: number; roundTripMs?: number; line?: number | undefined } = {},
  ) {
    [this.#ready, this.#line] = [new ReadyReport(kept.seq ?? 0), kept.line ?? 0];
    this.#random = platform.timing.random();
    this.#startWatch = new StartWatch(this.#random);
    this.#report = new TroubleReport(platform.network, session);
    this.#keeper = new Keeper(platform.timing, { openMs: () => OPEN_MS, ends: FINAL_CODES }, {
      open: (events) => platform.network.openSocket(events),
      opened: () => this.#keeper.ask({ type: "resume", ...session, line: this.#line }),
      heard: (text) => this.#read(text),
      lost: (code, wasHeard) => this.#lost(code, wasHeard),
      final: (phase) => this.#stop(phase),
    });
    paper.changed = () => {
      this.#tellReady();
      events.changed();
    };
    if (kept.waiting !== undefined) this.#hear(kept.waiting, kept.roundTripMs);
    this.connect();
  }

  /** Whether the server knows that the paper is here. */
  get isReady(): boolean {
    return this.#ready.isKnown;
  }

  /** Milliseconds until the start, below 0 after it; undefined while the server's time is not known. */
  get startsInMs(): number | undefined {
    const now = this.serverMs;
    return now === undefined || this.waiting === undefined ? undefined : Date.parse(this.waiting.startsAt) - now;
  }

  /** The server's time of day. */
  get serverMs(): number | undefined {
    return this.#time.at(this.#now);
  }

  /** By how much the device's clock is ahead of the server's. */
  get clockErrorMs(): number | undefined {
    const server = this.serverMs;
    return server === undefined ? undefined : this.platform.timing.calendar() - server;
  }

  connect(): void {
    if (this.phase === "waiting") this.#keeper.open();
  }

  /** About twice a second, so that a countdown does not skip. */
  tick(): void {
    if (this.phase !== "waiting") return;
    const now = this.#now;
    if (this.#sleep.look(now, this.platform.timing.calendar())) this.#woken();
    else if (this.connection === "socket") this.#keeper.listen(SILENCE_MS * (1 + this.#random / 4), PROBE_MS);
    this.#lookForStart(now);
    this.#tell({ storage: this.canKeep === false, clock: isClockOff(this.clockErrorMs), paper: this.paper.state === "failed", saving: false });
    this.events.changed();
  }

  /** The network may be back, or the page is looked at again. */
  retryNow(): void {
    if (this.phase !== "waiting") return;
    if (this.connection === "none") this.connect();
    else if (this.connection === "socket") this.#keeper.probe();
  }

  networkLost(): void {
    if (this.phase === "waiting" && this.connection !== "none") this.#keeper.lose();
  }

  /** Takes the place back from another page or device. */
  takeBack(): void {
    this.phase = "waiting";
    this.connect();
    this.events.changed();
  }

  dismiss(id: number): void {
    this.notices = this.notices.filter((notice) => notice.id !== id);
    this.events.changed();
  }

  end(): void {
    if (this.phase === "waiting") this.phase = "refused";
    this.#close();
  }

  get #now(): number {
    return this.platform.timing.now();
  }

  #woken(): void {
    this.#time.doubt();
    if (this.connection === "socket") this.#keeper.probe();
    else this.connect();
  }

  #tell(found: Record<Trouble, boolean>): void {
    this.#report.tell(found, this.connection, (frame) => this.#keeper.say(frame));
  }

  #lookForStart(now: number): void {
    const inMs = this.startsInMs;
    if (inMs === undefined || this.waiting?.start === "proctor") return;
    const due = this.#startWatch.look(now, inMs);
    if (due === "check" && this.#keeper.quietMs > PROBE_MS) this.#keeper.probe();
    if (due === "ask" && this.connection !== "none") void this.#ask(false);
  }

  #read(text: string): void {
    const frame = readFrame(text);
    if (frame === undefined) return;
    const isAnswer = !this.#keeper.isAnswered && (frame.type === "waiting" || frame.type === "resumed");
    if (!isAnswer) return this.#heardOn(frame);
    const tookMs = this.#keeper.answered();
    this.#keeper.failures = 0;
    this.#polls += 1;
    this.#ready.startOver();
    this.#report.forget();
    this.#setConnection("socket");
    this.#heardOn(frame, tookMs);
  }

  #heardOn(frame: ServerFrame, roundTripMs?: number): void {
    const askedMs = this.#keeper.alive();
    // The answer to a `sync`: the time, or that it has not begun.
    const isProbed = frame.type === "time" || (frame.type === "error" && frame.seq === undefined);
    const tripMs = roundTripMs ?? (isProbed ? askedMs : undefined);
    if (tripMs !== undefined) this.roundTripMs = tripMs;
    switch (frame.type) {
      case "waiting":
        return this.#hear(frame, tripMs ?? "unasked");
      case "begin":
        return this.#begin(frame);
      case "resumed":
        return this.#resumed(frame, tripMs ?? 0, true);
      case "time":
        if (tripMs !== undefined) this.#time.heard(frame.serverTime, this.#now, tripMs);
        return this.events.changed();
      case "saved":
        return this.#saved(frame.seq);
      case "notice":
        return this.#notice(frame.text);
      case "superseded":
        return this.#stop("superseded");
      case "restarting":
        this.#keeper.isRestarting = true;
        return;
      case "submitted":
        return void this.#ask(false);
      case "error":
        if (frame.seq !== undefined) this.#ready.refused(frame.seq);
        return this.events.changed();
      default:
        // What a proctor has changed comes with `waiting` too, and a frame of a newer server is ignored.
        return;
    }
  }

  /** `took` is undefined for what this device has kept: the time in it is over. */
  #hear(waiting: WaitingFrame, took?: number | "unasked"): void {
    const isFirst = this.waiting === undefined;
    this.waiting = waiting;
    this.#line = Math.max(this.#line, waiting.line ?? 0);
    if (took !== undefined) {
      if (took === "unasked") this.#time.heard(waiting.serverTime, this.#now, this.roundTripMs ?? 0, PROBE_MS);
      else this.#time.heard(waiting.serverTime, this.#now, took);
      if (took !== "unasked") this.roundTripMs ??= took;
      this.#ready.isKnown = waiting.ready;
      this.#keep();
    }
    const spreadMs = Math.max(0, Math.min(isFirst ? FIRST_SPREAD_MS : FETCH_SPREAD_MS, (this.startsInMs ?? 0) / 3));
    this.paper.follow(waiting.sealed, spreadMs);
    this.#tellReady();
    this.events.changed();
  }

  /** Tells the server, once on each connection, that the paper is here. */
  #tellReady(): void {
    const { hashes } = this.paper;
    if (hashes === undefined || this.connection === "none" || this.phase !== "waiting") return;
    const commands = this.#ready.on(this.connection, hashes);
    if (commands === undefined) return;
    this.#keep();
    if (this.connection === "socket") for (const command of commands) this.#keeper.say(command);
    else void this.#post(commands);
  }

  /** The secret is kept with the attempt, and in no second place. */
  #keep(): void {
    if (this.waiting !== undefined) void this.store.keepPlace(this.attempt, { waiting: { ...this.waiting, token: "" }, seq: this.#ready.seq }).catch(() => {});
  }

  async #post(commands: { seq: number }[]): Promise<void> {
    const path = `/api/live/${this.session.sessionId}/commands`;
    const answer = await this.platform.network.request("POST", path, this.session.token, { commands }).catch(() => undefined);
    if (answer?.status === 200) this.#saved((answer.body as { saved: number }).saved);
    else this.#ready.again();
  }

  #saved(seq: number): void {
    this.#ready.saved(seq);
    this.events.changed();
  }

  #notice(text: string): void {
    this.notices = [...this.notices, { id: (this.notices.at(-1)?.id ?? 0) + 1, text }];
    this.events.changed();
  }

  /** The connection is gone, or did not come about. */
  #lost(code: number, wasHeard: boolean): void {
    this.#keeper.failures += 1;
    if (this.connection === "socket") this.#setConnection("none");
    this.#connectLater();
    // A socket that never got an answer may be blocked on the way, which HTTPS is not.
    if (!wasHeard && this.connection === "none") void this.#ask(true);
    if (code === NORMAL) void this.#ask(false);
  }

  #connectLater(): void {
    if (this.connection === "none" || this.#keeper.isRestarting) this.#keeper.comeBack();
    else this.#keeper.openAfter(pauseBeforeSocket(0, this.platform.timing.random()));
  }

  /** Asks by HTTPS where things stand, and, if sockets do not work, waits there for the beginning. */
  async #ask(isPolling: boolean): Promise<void> {
    const number = isPolling ? ++this.#polls : this.#polls;
    for (let isFirst = true; this.phase === "waiting" && number === this.#polls; isFirst = false) {
      const askedAt = this.#now;
      const path = `/api/live/${this.session.sessionId}?line=${this.#line}${isFirst ? "" : "&wait=begin"}`;
      const answer = await this.platform.network.request("GET", path, this.session.token, undefined, isFirst ? 0 : POLL_MS).catch(() => undefined);
      if (this.phase !== "waiting" || number !== this.#polls) return;
      if (isRefusal(answer)) return this.#stop("refused");
      const tookMs = this.#now - askedAt;
      const standing = standingOf(answer, this.session.sessionId);
      if (standing !== undefined) return this.#resumed(standing, isFirst ? tookMs : 0, false);
      const waiting = waitingOf(answer);
      if (!isPolling) return waiting === undefined ? undefined : this.#hear(waiting, tookMs);
      if (waiting === undefined) {
        const wasHttps = this.connection === "https";
        this.#setConnection("none");
        return wasHttps ? this.#connectLater() : undefined;
      }
      if (isFirst) this.roundTripMs = tookMs;
      this.#setConnection("https");
      this.#keeper.failures = 0;
      this.#hear(waiting, isFirst ? tookMs : "unasked");
      // A server that does not make the poll wait must not be asked without a pause.
      if (!isFirst && tookMs < POLL_MS / 5) await new Promise<void>((resolve) => this.platform.timing.later(POLL_MS / 5, resolve));
    }
  }

  #begin(frame: BeginFrame): void {
    const { waiting } = this;
    if (waiting === undefined) return void this.#ask(false);
    const place = { ...this.session, seq: this.#ready.seq };
    const standing = (questionIds: string[]) => standingAtStart(waiting, frame, place, this.serverMs, questionIds);
    this.#start({ standing, told: undefined, keys: frame.keys, handOver: this.#handOver(), roundTripMs: 0 });
  }

  /** It has begun already: the server says where it stands. */
  #resumed(told: Standing, roundTripMs: number, isOnSocket: boolean): void {
    const at = this.#now;
    const standing = () => ({ ...told, remainingMs: Math.max(0, told.remainingMs - (told.state === "paused" ? 0 : this.#now - at)) }) as Standing;
    this.#start({ standing, told, keys: told.keys ?? {}, handOver: isOnSocket ? this.#handOver() : undefined, roundTripMs });
  }

  /** Hands the socket over to the exam. What arrives before the exam takes it waits in it. */
  #handOver(): Beginning["handOver"] {
    const handed = new HandedSocket({ send: (text) => this.#keeper.send(text), close: () => this.#keeper.close() });
    this.#keeper.handOver(handed);
    return (standing) => handed.from(standing);
  }

  #start(beginning: Beginning): void {
    // The exam reports anew what is wrong, and the paper no longer is.
    this.#tell({ storage: false, clock: false, paper: false, saving: false });
    this.phase = "begun";
    this.#polls += 1;
    if (beginning.handOver === undefined) this.#keeper.close();
    this.paper.changed = () => {};
    this.events.changed();
    this.events.begun(beginning);
  }

  #setConnection(connection: Connection): void {
    if (connection === this.connection) return;
    this.connection = connection;
    if (connection === "none") this.#ready.again();
    this.#tellReady();
    this.events.changed();
  }

  #stop(phase: "superseded" | "refused"): void {
    this.phase = phase;
    this.#close();
    this.events.changed();
  }

  #close(): void {
    this.#polls += 1;
    this.#keeper.close();
    this.connection = "none";
  }
}
