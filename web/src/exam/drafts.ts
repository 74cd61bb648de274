// Drawings that are not sent yet. They change many times a second, so the newest of each question is stored soon, and sent
// now and then, larger ones less often.

import type { Timing } from "./ports";
import type { StoredDrawing } from "./protocol";

/** The shortest pause between two sends … */
const SHORTEST_MS = 500;
/** … and the rate that lengthens it: a drawing of 200 KiB goes out every four seconds. */
const BYTES_PER_MS = 50;
/** A drawing that could not go out is looked at again after this at the soonest. */
const LOOK_MS = 100;
/** A drawing is stored in the browser after this at the latest, however long it waits to be sent. */
const KEEP_MS = 250;

export interface DraftEvents {
  /** Whether no earlier version of this drawing is still on its way. */
  isFree(questionId: string): boolean;
  send(questionId: string, drawing: StoredDrawing | null): void;
  /** Stores the drawing so that it outlives the page, though it is not sent yet. */
  keep(questionId: string, drawing: StoredDrawing | null): void;
}

export class Drafts {
  #newest = new Map<string, StoredDrawing | null>();
  #unkept = new Set<string>();
  #sentAt = 0;
  #bytes = 0;
  #isWaiting = false;
  #isKeeping = false;

  constructor(
    private timing: Timing,
    private events: DraftEvents,
  ) {}

  put(questionId: string, drawing: StoredDrawing | null): void {
    this.#newest.set(questionId, drawing);
    this.#unkept.add(questionId);
    this.#keepLater();
    this.#sendLater();
  }

  get isEmpty(): boolean {
    return this.#newest.size === 0;
  }

  /** The drawings that wait to be sent, by question. */
  get waiting(): [string, StoredDrawing | null][] {
    return [...this.#newest];
  }

  /** Sends all of them, even if earlier versions are still on their way. */
  sendNow(): void {
    for (const [questionId, drawing] of this.take(() => true)) this.events.send(questionId, drawing);
  }

  /** Removes and returns those that may go now. */
  take(may: (questionId: string) => boolean): [string, StoredDrawing | null][] {
    const taken = [...this.#newest].filter(([questionId]) => may(questionId));
    for (const [questionId, drawing] of taken) {
      this.#newest.delete(questionId);
      this.#unkept.delete(questionId);
      this.#bytes = drawing === null ? 0 : JSON.stringify(drawing).length;
      this.#sentAt = this.timing.now();
    }
    return taken;
  }

  #keepLater(): void {
    if (this.#isKeeping) return;
    this.#isKeeping = true;
    this.timing.later(KEEP_MS, () => {
      this.#isKeeping = false;
      const kept = this.waiting.filter(([questionId]) => this.#unkept.has(questionId));
      this.#unkept.clear();
      for (const [questionId, drawing] of kept) this.events.keep(questionId, drawing);
    });
  }

  #sendLater(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    const pause = this.#sentAt + Math.max(SHORTEST_MS, this.#bytes / BYTES_PER_MS) - this.timing.now();
    this.timing.later(Math.max(LOOK_MS, pause), () => {
      this.#isWaiting = false;
      for (const [questionId, drawing] of this.take((id) => this.events.isFree(id))) this.events.send(questionId, drawing);
      if (!this.isEmpty) this.#sendLater();
    });
  }
}
