// Tells a swipe to the left from a tap, a scroll and a finger that slips. Separate from what listens to the pointers, so that it
// can be tested without a browser.

/** The part of a pointer event that decides. */
export interface Touch {
  pointerId: number;
  pointerType: string;
  clientX: number;
  clientY: number;
}

/** A shorter one does nothing: the width of a fingertip. */
const LENGTH_MIN_PX = 48;
/** It goes at least this many times as far to the left as up or down. */
const SLOPE_MIN = 2;

export class Swipe {
  #down = new Set<number>();
  #from: Touch | undefined;

  down(touch: Touch): void {
    if (touch.pointerType !== "touch") return;
    this.#down.add(touch.pointerId);
    // Two fingers enlarge the page.
    this.#from = this.#down.size === 1 ? touch : undefined;
  }

  /** Whether the finger that goes up here has swiped to the left. */
  up({ pointerId, clientX, clientY }: Touch): boolean {
    this.#down.delete(pointerId);
    const from = this.#from;
    if (from?.pointerId !== pointerId) return false;
    this.#from = undefined;
    const [left, across] = [from.clientX - clientX, Math.abs(from.clientY - clientY)];
    return left > LENGTH_MIN_PX && left >= SLOPE_MIN * across;
  }

  /** The browser scrolls with this finger, or has taken it for a palm. */
  cancel({ pointerId }: Pick<Touch, "pointerId">): void {
    this.#down.delete(pointerId);
    if (this.#from?.pointerId === pointerId) this.#from = undefined;
  }
}
