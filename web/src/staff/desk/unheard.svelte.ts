// Whose test has ended while their device had no connection: it may still hold answers, and nobody should send it away unnoticed.
// Rows do not say so, so the desk remembers it, also after the page is loaded anew. Kept by the tab, as what it has answered.

import { SvelteMap } from "svelte/reactivity";
import { OFFLINE_AFTER_MS } from "./attention";
import { isHere, type Row } from "./row";

const PREFIX = "examhall-unheard-";

/** Whether nothing comes from the device of somebody at work. `offlineSince` is when this desk saw the connection go. */
export function isGone(row: Row, offlineSince: number | undefined, now: number): boolean {
  if (row.connected || !isHere(row)) return false;
  const seenAt = row.lastSeenAt === null ? 0 : Date.parse(row.lastSeenAt);
  // Who has no socket may work over HTTPS, and is heard then.
  return (offlineSince !== undefined && seenAt <= offlineSince) || now - Math.max(offlineSince ?? 0, seenAt) > OFFLINE_AFTER_MS;
}

/** Whether answers have come after the end since then. Those of an earlier end of a reopened test came before, and visits are none. */
function hasSent({ late }: Row, since: string): boolean {
  return late !== undefined && late.changes > 0 && late.lastAt > since;
}

export class Unheard {
  #keptAs: string;
  /** By key, when they were heard last, as the end found it. */
  #seenAt: SvelteMap<string, string>;

  constructor(desk: string) {
    this.#keptAs = PREFIX + desk;
    this.#seenAt = new SvelteMap(read(this.#keptAs));
  }

  has(key: string): boolean {
    return this.#seenAt.has(key);
  }

  get size(): number {
    return this.#seenAt.size;
  }

  get keys(): string[] {
    return [...this.#seenAt.keys()];
  }

  /** A row has become another one, or is there for the first time. `now` is the server's. */
  note(key: string, before: Row | undefined, row: Row | undefined, offlineSince: number | undefined, now: number): void {
    const seenAt = this.#seenAt.get(key);
    if (seenAt !== undefined) {
      // It has come back, with work that staff decide about or without, or the test goes on.
      const isHeard = row === undefined || row.state !== "submitted" || row.connected || hasSent(row, seenAt) || (row.lastSeenAt ?? "") > seenAt;
      if (isHeard) this.settle(key);
    } else if (row?.state === "submitted" && before !== undefined && isGone(before, offlineSince, now)) {
      // What is stored of a test that has ended may be older than what the desk has seen.
      const heardAt = [before.lastSeenAt ?? "", row.lastSeenAt ?? ""].sort().at(-1) ?? "";
      if (hasSent(row, heardAt)) return;
      this.#seenAt.set(key, heardAt);
      this.#keep();
    }
  }

  /** Somebody has looked at the device. */
  settle(key: string): void {
    if (this.#seenAt.delete(key)) this.#keep();
  }

  #keep(): void {
    try {
      sessionStorage.setItem(this.#keptAs, JSON.stringify([...this.#seenAt]));
    } catch {
      // After a reload only what has come late is pointed out.
    }
  }
}

function read(keptAs: string): [string, string][] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keptAs) ?? "[]");
    const isPair = (one: unknown): one is [string, string] => Array.isArray(one) && one.length === 2 && one.every((part) => typeof part === "string");
    return Array.isArray(kept) ? kept.filter(isPair) : [];
  } catch {
    return [];
  }
}
