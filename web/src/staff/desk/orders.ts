// Orders on their way. Each has an `id` with which it may be sent again without being done twice, so an order waits here until it
// is answered, over as many connections as that takes. They are sent no faster than the server takes them.

import type { Timing } from "../../exam/ports";
import { EVERYONE, type Frame, type Order, type RecordEvent, type Unchanged } from "./frames";

export type OrderOutcome =
  /** `unchanged` names the first of the sessions that were left as they were; `code` is a candidate's new access code. */
  | { kind: "done"; count: number; unchangedCount: number; unchanged: Unchanged[]; code?: string }
  | { kind: "history"; events: RecordEvent[] }
  | { kind: "code"; code: string; expiresAt: string }
  | { kind: "refused"; code: string; error: string }
  /** The desk was left before an answer came. The order may have been carried out. */
  | { kind: "abandoned" };

/** A socket may have 16 orders in progress … */
const IN_PROGRESS_MAX = 12;
/** … and send 10 messages a second, or 60 at once. */
const PER_SECOND = 8;
const AT_ONCE = 40;
const AGAIN_MS = 1_500;
/** Answers that are no refusal: the same order, with the same `id`, is sent again. */
const AGAIN = new Set(["rate_limited", "storage_unavailable"]);

interface Waiting {
  id: string;
  order: Order;
  resolve(outcome: OrderOutcome): void;
  /** It has been sent over the connection of now. */
  isSent: boolean;
  notBefore: number;
  hasNewId: boolean;
}

export class Orders {
  #waiting = new Map<string, Waiting>();
  #send: ((text: string) => void) | undefined;
  #budget = AT_ONCE;
  #filledAt = 0;
  #cancel: (() => void) | undefined;

  constructor(
    private timing: Timing,
    private newId: () => string = randomId,
    /** Called with the number of orders without an answer when it changes; questions for a history are none. */
    private onWaiting: (count: number) => void = () => {},
  ) {}

  give(order: Order): Promise<OrderOutcome> {
    return new Promise((resolve) => {
      const id = this.newId();
      this.#waiting.set(id, { id, order, resolve, isSent: false, notBefore: 0, hasNewId: false });
      this.#tell();
      this.#pump();
    });
  }

  /** The room is watched over a new connection, so everything without an answer goes again. */
  connected(send: (text: string) => void): void {
    this.#send = send;
    this.#budget = AT_ONCE;
    this.#filledAt = this.timing.now();
    for (const one of this.#waiting.values()) one.isSent = false;
    this.#pump();
  }

  disconnected(): void {
    this.#send = undefined;
  }

  abandon(): void {
    this.#send = undefined;
    this.#cancel?.();
    for (const one of this.#waiting.values()) one.resolve({ kind: "abandoned" });
    this.#waiting.clear();
    this.#tell();
  }

  /** Returns whether the message was the answer to an order. */
  answered(frame: Frame): boolean {
    if (!("id" in frame) || frame.id === undefined) return false;
    const one = this.#waiting.get(frame.id);
    if (one === undefined) return false;
    if (frame.type === "error" && AGAIN.has(frame.code)) {
      one.isSent = false;
      one.notBefore = this.timing.now() + AGAIN_MS;
    } else if (frame.type === "error" && frame.code === "id_reused" && !one.hasNewId) {
      // Somebody else's order on this connection had the same random id. This one was not carried out.
      this.#waiting.delete(one.id);
      const id = this.newId();
      this.#waiting.set(id, { ...one, id, isSent: false, hasNewId: true });
    } else {
      this.#waiting.delete(one.id);
      this.#tell();
      one.resolve(outcomeOf(frame));
    }
    this.#pump();
    return true;
  }

  #tell(): void {
    this.onWaiting([...this.#waiting.values()].filter(({ order }) => order.type !== "history").length);
  }

  #pump(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (this.#send === undefined) return;
    const now = this.timing.now();
    this.#budget = Math.min(AT_ONCE, this.#budget + ((now - this.#filledAt) / 1_000) * PER_SECOND);
    this.#filledAt = now;
    let inProgress = [...this.#waiting.values()].filter(({ isSent }) => isSent).length;
    let next = Infinity;
    for (const one of this.#waiting.values()) {
      if (one.isSent) continue;
      if (inProgress >= IN_PROGRESS_MAX) break;
      if (one.notBefore > now) {
        next = Math.min(next, one.notBefore - now);
        continue;
      }
      if (this.#budget < 1) {
        next = Math.min(next, ((1 - this.#budget) / PER_SECOND) * 1_000);
        break;
      }
      this.#budget -= 1;
      inProgress += 1;
      one.isSent = true;
      this.#send(JSON.stringify({ id: one.id, ...one.order }));
    }
    if (next < Infinity) this.#cancel = this.timing.later(Math.max(1, Math.ceil(next)), () => this.#pump());
  }
}

function outcomeOf(frame: Frame): OrderOutcome {
  switch (frame.type) {
    case "done":
      return { kind: "done", count: frame.count, unchangedCount: frame.unchangedCount ?? 0, unchanged: frame.unchanged ?? [], ...(frame.code === undefined ? {} : { code: frame.code }) };
    case "history":
      return { kind: "history", events: Array.isArray(frame.events) ? frame.events : [] };
    case "code":
      return { kind: "code", code: frame.code, expiresAt: frame.expiresAt };
    case "error":
      return { kind: "refused", code: frame.code, error: frame.error };
    default:
      return { kind: "abandoned" };
  }
}

/** A page by plain HTTP has no `randomUUID`. */
export function randomId(): string {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** What came of the same order for several students. */
export interface Sum {
  done: number;
  /** Those that changed something. */
  carriedOut: Order[];
  refused: Extract<OrderOutcome, { kind: "refused" }>[];
  abandoned: number;
  /** How many were left as they were by orders that reached them, and the first of these. */
  unchangedCount: number;
  unchanged: Unchanged[];
}

/** These orders, and what came of them together. Someone who has handed in meanwhile counts as refused. */
export async function giveEach(give: (order: Order) => Promise<OrderOutcome>, orders: Order[]): Promise<Sum> {
  const sum: Sum = { done: 0, carriedOut: [], refused: [], abandoned: 0, unchangedCount: 0, unchanged: [] };
  await Promise.all(
    orders.map(async (order) => {
      const outcome = await give(order);
      if (outcome.kind === "done") {
        sum.done += outcome.count;
        sum.unchangedCount += outcome.unchangedCount;
        sum.unchanged.push(...outcome.unchanged);
        if (outcome.count > 0) sum.carriedOut.push(order);
      } else if (outcome.kind === "refused") sum.refused.push(outcome);
      else if (outcome.kind === "abandoned") sum.abandoned += 1;
    }),
  );
  return sum;
}

/** The marks that take these back, of which only those that were carried out are given; empty if one of them has no way back. */
export function wayBack(carriedOut: Order[]): Order[] {
  const back = carriedOut.flatMap((order): Order[] => {
    if ((order.type !== "present" && order.type !== "absent") || order.candidateId === EVERYONE) return [];
    return [{ ...order, type: order.type === "present" ? "absent" : "present" }];
  });
  return back.length === carriedOut.length ? back : [];
}
