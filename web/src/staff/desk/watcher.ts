// The connection of a desk to its room: it watches, comes back by itself after a loss, and asks only for what it missed. What it
// hears goes to a `Picture`, and orders travel beside it.

import { Keeper } from "../../line/keeper";
import type { Socket, SocketEvents, Timing } from "../../line/ports";
import { onJump } from "../serverClock";
import { readDeskFrame, type ChangesFrame, type RowDifference, type Facts, type Frame, type Order, type ProgressFrame, type RoomCounts, type RosterFrame } from "./frames";
import { Orders, type OrderOutcome } from "./orders";
import type { RoomName } from "./room";
import type { Row } from "./row";

export type DeskLineEvents = SocketEvents;

/** What a watcher needs from outside. */
export interface Reach {
  open(events: DeskLineEvents): Socket;
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
const FINAL_CODES = { 4401: "signedOut", 4403: "forbidden" } as const;
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
  #keeper: Keeper<DeskLineEnd>;
  #parts: Row[] = [];
  #position = 0;
  #lostAt: number | undefined;
  #isOver = false;
  /** Over until whoever watches has signed in again: their orders wait. */
  #isSignedOut = false;
  #cancelAgain: (() => void) | undefined;
  /** The rows in view as the server has been told last; null if it may not know. */
  #view: string | null | undefined;
  #stopJumps: (() => void) | undefined;

  constructor(
    private room: RoomName,
    private picture: Picture,
    private reach: Reach,
    private timing: Timing,
    private events: WatcherEvents,
    newId?: () => string,
  ) {
    this.#orders = new Orders(timing, newId, (count) => events.waiting(count));
    this.#keeper = new Keeper<DeskLineEnd>(timing, { openMs: () => OPENING_MS, ends: FINAL_CODES, silentMs: SILENT_MS, longestPauseMs: LONGEST_PAUSE_MS }, {
      open: (events) => {
        this.#forget();
        this.#keeper.isRestarting = false;
        return reach.open(events);
      },
      opened: () => this.#watch(),
      heard: (text) => {
        const frame = readDeskFrame(text);
        if (frame !== undefined) this.#take(frame);
      },
      lost: (_code, wasWatched) => this.#lost(wasWatched),
      final: (why) => this.#end(why, ""),
    });
  }

  open(): void {
    this.#stopJumps = onJump(() => !this.#isOver && this.#keeper.open());
    this.events.contact({ kind: "connecting" });
    this.#keeper.open();
  }

  close(): void {
    this.#stopJumps?.();
    [this.#isOver, this.#isSignedOut] = [true, false];
    this.#keeper.close();
    this.#forget();
    this.#orders.abandon();
  }

  /** Whoever watched is signed in again. */
  resume(): void {
    if (!this.#isSignedOut) return;
    [this.#isOver, this.#isSignedOut] = [false, false];
    this.#keeper.isRestarting = false;
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
    if (!this.#keeper.isAnswered || text === this.#view) return;
    this.#view = text;
    this.#keeper.send(text ?? JSON.stringify({ type: "view" }));
  }

  /** The device says that its network is back, or the page is looked at again: there is no reason to wait. */
  hurry(): void {
    if ((this.#keeper.isPausing || this.#cancelAgain !== undefined) && !this.#isOver) this.#keeper.open();
  }

  #watch(): void {
    const since = this.#position > 0 ? { since: this.#position } : {};
    this.#keeper.ask({ type: "watch", ...this.room, ...since, differences: true, compressed: this.reach.inflates });
  }

  #take(frame: Frame): void {
    if (this.#orders.answered(frame)) return;
    if (frame.type === "roster" || frame.type === "changes") return this.#see(frame);
    if (frame.type === "progress") return this.#seeProgress(frame);
    if (frame.type === "restarting") this.#keeper.isRestarting = true;
    if (frame.type !== "error" || frame.id !== undefined) return;
    const why = WHY[frame.code];
    if (why !== undefined) return this.#end(why, frame.error);
    if (!this.#keeper.isAnswered) this.#cancelAgain = this.timing.later(WATCH_AGAIN_MS, this.#keeper.whileCurrent(() => !this.#keeper.isAnswered && this.#watch()));
    // It may have been the view that was refused.
    else this.#view = null;
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
    this.#keeper.failures = 0;
    this.#lostAt = undefined;
    this.events.contact({ kind: "live", partial: frame.partial });
    if (this.#keeper.isAnswered) return;
    this.#keeper.answered();
    this.#orders.connected((text) => this.#keeper.send(text));
  }

  #seeProgress(frame: ProgressFrame): void {
    this.picture.differ(frame.differences);
    this.events.heard(frame.serverTime, this.timing.now());
  }

  #lost(wasWatched: boolean): void {
    this.#forget();
    this.#comeBack();
    if (!wasWatched && this.#keeper.failures % 2 === 1) void this.#askWhy();
  }

  #comeBack(): void {
    this.#keeper.failures += 1;
    this.#lostAt ??= this.timing.now();
    this.events.contact({ kind: "lost", since: this.#lostAt });
    this.#keeper.comeBack();
  }

  async #askWhy(): Promise<void> {
    const end = this.#keeper.whileCurrent((why: DeskLineEnd) => this.#end(why, ""));
    const status = await this.reach.status(this.room);
    const why = status === undefined ? undefined : STATUS_WHY[status];
    if (why !== undefined) end(why);
  }

  #end(why: DeskLineEnd, error: string): void {
    this.#isOver = true;
    this.#isSignedOut = why === "signedOut";
    this.#keeper.close();
    this.#forget();
    if (!this.#isSignedOut) this.#orders.abandon();
    this.events.contact({ kind: "ended", why, error });
  }

  /** There is no connection any more: what was to happen with it does not, and what it had brought in part is of no use. */
  #forget(): void {
    this.#cancelAgain?.();
    this.#cancelAgain = undefined;
    this.#orders.disconnected();
    this.#view = undefined;
    this.#parts = [];
  }
}
