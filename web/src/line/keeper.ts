// One connection to the server that is kept up: opened, found out when it has gone silent, and opened again after a pause.
// Separate from those who use it, who know what its frames mean and what to do while there is none.

import { pauseAfter, pauseAfterRestart } from "./backoff";
import type { Socket, SocketEvents, Timing } from "./ports";

/** The server closes all connections because it is about to stop. */
const RESTARTING = 1012;
/** What a browser reports of a connection that broke. */
const BROKEN = 1006;

export interface KeeperRules<End> {
  /** How long a connection has to open and to be answered. */
  openMs(): number;
  /** Close codes after which another try is of no use, each with what it means. */
  ends: Record<number, End>;
  /** Once open, a connection is lost after this much silence; for a server that speaks by itself. Others are asked by `listen`. */
  silentMs?: number;
  /** The longest pause before another try. */
  longestPauseMs?: number;
}

export interface KeeperEvents<End> {
  open(events: SocketEvents): Socket;
  opened(): void;
  heard(text: string): void;
  /** The connection is gone or did not come about, and nothing else is planned yet. */
  lost(code: number, wasAnswered: boolean): void;
  final(end: End): void;
}

export class Keeper<End> {
  /** Failures in a row, by which pauses grow. Counted by the owner, who knows what a failure is, and when it is made good. */
  failures = 0;
  /** The server has said that it is about to stop, so that all come back at once. */
  isRestarting = false;
  #socket: Socket | undefined;
  /** Who hears what arrives since the hand-over. */
  #heir: Pick<SocketEvents, "message" | "closed"> | undefined;
  /** Rises whenever a connection is opened or given up, so that events of an older one can be ignored. */
  #generation = 0;
  #isAnswered = false;
  #askedAt = 0;
  #heardAt = 0;
  #probedAt: number | undefined;
  #cancelWaiting: () => void = () => {};
  #cancelRetry: (() => void) | undefined;

  constructor(
    private timing: Timing,
    private rules: KeeperRules<End>,
    private events: KeeperEvents<End>,
  ) {}

  /** Whether there is a connection, or one is being opened. */
  get isOpen(): boolean {
    return this.#socket !== undefined;
  }

  /** Whether the server has answered on this connection. */
  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  /** Whether another try is planned. */
  get isPausing(): boolean {
    return this.#cancelRetry !== undefined;
  }

  /** How long nothing has been heard. */
  get quietMs(): number {
    return this.timing.now() - this.#heardAt;
  }

  /** Opens a connection in place of the one there is. */
  open(): void {
    this.close();
    this.#askedAt = this.timing.now();
    this.#loseAfter(this.rules.openMs());
    const { silentMs } = this.rules;
    this.#socket = this.events.open({
      opened: this.whileCurrent(() => {
        if (silentMs !== undefined) this.#loseAfter(silentMs);
        this.events.opened();
      }),
      message: this.whileCurrent((text: string) => {
        if (this.#heir !== undefined) return this.#heir.message(text);
        if (silentMs !== undefined) this.#loseAfter(silentMs);
        this.events.heard(text);
      }),
      closed: this.whileCurrent((code: number) => (this.#heir === undefined ? this.#closed(code) : this.#heir.closed(code))),
    });
  }

  /** Gives up the connection, and any further try. */
  close(): void {
    this.#forgetRetry();
    this.#drop();
  }

  /** The connection is known to be gone. */
  lose(code = BROKEN): void {
    const wasAnswered = this.#isAnswered;
    this.#drop();
    this.events.lost(code, wasAnswered);
  }

  /** Opens again after a pause that grows with the failures; after a restart, within the time in which all come back. */
  comeBack(): void {
    const random = this.timing.random();
    const pause = this.isRestarting ? pauseAfterRestart(random) : pauseAfter(this.failures, random, this.rules.longestPauseMs);
    this.isRestarting = false;
    this.openAfter(pause);
  }

  openAfter(milliseconds: number): void {
    this.#forgetRetry();
    this.#cancelRetry = this.timing.later(milliseconds, () => this.open());
  }

  send(text: string): void {
    this.#socket?.send(text);
  }

  say(frame: object): void {
    this.send(JSON.stringify(frame));
  }

  /** Says what the server must answer before the connection is of use. */
  ask(frame: object): void {
    this.#askedAt = this.timing.now();
    this.say(frame);
  }

  /** The server has answered: the connection is of use. Returns how long the answer took. */
  answered(): number {
    this.#isAnswered = true;
    if (this.rules.silentMs === undefined) this.#cancelWaiting();
    this.#forgetRetry();
    return this.timing.now() - this.#askedAt;
  }

  /** A frame has come, which is a sign of life. Returns how long ago the server was asked for one, if it was. */
  alive(): number | undefined {
    const now = this.timing.now();
    const askedMs = this.#probedAt === undefined ? undefined : now - this.#probedAt;
    this.#heardAt = now;
    this.#probedAt = undefined;
    return askedMs;
  }

  /** Called now and then: asks for a sign of life after this much silence, which has as long as `answerMs` to come. */
  listen(silenceMs: number, answerMs: number): void {
    if (this.#probedAt === undefined) return this.quietMs > silenceMs ? this.probe() : undefined;
    if (this.timing.now() - this.#probedAt > answerMs) this.lose();
  }

  /** Asks for the time: the answer is a sign of life, and corrects the clock after a sleep. */
  probe(): void {
    if (!this.#isAnswered || this.#probedAt !== undefined) return;
    this.#probedAt = this.timing.now();
    this.say({ type: "sync", t: Math.round(this.#probedAt) });
  }

  /** Passes what arrives from now on to another. The connection is neither watched nor opened again, but can still be closed. */
  handOver(heir: Pick<SocketEvents, "message" | "closed">): void {
    this.#heir = heir;
    this.#cancelWaiting();
    this.#forgetRetry();
  }

  /** What this returns calls on only as long as the connection is neither another nor given up. */
  whileCurrent<Args extends unknown[]>(call: (...args: Args) => void): (...args: Args) => void {
    const generation = this.#generation;
    return (...args) => {
      if (generation === this.#generation) call(...args);
    };
  }

  #closed(code: number): void {
    const end = this.rules.ends[code];
    if (end !== undefined) {
      this.close();
      return this.events.final(end);
    }
    if (code === RESTARTING) this.isRestarting = true;
    this.lose(code);
  }

  #loseAfter(milliseconds: number): void {
    this.#cancelWaiting();
    this.#cancelWaiting = this.timing.later(milliseconds, () => this.lose());
  }

  #forgetRetry(): void {
    this.#cancelRetry?.();
    this.#cancelRetry = undefined;
  }

  #drop(): void {
    this.#cancelWaiting();
    this.#generation += 1;
    [this.#isAnswered, this.#probedAt, this.#heir] = [false, undefined, undefined];
    this.#socket?.close();
    this.#socket = undefined;
  }
}
