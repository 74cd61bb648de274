// The connection of one attempt: a socket where the network lets one through, HTTPS where it doesn't, again and again.

import { pauseAfter, pauseAfterRestart } from "./backoff";
import { batchOf, bytesOf } from "./batch";
import type { Network, Socket, Timing } from "./ports";
import type { ClientFrame, Command, EndingCommand, ExamFrame, ServerFrame } from "./protocol";
import { readFrame } from "./protocol";
import { doneOf, isRefusal, commandsReplyOf, standingOf } from "./reply";

/** A socket has so long to open and to answer `resume`, and as much more as the last answer by HTTPS took. */
const OPEN_MS = 8_000;
/** After so much silence the server is asked for a sign of life, sooner while something is unsaved. */
const SILENCE_MS = 15_000;
const SILENCE_UNSAVED_MS = 4_000;
/** It has so long to give one, and more for what is on its way to it on a slow network. */
const PROBE_MS = 6_000;
const SLOW_BYTES_PER_MS = 8;
/** A socket that has lasted so long is no longer a new one that may fail for the same reason as the last. */
const STEADY_MS = 10_000;
/** So many sockets in a row that broke with commands unanswered: something in between lets none through. */
const FRUITLESS_MAX = 2;
/** Whoever works by HTTPS tries a socket again this often, and asks this often how the test stands. */
const SOCKET_AGAIN_MS = 30_000;
const ASK_AGAIN_MS = 10_000;
/** … and waits this many times as long as the last answer took, which may have brought many drawings. */
const ASK_AGAIN_TIMES = 5;
/** A socket that was fruitless time and again is tried less often: up to so many times the pause. */
const PAUSES_MAX = 16;
/** The pause in which the commands of one request gather. */
const GATHER_MS = 200;
/** Close codes of the server: no such session, or not with this token. No second try changes that. */
const FINAL_CODES = [4403, 4404];
const SUPERSEDED = 4001;
const RESTARTING = 1012;

export type Transport = "none" | "socket" | "https";

/** How something was heard. */
export interface FrameContext {
  /** Of an answer: how long it took, there and back. */
  roundTripMs?: number;
  /** Its transport is no longer the one in use. */
  isLate?: boolean;
}

export interface LineEvents {
  /** What is to be sent now, in the order of its numbers. */
  pending(): (Command | EndingCommand)[];
  /** These numbers are done, or `frame` has told why not. */
  settled(isDone: (seq: number) => boolean): void;
  received(frame: ExamFrame, context: FrameContext): void;
  transportChanged(): void;
  /** Whether no other tab of this browser has the test: only then a transport is taken. */
  isMine(): Promise<boolean>;
  superseded(): void;
  refused(): void;
}

export class Line {
  transport: Transport = "none";
  #socket: Socket | undefined;
  /** What the socket has carried and has not been answered: number to bytes. */
  #carried = new Map<number, number>();
  /** Rises with every socket: what an older one still says is passed over. */
  #generation = 0;
  #failures = 0;
  #failedPosts = 0;
  /** Sockets in a row that broke with commands unanswered. */
  #fruitless = 0;
  #resumedAt = 0;
  /** How long the last answer to where the test stands took by HTTPS. */
  #standingMs = 0;
  /** Rises with every request whose commands are done: what was read before that is old. */
  #performed = 0;
  /** Rises with every question where the test stands: only the last counts. */
  #asked = 0;
  #isRestarting = false;
  #heardAt = 0;
  #probedAt: number | undefined;
  #retry: () => void = () => {};
  #opening: () => void = () => {};
  #asking: () => void = () => {};
  #gathering: (() => void) | undefined;
  #isPosting = false;
  #isEnded = false;

  constructor(
    private network: Network,
    private timing: Timing,
    private session: { sessionId: string; token: string },
    private events: LineEvents,
  ) {}

  /** Opens a socket; the transport of before stays good until that is done. */
  connect(): void {
    if (this.#isEnded) return;
    this.#retry();
    this.#dropSocket();
    const generation = ++this.#generation;
    const mine = (call: () => void) => () => {
      if (generation === this.#generation && !this.#isEnded) call();
    };
    const failed = mine(() => this.#unopened());
    this.#opening = this.timing.later(OPEN_MS + this.#standingMs, failed);
    const isMine = this.events.isMine();
    let askedAt = this.timing.now();
    let isResumed = false;
    const resume = mine(() => {
      askedAt = this.timing.now();
      this.#write({ type: "resume", ...this.session });
    });
    this.#socket = this.network.openSocket({
      opened: () => void isMine.then((isMine) => isMine && resume()),
      message: (text) =>
        mine(() => {
          const frame = readFrame(text);
          if (frame === undefined) return;
          if (isResumed || (frame.type !== "resumed" && frame.type !== "started")) return this.#hear(frame);
          isResumed = true;
          this.#opening();
          this.#take("socket");
          this.#hear(frame, this.timing.now() - askedAt);
        })(),
      closed: (code) =>
        mine(() => {
          this.#opening();
          this.#closed(code, isResumed);
        })(),
    });
  }

  /** There is something new to be sent. */
  deliver(): void {
    if (this.transport === "socket") this.#send();
    else if (this.transport === "https") this.#gather();
  }

  /** Once a second, or as often as the browser lets it. */
  tick(): void {
    if (this.transport !== "socket") return;
    const now = this.timing.now();
    if (now - this.#resumedAt > STEADY_MS) this.#failures = 0;
    const bytes = this.#unansweredBytes();
    if (this.#probedAt !== undefined) {
      if (now - this.#probedAt > PROBE_MS + bytes / SLOW_BYTES_PER_MS) this.#lost();
    } else if (now - this.#heardAt > (bytes > 0 ? SILENCE_UNSAVED_MS : SILENCE_MS)) this.probe();
  }

  #unansweredBytes(): number {
    return this.events.pending().reduce((bytes, { seq }) => bytes + (this.#carried.get(seq) ?? 0), 0);
  }

  /** Asks the server for the time: a sign of life, and the clock set right after a sleep. */
  probe(): void {
    if (this.transport !== "socket" || this.#probedAt !== undefined) return;
    this.#probedAt = this.timing.now();
    this.#write({ type: "sync", t: Math.round(this.#probedAt) });
  }

  /** The network may be back, or the student asks: no more waiting. */
  retryNow(): void {
    if (this.transport === "none") this.connect();
    else if (this.transport === "https") void this.#ask(false);
    else this.probe();
  }

  /** The device says that its network is gone: no silence need be waited for. */
  networkLost(): void {
    if (this.transport === "socket") this.#lost();
  }

  /** Says something that nobody waits for, when it can be said now. */
  say(frame: ClientFrame): void {
    if (this.transport === "socket") this.#write(frame);
  }

  end(): void {
    this.#isEnded = true;
    this.#retry();
    this.#opening();
    this.#asking();
    this.#gathering?.();
    this.#dropSocket();
    this.#take("none");
  }

  #hear(frame: ServerFrame, roundTripMs?: number): void {
    const now = this.timing.now();
    this.#heardAt = now;
    this.#probedAt = undefined;
    switch (frame.type) {
      case "saved": {
        [this.#fruitless, this.#failures] = [0, 0];
        const carried = new Set([...this.#carried.keys()].filter((seq) => seq <= frame.seq));
        for (const seq of carried) this.#carried.delete(seq);
        return this.events.settled((seq) => carried.has(seq));
      }
      case "restarting":
        this.#isRestarting = true;
        return;
      case "superseded":
        return this.#supersede();
      case "error":
        // Its answer is the error: a `saved` that goes past its number says nothing of it. What can't be stored yet is still to be answered.
        if (frame.seq !== undefined && frame.code !== "storage_unavailable") this.#carried.delete(frame.seq);
        return this.events.received(frame, {});
      case "time":
        return this.#hearTime(frame, now);
      default:
        return this.events.received(frame, roundTripMs === undefined ? {} : { roundTripMs });
    }
  }

  #hearTime(frame: Extract<ServerFrame, { type: "time" }>, now: number): void {
    if (frame.t === undefined) return this.events.received(frame, {});
    const roundTripMs = Math.max(0, now - frame.t);
    this.events.received(frame, { roundTripMs });
    // It lay somewhere while the page was frozen: a quick answer says more.
    if (roundTripMs > PROBE_MS) this.probe();
  }

  #send(): void {
    for (const command of this.events.pending()) {
      if (this.#carried.has(command.seq)) continue;
      this.#carried.set(command.seq, bytesOf(command));
      this.#write(command);
    }
  }

  #write(frame: ClientFrame): void {
    this.#socket?.send(JSON.stringify(frame));
  }

  #closed(code: number, wasResumed: boolean): void {
    if (code === SUPERSEDED) return this.#supersede();
    if (FINAL_CODES.includes(code)) return this.#refuse();
    if (code === RESTARTING) this.#isRestarting = true;
    if (wasResumed) this.#lost();
    else this.#unopened();
  }

  /** A socket came to nothing: where HTTPS works it goes on, otherwise it is tried. */
  #unopened(): void {
    this.#dropSocket();
    if (this.transport === "https") this.#trySocketLater();
    else void this.#ask(true);
  }

  /** A socket that was good is so no more. */
  #lost(): void {
    if (this.#unansweredBytes() > 0) this.#fruitless += 1;
    this.#failures += 1;
    this.#dropSocket();
    this.#take("none");
    if (this.#fruitless >= FRUITLESS_MAX) void this.#ask(true);
    else this.#later();
  }

  #later(): void {
    const random = this.timing.random();
    const pause = this.#isRestarting ? pauseAfterRestart(random) : pauseAfter(this.#failures, random);
    this.#isRestarting = false;
    this.#retry();
    this.#retry = this.timing.later(pause, () => this.connect());
  }

  /** The same by HTTPS: whether the network is away, or only sockets are. */
  async #ask(isSocketLost: boolean): Promise<void> {
    const [number, performed, askedAt] = [++this.#asked, this.#performed, this.timing.now()];
    const answer = await this.network.request("GET", `/api/live/${this.session.sessionId}`, this.session.token).catch(() => undefined);
    if (this.#isEnded || this.transport === "socket" || number !== this.#asked) return;
    if (isRefusal(answer)) return this.#refuse();
    const standing = standingOf(answer, this.session.sessionId);
    if (standing === undefined) {
      this.#failures += 1;
      this.#take("none");
      this.#asking();
      // A socket that is being opened says by itself what became of it.
      if (this.#socket === undefined) this.#later();
      return;
    }
    this.#failures = 0;
    const roundTripMs = (this.#standingMs = this.timing.now() - askedAt);
    this.#take("https");
    // What was read before commands were done would bring back how it was.
    if (performed === this.#performed) this.events.received(standing, { roundTripMs });
    if (this.#isEnded) return;
    if (isSocketLost) this.#trySocketLater();
    this.#asking();
    this.#asking = this.timing.later(Math.max(ASK_AGAIN_MS, ASK_AGAIN_TIMES * roundTripMs), () => void this.#ask(false));
  }

  #trySocketLater(): void {
    const pauses = Math.min(PAUSES_MAX, 2 ** Math.max(0, this.#fruitless - FRUITLESS_MAX));
    this.#retry();
    this.#retry = this.timing.later(SOCKET_AGAIN_MS * pauses * (0.75 + this.timing.random() / 2), () => this.connect());
  }

  #gather(): void {
    const pause = this.#failedPosts === 0 ? 0 : pauseAfter(this.#failedPosts, this.timing.random());
    this.#gathering ??= this.timing.later(GATHER_MS + pause, () => {
      this.#gathering = undefined;
      void this.#post();
    });
  }

  async #post(): Promise<void> {
    const commands = batchOf(this.events.pending());
    if (this.#isPosting || commands.length === 0 || this.transport !== "https") return;
    this.#isPosting = true;
    const askedAt = this.timing.now();
    const path = `/api/live/${this.session.sessionId}/commands`;
    const performed = commandsReplyOf(await this.network.request("POST", path, this.session.token, { commands }).catch(() => undefined));
    this.#isPosting = false;
    if (this.#isEnded) return;
    // Another transport may have been taken meanwhile.
    const isLate = (this.transport as Transport) !== "https";
    const done = performed === undefined ? undefined : doneOf(commands.map(({ seq }) => seq), performed);
    if (performed === undefined || done === undefined) {
      this.#failedPosts += 1;
      if (!isLate) void this.#ask(false);
      return;
    }
    this.#failedPosts = 0;
    this.#performed += 1;
    this.events.settled((seq) => done.has(seq));
    for (const reply of performed.replies) this.events.received(reply, { isLate });
    const { remainingMs, deadline } = performed;
    if (!isLate) this.events.received({ type: "time", serverTime: "", remainingMs, deadline }, { roundTripMs: this.timing.now() - askedAt });
    if (this.events.pending().length > 0) this.deliver();
  }

  #take(transport: Transport): void {
    if (transport === "socket") {
      this.#asking();
      this.#retry();
      this.#carried.clear();
      this.#probedAt = undefined;
      this.#resumedAt = this.timing.now();
    }
    if (transport === this.transport) return;
    this.transport = transport;
    this.events.transportChanged();
  }

  #supersede(): void {
    this.end();
    this.events.superseded();
  }

  #refuse(): void {
    this.end();
    this.events.refused();
  }

  #dropSocket(): void {
    this.#opening();
    this.#generation += 1;
    this.#socket?.close();
    this.#socket = undefined;
  }
}
