// Tracks two fingers that move and zoom the sheet. One finger draws, which `pointers.ts` decides.

export interface Finger {
  pointerId: number;
  pointerType: string;
  clientX: number;
  clientY: number;
}

/** How two fingers moved: the point between them, how far it moved, and the ratio of their new distance to the old. */
export interface Stretch {
  x: number;
  y: number;
  dx: number;
  dy: number;
  ratio: number;
}

export class Fingers {
  #at = new Map<number, { x: number; y: number }>();

  down({ pointerId, pointerType, clientX, clientY }: Finger): void {
    if (pointerType === "touch") this.#at.set(pointerId, { x: clientX, y: clientY });
  }

  up({ pointerId }: Pick<Finger, "pointerId">): void {
    this.#at.delete(pointerId);
  }

  clear(): void {
    this.#at.clear();
  }

  get count(): number {
    return this.#at.size;
  }

  /** How this event moved the pair, or undefined if there is no pair or it is another pointer. */
  move({ pointerId, clientX, clientY }: Omit<Finger, "pointerType">): Stretch | undefined {
    if (!this.#at.has(pointerId)) return undefined;
    const before = this.#pair();
    this.#at.set(pointerId, { x: clientX, y: clientY });
    const after = this.#pair();
    if (before === undefined || after === undefined) return undefined;
    const ratio = before.apart < 1 ? 1 : after.apart / before.apart;
    return { x: after.x, y: after.y, dx: after.x - before.x, dy: after.y - before.y, ratio };
  }

  #pair(): { x: number; y: number; apart: number } | undefined {
    const [one, other] = [...this.#at.values()];
    if (one === undefined || other === undefined || this.#at.size !== 2) return undefined;
    return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2, apart: Math.hypot(one.x - other.x, one.y - other.y) };
  }
}
