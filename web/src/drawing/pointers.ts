// Which pointer draws: one at a time, and once a pen has been used no finger or palm.

/** What of a pointer event decides. */
export interface Pointer {
  pointerId: number;
  pointerType: string;
  button: number;
}

/** What this device has been seen to have, from one sheet to the next. */
const device = { hasPen: false };

export class Pointers {
  #drawing: { pointerId: number; pointerType: string } | undefined;

  constructor(private seen: { hasPen: boolean } = device) {}

  /**
   * Whether this pointer may begin to draw; "instead" when it is a pen that takes the place of a hand:
   * a palm mostly lies down before the pen does, and what it has drawn is to be dropped.
   */
  begin({ pointerId, pointerType, button }: Pointer): boolean | "instead" {
    const isPen = pointerType === "pen";
    if (isPen) this.seen.hasPen = true;
    const isHand = pointerType === "touch" && this.seen.hasPen;
    const isInstead = isPen && this.#drawing?.pointerType === "touch";
    if ((this.#drawing !== undefined && !isInstead) || isHand || button !== 0) return false;
    this.#drawing = { pointerId, pointerType };
    return isInstead ? "instead" : true;
  }

  isDrawing({ pointerId }: Pick<Pointer, "pointerId">): boolean {
    return this.#drawing?.pointerId === pointerId;
  }

  get isBusy(): boolean {
    return this.#drawing !== undefined;
  }

  /** Whether what draws now is neither pen nor mouse. */
  get isTouch(): boolean {
    return this.#drawing?.pointerType === "touch";
  }

  /** Whether it was the one that drew. */
  end({ pointerId }: Pick<Pointer, "pointerId">): boolean {
    if (this.#drawing?.pointerId !== pointerId) return false;
    this.#drawing = undefined;
    return true;
  }

  /** Nobody draws any more. */
  drop(): void {
    this.#drawing = undefined;
  }
}
