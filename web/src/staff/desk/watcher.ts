// The connection of a desk to its room: it watches, comes back by itself after a loss, and asks only for what it missed. What it
// hears goes to a `Picture`, and orders travel beside it.

import { pauseAfter, pauseAfterRestart } from "../../line/backoff";
import type { Timing } from "../../exam/ports";
import { onJump } from "../serverClock";
import { readDeskFrame, type ChangesFrame, type RowDifference, type Facts, type Frame, type Order, type ProgressFrame, type RoomCounts, type RosterFrame } from "./frames";
import { Orders, type OrderOutcome } from "./orders";
import type { RoomName } from "./room";
import type { Row } from "./row";

export interface DeskLine {
  send(text: string): void;
  close(): void;
}

export interface DeskLineEvents {
  opened(): void;
  message(text: string): void;
  closed(code: number): void;
}

/** What a watcher needs from outside. */
export interface Reach {
  open(events: DeskLineEvents): DeskLine;
  /** Whether a line can read compressed messages. */
  readonly inflates: boolean;
  /** The status of a request for the rows of this room: a browser does not say why a socket could not be opened. */
  status(room: RoomName): Promise<number | undefined>;
}

/** Where what is heard goes. */
export interface Picture {
  replace(rows: Row[]): void;
  change(rows: Row[], removed: string[], serverTime: string): void;
  differ(differences: RowDifference[]): void;
  counted: RoomCounts | undefined;
}

export type DeskLineEnd = "signedOut" | "forbidden" | "notFound";
export type Contact = { kind: "connecting" } | { kind: "live"; partial: boolean } | { kind: "lost"; since: number } | { kind: "ended"; why: DeskLineEnd; error: string };

/** Empty changes come every 10 s, so a connection that is silent for this long is none. */
const SILENT_MS = 25_000;
/** An upgrade that takes longer has been swallowed by something on the way. */
const OPENING_MS = 15_000;
const LONGEST_PAUSE_MS = 8_000;
const SIGNED_OUT = 4401;
const FORBIDDEN = 4403;
const RESTARTING = 1012;
const WATCH_AGAIN_MS = 2_000;
const WHY: Record<string, DeskLineEnd> = { forbidden: "forbidden", sitting_not_found: "notFound", template_not_found: "notFound" };
const STATUS_WHY: Record<number, DeskLineEnd> = { 401: "signedOut", 403: "forbidden", 404: "notFound" };

export interface WatcherEvents {
  contact(contact: Contact): void;
  /** The server has said its time; `at` is when that arrived, by the clock that only goes forward. */
  heard(serverTime: string, at: number): void;
  /** What is said of the room besides its rows. */
  said(facts: Facts): void;
  waiting(orders: number): void;
}

export class Watcher {
  #orders: Orders;
  #line: DeskLine | undefined;
  #parts: Row[] = [];
  #position = 0;
  #isWatched = false;
  #failures = 0;
  #lostAt: number | undefined;
  #isOver = false;
  /** Over until whoever watches has signed in again: their orders wait. */
  #isSignedOut = false;
  #cancelSilence: (() => void) | undefined;
  #cancelAgain: (() => void) | undefined;
  #isRestarting = false;
  /** The rows in view as the server has been told last; null if it may not know. */
  #view: string | null | undefined;
  #stopJumps: (() => void) | undefined;
  /** Counts connections, so that a late event of one that was given up is not taken for one of the next. */
  #turn = 0;

  constructor(
    private room: RoomName,
    private picture: Picture,
    private reach: Reach,
    private timing: Timing,
    private events: WatcherEvents,
    newId?: () => string,
  ) {
    this.#orders = new Orders(timing, newId, (count) => events.waiting(count));
  }

  open(): void {
    this.#stopJumps = onJump(() => !this.#isOver && this.#connect());
    this.events.contact({ kind: "connecting" });
    this.#connect();
  }

  close(): void {
    this.#stopJumps?.();
    [this.#isOver, this.#isSignedOut] = [true, false];
    this.#forget();
    this.#orders.abandon();
  }

  /** Whoever watched is signed in again. */
  resume(): void {
    if (!this.#isSignedOut) return;
    [this.#isOver, this.#isSignedOut] = [false, false];
    this.#comeBack();
  }

  /** Nothing waits any more for who does not want to sign in. */
  giveUpOrders(): void {
    this.#orders.abandon();
  }

  give(order: Order): Promise<OrderOutcome> {
    return this.#isOver && !this.#isSignedOut ? Promise.resolve({ kind: "abandoned" }) : this.#orders.give(order);
  }

  /** Says which rows are in view, by their numbers; undefined for all. */
  view(rows: number[] | undefined): void {
    const text = rows === undefined ? undefined : JSON.stringify({ type: "view", rows });
    if (!this.#isWatched || text === this.#view) return;
    this.#view = text;
    this.#line?.send(text ?? JSON.stringify({ type: "view" }));
  }

  /** The device says that its network is back, or the page is looked at again: there is no reason to wait. */
  hurry(): void {
    if (this.#cancelAgain !== undefined && !this.#isOver) this.#connect();
  }

  #connect(): void {
    this.#forget();
    this.#parts = [];
    this.#isRestarting = false;
    const turn = (this.#turn += 1);
    const isCurrent = () => turn === this.#turn && !this.#isOver;
    this.#expect(OPENING_MS);
    this.#line = this.reach.open({
      opened: () => {
        if (!isCurrent()) return;
        this.#expect(SILENT_MS);
        this.#watch();
      },
      message: (text) => {
        if (!isCurrent()) return;
        this.#expect(SILENT_MS);
        const frame = readDeskFrame(text);
        if (frame !== undefined) this.#take(frame);
      },
      closed: (code) => isCurrent() && this.#lost(code),
    });
  }

  #watch(): void {
    const since = this.#position > 0 ? { since: this.#position } : {};
    this.#line?.send(JSON.stringify({ type: "watch", ...this.room, ...since, differences: true, compressed: this.reach.inflates }));
  }

  #take(frame: Frame): void {
    if (this.#orders.answered(frame)) return;
    if (frame.type === "roster" || frame.type === "changes") return this.#see(frame);
    if (frame.type === "progress") return this.#seeProgress(frame);
    if (frame.type === "restarting") this.#isRestarting = true;
    if (frame.type !== "error" || frame.id !== undefined) return;
    const why = WHY[frame.code];
    if (why !== undefined) return this.#end(why, frame.error);
    // It may have been the view that was refused.
    if (this.#isWatched) this.#view = null;
    const line = this.#line;
    if (!this.#isWatched) this.#cancelAgain = this.timing.later(WATCH_AGAIN_MS, () => line === this.#line && !this.#isWatched && this.#watch());
  }

  #see(frame: RosterFrame | ChangesFrame): void {
    const at = this.timing.now();
    if (frame.type === "changes") {
      this.picture.change(frame.sessions, frame.removed ?? [], frame.serverTime);
      if (Array.isArray(frame.differences)) {
        this.picture.differ(frame.differences);
        // Whole rows, which come to who has missed much, are not counted; what was counted before is better than nothing.
        if (frame.counts !== undefined || this.#view === undefined) this.picture.counted = frame.counts;
      }
    } else {
      this.#parts.push(...frame.sessions);
      if (!frame.complete) return;
      this.picture.replace(this.#parts);
      this.#parts = [];
    }
    if (frame.seq > 0) this.#position = frame.seq;
    const { standing, halls, sitting, outages } = frame;
    if (standing !== undefined) this.events.said({ standing, ...(halls && { halls }), ...(sitting && { sitting }), ...(outages && { outages }) });
    this.events.heard(frame.serverTime, at);
    this.#failures = 0;
    this.#lostAt = undefined;
    this.events.contact({ kind: "live", partial: frame.partial });
    if (this.#isWatched) return;
    this.#isWatched = true;
    const line = this.#line;
    this.#orders.connected((text) => line?.send(text));
  }

  #seeProgress(frame: ProgressFrame): void {
    this.picture.differ(frame.differences);
    this.events.heard(frame.serverTime, this.timing.now());
  }

  #lost(code: number): void {
    const wasWatched = this.#isWatched;
    this.#forget();
    if (code === SIGNED_OUT) return this.#end("signedOut", "");
    if (code === FORBIDDEN) return this.#end("forbidden", "");
    this.#comeBack(code === RESTARTING || this.#isRestarting);
    if (!wasWatched && this.#failures % 2 === 1) void this.#askWhy();
  }

  #comeBack(isPlanned = false): void {
    this.#failures += 1;
    this.#lostAt ??= this.timing.now();
    this.events.contact({ kind: "lost", since: this.#lostAt });
    const pause = isPlanned ? pauseAfterRestart(this.timing.random()) : pauseAfter(this.#failures, this.timing.random(), LONGEST_PAUSE_MS);
    this.#cancelAgain = this.timing.later(pause, () => this.#connect());
  }

  async #askWhy(): Promise<void> {
    const turn = this.#turn;
    const status = await this.reach.status(this.room);
    const why = status === undefined ? undefined : STATUS_WHY[status];
    if (why !== undefined && turn === this.#turn && !this.#isOver && !this.#isWatched) this.#end(why, "");
  }

  #end(why: DeskLineEnd, error: string): void {
    this.#isOver = true;
    this.#isSignedOut = why === "signedOut";
    this.#forget();
    if (!this.#isSignedOut) this.#orders.abandon();
    this.events.contact({ kind: "ended", why, error });
  }

  /** Closes the connection, if there is one, and cancels what was to happen with it. */
  #forget(): void {
    this.#turn += 1;
    this.#cancelSilence?.();
    this.#cancelAgain?.();
    this.#cancelAgain = undefined;
    this.#orders.disconnected();
    this.#isWatched = false;
    this.#view = undefined;
    this.#line?.close();
    this.#line = undefined;
  }

  #expect(milliseconds: number): void {
    this.#cancelSilence?.();
    this.#cancelSilence = this.timing.later(milliseconds, () => this.#lost(1006));
  }
}
