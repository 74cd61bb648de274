// Decides which pointer draws: one at a time, and no finger or palm while a pen is near, or was not long ago.

/** The part of a pointer event that decides. */
export interface Pointer {
  pointerId: number;
  pointerType: string;
  button: number;
  timeStamp: number;
}

/** A pen that has not come near the screen for this long has been put away: it may be empty, or somebody else's. */
const PEN_AWAY_MS = 10_000;

/** When a pen was near the screen of this device last; it outlasts a sheet. */
const device = { penAt: -Infinity };

export class Pointers {
  #drawing: { pointerId: number; pointerType: string } | undefined;

  constructor(private seen: { penAt: number } = device) {}

  /** A pen is noticed before it touches. */
  near({ pointerType, timeStamp }: Pick<Pointer, "pointerType" | "timeStamp">): void {
    if (pointerType === "pen") this.seen.penAt = timeStamp;
  }

  /**
   * Whether this pointer may begin to draw. "instead" means that a pen replaces a hand: a palm usually touches the screen
   * before the pen does, and what it has drawn must be discarded.
   */
  begin(pointer: Pointer): boolean | "instead" {
    const { pointerId, pointerType, button } = pointer;
    const isHand = this.#isBesidePen(pointer);
    const isInstead = pointerType === "pen" && this.#drawing?.pointerType === "touch";
    if ((this.#drawing !== undefined && !isInstead) || isHand || button !== 0) return false;
    this.#drawing = { pointerId, pointerType };
    return isInstead ? "instead" : true;
  }

  /** Whether this pointer may choose an option on the sheet: no hand while anything is drawn, or beside a pen. */
  mayChoose(pointer: Pick<Pointer, "pointerType" | "timeStamp">): boolean {
    return !this.#isBesidePen(pointer) && this.#drawing === undefined;
  }

  isDrawing({ pointerId }: Pick<Pointer, "pointerId">): boolean {
    return this.#drawing?.pointerId === pointerId;
  }

  get isBusy(): boolean {
    return this.#drawing !== undefined;
  }

  /** Whether a finger is drawing, rather than a pen or a mouse. */
  get isTouch(): boolean {
    return this.#drawing?.pointerType === "touch";
  }

  /** Returns whether this pointer was drawing. */
  end({ pointerId }: Pick<Pointer, "pointerId">): boolean {
    if (this.#drawing?.pointerId !== pointerId) return false;
    this.#drawing = undefined;
    return true;
  }

  /** Stops whatever is drawing. */
  drop(): void {
    this.#drawing = undefined;
  }

  /** Whether it is a hand, and a pen is in use. */
  #isBesidePen(pointer: Pick<Pointer, "pointerType" | "timeStamp">): boolean {
    this.near(pointer);
    return pointer.pointerType === "touch" && pointer.timeStamp - this.seen.penAt < PEN_AWAY_MS;
  }
}
