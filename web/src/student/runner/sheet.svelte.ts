// The sheet as a question needs it: says when it can't be had yet, and knows whether it was here from the beginning. Separate
// from what loads it, which knows nothing of questions.

import { untrack } from "svelte";
import type { Part } from "./part.svelte";
import type { Sheet } from "./prefetch.svelte";

export class SheetWait {
  isAwaited = $state(false);
  /** Whether the student was told that the sheet is missing, and has not dismissed it. */
  #isTold = $state(false);

  /** Whether it was here when the student turned to this question, or came back to it from the sheet. */
  readonly wasHere = $derived.by(() => {
    void this.turn();
    return untrack(() => this.sheet.here !== undefined);
  });

  /**
   * To be made while a component is. `hasDrawing` tells whether the question has one, which wants the sheet at once; `turn` gives
   * something new whenever the student turns to a question.
   */
  constructor(
    private sheet: Part<Sheet>,
    hasDrawing: () => boolean,
    private turn: () => unknown,
  ) {
    $effect(() => {
      // It should not wait until the browser is idle.
      if (hasDrawing()) untrack(() => sheet.want());
    });
  }

  /** What the student is told about the sheet, as it is now. */
  readonly message = $derived.by(() => {
    if (!this.#isTold) return undefined;
    return this.sheet.here !== undefined ? "sheetReady" : this.sheet.isRefused ? "sheetRefused" : "sheetMissing";
  });

  dismiss(): void {
    this.#isTold = false;
  }

  /** Resolves to whether the sheet is here. If it is not, the student is told. */
  async come(): Promise<boolean> {
    this.isAwaited = this.sheet.here === undefined;
    const isHere = await this.sheet.hurry();
    this.isAwaited = false;
    if (!isHere) this.#isTold = true;
    return isHere;
  }
}
