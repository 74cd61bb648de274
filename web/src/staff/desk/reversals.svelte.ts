// Keeps what was just ordered from being taken back by a second tap: the order that undoes another one is deaf for a moment, to the
// mouse, to fingers and to keys alike.

import type { Timing } from "../../exam/ports";
import { UNDO_DEAF_MS } from "../deaf";
import type { Mark, TimeOrder } from "./selection";

export type ReversalKind = TimeOrder | Mark | "undo";

const UNDOES: Partial<Record<ReversalKind, ReversalKind[]>> = { extend: ["undo"], pause: ["unpause", "undo"], unpause: ["pause", "undo"], finish: ["undo"], present: ["absent"], absent: ["present"] };

export class Reversals {
  /** What is deaf, each with the number of the order that has made it so last. */
  #deaf = new Map<string, number>();
  #orders = 0;
  /** Says that something is deaf now or hears again: once for an order, which may be to thousands of students. */
  #version = $state(0);

  constructor(private timing: Timing) {}

  /** This order has just been given to these students, or was just answered: what undoes it hears nothing. */
  ordered(kind: ReversalKind, keys: string[]): void {
    const undone = UNDOES[kind];
    if (undone === undefined || keys.length === 0) return;
    const signs = keys.flatMap((key) => undone.map((other) => `${other} ${key}`));
    const order = (this.#orders += 1);
    for (const sign of signs) this.#deaf.set(sign, order);
    this.#version += 1;
    this.timing.later(UNDO_DEAF_MS, () => this.#hear(signs, order));
  }

  /** Whether this order would undo what one of these students has just been given. */
  isDeaf(kind: ReversalKind, keys: string[]): boolean {
    return this.#version > 0 && this.#deaf.size > 0 && keys.some((key) => this.#deaf.has(`${kind} ${key}`));
  }

  #hear(signs: string[], order: number): void {
    for (const sign of signs) if (this.#deaf.get(sign) === order) this.#deaf.delete(sign);
    this.#version += 1;
  }
}
