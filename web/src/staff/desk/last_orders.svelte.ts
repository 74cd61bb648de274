// The last order about time that this desk has given to each student and to everyone, for as long as the server takes it back. The
// server takes back the last one alone, so whoever gets another order has no way back from the one before.

import { SvelteMap } from "svelte/reactivity";
import type { Timing } from "../../exam/ports";

/** As long as the server does. */
export const UNDO_WITHIN_MS = 600_000;

export interface LastOrder {
  /** `finish` is of one student alone. */
  type: "extend" | "pause" | "unpause" | "finish";
  /** Of `extend`. */
  minutes?: number;
  /** Nothing is left of it to take back. */
  settled?: () => void;
}

export class LastOrders {
  #last = new SvelteMap<string, LastOrder>();

  constructor(private timing: Timing) {}

  /** `targets` are ids of sessions, or `*`. */
  given(order: LastOrder, targets: readonly string[]): void {
    const before = new Set(targets.map((target) => this.#last.get(target)));
    for (const target of targets) this.#last.set(target, order);
    this.#settle(before);
    this.timing.later(UNDO_WITHIN_MS, () => this.#forget(order, targets));
  }

  of(target: string): LastOrder | undefined {
    return this.#last.get(target);
  }

  /** Those of these for whom this is still the last one. */
  left(order: LastOrder, targets: readonly string[]): string[] {
    return targets.filter((target) => this.#last.get(target) === order);
  }

  /** It was taken back from these, or can't be. */
  undone(targets: readonly string[]): void {
    const before = new Set(targets.map((target) => this.#last.get(target)));
    for (const target of targets) this.#last.delete(target);
    this.#settle(before);
  }

  /** Nothing is taken back from here any more. */
  end(): void {
    this.undone([...this.#last.keys()]);
  }

  #forget(order: LastOrder, targets: readonly string[]): void {
    this.undone(this.left(order, targets));
  }

  #settle(orders: ReadonlySet<LastOrder | undefined>): void {
    const kept = new Set(this.#last.values());
    for (const order of orders) if (order !== undefined && !kept.has(order)) order.settled?.();
  }
}
