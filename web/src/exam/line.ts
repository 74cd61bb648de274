// The connection of one test: a socket where the network allows one, HTTPS where it doesn't, tried again until the test
// is over. Separate from the exchange, which knows what the frames mean but not how they travel.

import { pauseBeforeSocket } from "../line/backoff";
import { Keeper } from "../line/keeper";
import { commandBytes } from "./batch";
import { HttpsSender } from "./https_sender";
import type { Network, Timing } from "./ports";
import { FINAL_CODES, readFrame, type ClientFrame, type Command, type CommandsReply, type EndingCommand, type ExamFrame, type ServerFrame } from "./protocol";
import { isRefusal, standingOf, timesOf } from "./reply";

/** A socket has this long to open and to answer `resume`, and as much more as the last answer by HTTPS took. */
const OPEN_MS = 8_000;
/** A socket that has lasted this long counts as good: when it breaks, the pauses begin short again. */
const STEADY_MS = 10_000;
/** After this many sockets in a row that broke with commands unanswered, something on the way must be blocking them. */
const FRUITLESS_MAX = 2;
/** On HTTPS, the server is asked this often how the test stands … */
const ASK_AGAIN_MS = 10_000;
/** … but no sooner than this many times what the last answer took, since it may have brought many drawings. */
const ASK_AGAIN_TIMES = 5;
/** A server that counts the changes of the time is let wait for the next one: this long, … */
const WAIT_MS = 8_000;
/** … and a server that has not waited is asked like any other. */
const WAIT_MIN_MS = 1_000;
/** Several answers that another device has set are refused one after the other, and asked about once. */
const ASK_ANEW_MS = 300;
/** The server is asked for a sign of life after this much silence, and sooner while something is unsaved: */
const SILENCE_MS = 15_000;
const SILENCE_UNSAVED_MS = 4_000;
/** It then has this long to answer, and longer while commands are still on their way over a slow network. */
const PROBE_MS = 6_000;
const SLOW_BYTES_PER_MS = 8;

/** How frames travel at the moment. */
export type Transport = "none" | "socket" | "https";

/** How a frame arrived. */
export interface FrameContext {
  /** If it answers something: how long that took, there and back. */
  roundTripMs?: number;
  /** It came over a transport that is no longer in use. */
  isLate?: boolean;
  /** The page has asked for it, while a socket goes on as it was. */
  isAsked?: boolean;
}

export interface LineEvents {
  /** The commands to send now, by rising number. */
  pending(): (Command | EndingCommand)[];
  /** Which version of the times the page knows, from a server that counts them. */
  timeVersion(): number | undefined;
  /** The line of this device, as the server gave it; 0 for none. */
  deviceLine(): number;
  /** The server has taken these numbers. Those that it refuses arrive as error frames instead. */
  settled(isDone: (seq: number) => boolean): void;
  received(frame: ExamFrame, context: FrameContext): void;
  transportChanged(): void;
  /** Whether this tab still has the test. A socket resumes only then, since that takes the test from any other page. */
  isMine(): Promise<boolean>;
  superseded(): void;
  refused(): void;
}

export class Line {
  transport: Transport = "none";
  #keeper: Keeper<"superseded" | "refused">;
  /** The commands that the socket has carried and that are not answered yet: number to bytes. */
  #carried = new Map<number, number>();
  /** Sockets in a row that broke with commands unanswered. */
  #fruitless = 0;
  #resumedAt = 0;
  /** How long the last answer by HTTPS to where the test stands took. */
  #standingMs = 0;
  /** Rises when commands sent by HTTPS are done, so that a standing read before then can be dropped. */
  #performed = 0;
  /** Rises each time the server is asked where the test stands: only the last answer counts. */
  #asked = 0;
  /** A server has refused to wait for the next change of the time. */
  #isWaitRefused = false;
  #sender: HttpsSender;
  #cancelAsking: () => void = () => {};
  #isAskingAnew = false;
  #isEnded = false;

  constructor(
    private network: Network,
    private timing: Timing,
    private session: { sessionId: string; token: string },
    private events: LineEvents,
  ) {
    this.#keeper = new Keeper(timing, { openMs: () => OPEN_MS + this.#standingMs, ends: FINAL_CODES }, {
      open: (events) => {
        const isMine = this.events.isMine();
        return network.openSocket({ ...events, opened: () => void isMine.then((isMine) => isMine && events.opened()) });
      },
      opened: () => this.#keeper.ask({ type: "resume", ...session, line: events.deviceLine() } satisfies ClientFrame),
      heard: (text) => this.#read(text),
      lost: (_code, wasResumed) => (wasResumed ? this.#lost() : this.#unopened()),
      final: (reason) => this.#stop(reason),
    });
    this.#sender = new HttpsSender(network, timing, session, {
      pending: () => (this.transport === "https" ? events.pending() : []),
      answered: (reply, done, roundTripMs) => this.#perform(reply, done, roundTripMs),
      failed: () => {
        if (this.transport === "https") void this.#ask(false);
      },
    });
  }

  /** Opens a socket. The transport in use stays in use until the socket has resumed. */
  connect(): void {
    if (!this.#isEnded) this.#keeper.open();
  }

  /** There are new commands to send. */
  deliver(): void {
    if (this.transport === "socket") this.#send();
    else if (this.transport === "https") this.#sender.deliver();
  }

  /** Called once a second, or as often as the browser allows. */
  tick(): void {
    if (this.transport !== "socket") return;
    if (this.timing.now() - this.#resumedAt > STEADY_MS) this.#keeper.failures = 0;
    const bytes = this.#unansweredBytes();
    this.#keeper.listen(bytes > 0 ? SILENCE_UNSAVED_MS : SILENCE_MS, PROBE_MS + bytes / SLOW_BYTES_PER_MS);
  }

  #unansweredBytes(): number {
    return this.events.pending().reduce((bytes, { seq }) => bytes + (this.#carried.get(seq) ?? 0), 0);
  }

  /** Tries at once instead of waiting: the network may be back. */
  retryNow(): void {
    if (this.transport === "none") this.connect();
    else if (this.transport === "https") void this.#ask(false);
    else this.#keeper.probe();
  }

  /** The device reports that its network is gone, so there is no need to wait for silence. */
  networkLost(): void {
    if (this.transport === "socket") this.#keeper.lose();
  }

  /** Sends a frame that may be lost, if it can go now. */
  say(frame: ClientFrame): void {
    if (this.transport === "socket") this.#keeper.say(frame);
  }

  end(): void {
    this.#isEnded = true;
    this.#cancelAsking();
    this.#sender.stop();
    this.#keeper.close();
    this.#take("none");
  }

  #read(text: string): void {
    const frame = readFrame(text);
    if (frame === undefined) return;
    if (this.#keeper.isAnswered || (frame.type !== "resumed" && frame.type !== "started")) return this.#hear(frame);
    const roundTripMs = this.#keeper.answered();
    this.#take("socket");
    this.#hear(frame, roundTripMs);
  }

  #hear(frame: ServerFrame, roundTripMs?: number): void {
    this.#keeper.alive();
    switch (frame.type) {
      case "saved": {
        [this.#fruitless, this.#keeper.failures] = [0, 0];
        const carried = new Set([...this.#carried.keys()].filter((seq) => seq <= frame.seq));
        for (const seq of carried) this.#carried.delete(seq);
        return this.events.settled((seq) => carried.has(seq));
      }
      case "restarting":
        this.#keeper.isRestarting = true;
        return;
      case "waiting":
      case "begin":
        // The exam has begun before there is a line, so these are out of date.
        return;
      case "superseded":
        return this.#stop("superseded");
      case "error":
        // The error is the command's answer, and a later `saved` with a higher number does not speak of it. A command
        // that can't be stored yet will still be answered.
        if (frame.seq !== undefined && frame.code !== "storage_unavailable") this.#carried.delete(frame.seq);
        return this.events.received(frame, {});
      case "time":
        return this.#hearTime(frame);
      default:
        return this.events.received(frame, roundTripMs === undefined ? {} : { roundTripMs });
    }
  }

  #hearTime(frame: Extract<ServerFrame, { type: "time" }>): void {
    if (frame.t === undefined) return this.events.received(frame, {});
    const roundTripMs = Math.max(0, this.timing.now() - frame.t);
    this.events.received(frame, { roundTripMs });
    // An answer that waited while the page was frozen says little about the clock; a quick one says more.
    if (roundTripMs > PROBE_MS) this.#keeper.probe();
  }

  #send(): void {
    for (const command of this.events.pending()) {
      if (this.#carried.has(command.seq)) continue;
      this.#carried.set(command.seq, commandBytes(command));
      this.#keeper.say(command);
    }
  }

  /** A socket did not get as far as `resumed`: work goes on by HTTPS, which is tried first if it is not in use yet. */
  #unopened(): void {
    if (this.transport === "https") this.#trySocketLater();
    else void this.#ask(true);
  }

  /** A socket that had resumed is gone. */
  #lost(): void {
    if (this.#unansweredBytes() > 0) this.#fruitless += 1;
    this.#keeper.failures += 1;
    this.#take("none");
    if (this.#fruitless >= FRUITLESS_MAX) void this.#ask(true);
    else this.#keeper.comeBack();
  }

  /**
   * Asks by HTTPS where the test stands, which shows whether the network is away or only blocks sockets. With `known` the
   * answer may wait until the version of the times is another.
   */
  async #ask(isSocketLost: boolean, known?: number): Promise<void> {
    const [number, performed, askedAt] = [++this.#asked, this.#performed, this.timing.now()];
    const query = known === undefined ? "" : `&wait=time&timeVersion=${known}`;
    const path = `${this.#standingPath}${query}`;
    const answer = await this.network.request("GET", path, this.session.token, undefined, known === undefined ? 0 : WAIT_MS).catch(() => undefined);
    if (this.#isEnded || this.transport === "socket" || number !== this.#asked) return;
    if (isRefusal(answer)) return this.#stop("refused");
    if (known !== undefined && answer?.status === 400) {
      this.#isWaitRefused = true;
      return this.#ask(isSocketLost);
    }
    const standing = standingOf(answer, this.session.sessionId);
    if (standing === undefined) {
      this.#keeper.failures += 1;
      this.#take("none");
      this.#cancelAsking();
      // A socket that is being opened will report its own failure.
      if (!this.#keeper.isOpen) this.#keeper.comeBack();
      return;
    }
    this.#keeper.failures = 0;
    const tookMs = this.timing.now() - askedAt;
    if (known === undefined) this.#standingMs = tookMs;
    this.#take("https");
    const context = known === undefined ? { roundTripMs: tookMs } : {};
    // A standing that was read before commands were done would undo them on the page. What it says of the time may be news.
    if (performed === this.#performed) this.events.received(standing, context);
    else if (standing.timeVersion !== undefined) this.events.received({ type: "time", ...timesOf(standing) }, context);
    if (this.#isEnded) return;
    if (isSocketLost) this.#trySocketLater();
    const isAsBefore = known !== undefined && tookMs < WAIT_MIN_MS && known === this.events.timeVersion();
    this.#askAgain(isAsBefore || this.#isWaitRefused ? undefined : this.events.timeVersion());
  }

  /** Asks by HTTPS where the test stands, also while there is a socket: another device has been at work. */
  askAnew(pauseMs = ASK_ANEW_MS): void {
    if (this.#isAskingAnew) return;
    this.#isAskingAnew = true;
    this.timing.later(pauseMs, () => void this.#askAnew());
  }

  async #askAnew(): Promise<void> {
    if (this.#isEnded) return;
    const askedAt = this.timing.now();
    const answer = await this.network.request("GET", this.#standingPath, this.session.token).catch(() => undefined);
    this.#isAskingAnew = false;
    const standing = standingOf(answer, this.session.sessionId);
    // Without a transport, this is asked with the next one anyway.
    if (this.#isEnded || this.transport === "none") return;
    // Until then everything that the student changes here is refused.
    if (standing === undefined) return this.askAnew(ASK_AGAIN_MS);
    this.events.received(standing, { roundTripMs: this.timing.now() - askedAt, isAsked: true });
  }

  get #standingPath(): string {
    return `/api/live/${this.session.sessionId}?line=${this.events.deviceLine()}`;
  }

  #askAgain(known: number | undefined): void {
    this.#cancelAsking();
    const pause = Math.max(known === undefined ? ASK_AGAIN_MS : 0, ASK_AGAIN_TIMES * this.#standingMs);
    this.#cancelAsking = this.timing.later(pause, () => void this.#ask(false, known === undefined ? undefined : this.events.timeVersion()));
  }

  #trySocketLater(): void {
    this.#keeper.openAfter(pauseBeforeSocket(this.#fruitless - FRUITLESS_MAX, this.timing.random()));
  }

  #perform({ replies, ...times }: CommandsReply, done: Set<number>, roundTripMs: number): void {
    // The line may have gone back to a socket meanwhile.
    const isLate = this.transport !== "https";
    this.#performed += 1;
    this.events.settled((seq) => done.has(seq));
    for (const reply of replies) this.events.received(reply, { isLate });
    if (!isLate) this.events.received({ type: "time", serverTime: "", ...times }, { roundTripMs });
    if (this.events.pending().length > 0) this.deliver();
  }

  #take(transport: Transport): void {
    if (transport === "socket") {
      this.#cancelAsking();
      this.#carried.clear();
      this.#resumedAt = this.timing.now();
    }
    if (transport === this.transport) return;
    this.transport = transport;
    this.events.transportChanged();
  }

  #stop(reason: "superseded" | "refused"): void {
    this.end();
    this.events[reason]();
  }
}
