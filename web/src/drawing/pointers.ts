// Decides which pointer draws: one at a time, and once a pen has been used, no finger or palm.

/** The part of a pointer event that decides. */
export interface Pointer {
  pointerId: number;
  pointerType: string;
  button: number;
}

/** What is known of this device; it outlasts a sheet. */
const device = { hasPen: false };

export class Pointers {
  #drawing: { pointerId: number; pointerType: string } | undefined;

  constructor(private seen: { hasPen: boolean } = device) {}

  /**
   * Whether this pointer may begin to draw. "instead" means that a pen replaces a hand: a palm usually touches the screen
   * before the pen does, and what it has drawn must be discarded.
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

  /** Whether this pointer may choose an option on the sheet: no hand while anything is drawn, or once a pen has been used. */
  mayChoose({ pointerType }: Pick<Pointer, "pointerType">): boolean {
    if (pointerType === "pen") this.seen.hasPen = true;
    return this.#drawing === undefined && !(pointerType === "touch" && this.seen.hasPen);
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
}
