// The order of a list that people click in: while the pointer or the keyboard is in it nothing moves, so that nobody pauses the
// wrong student. What is new goes to the end then, and what is no longer wanted stays where it is until the list is let go.

export class HeldOrder {
  #shown: string[] = [];
  #choice = "";

  /**
   * `isThere` says whether a key can be shown at all: whoever has left the room goes, held or not. Another `choice` among the keys is
   * what somebody has asked for, and nothing of the one before is kept.
   */
  show(wanted: readonly string[], isHeld: boolean, isThere: (key: string) => boolean, choice = ""): readonly string[] {
    if (!isHeld || choice !== this.#choice) {
      this.#choice = choice;
      if (!isSame(this.#shown, wanted)) this.#shown = [...wanted];
      return this.#shown;
    }
    const kept = this.#shown.filter(isThere);
    const known = new Set(kept);
    const next = [...kept, ...wanted.filter((key) => !known.has(key))];
    if (!isSame(this.#shown, next)) this.#shown = next;
    return this.#shown;
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((key, index) => key === other[index]);
}
