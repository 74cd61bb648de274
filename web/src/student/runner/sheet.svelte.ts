// The sheet as a question needs it: asks for its script, says when it can't be had yet, and knows whether it was here from the
// beginning. Separate from what loads it ahead, which knows nothing of a student who waits.

import { untrack } from "svelte";
import type { Prefetch } from "./prefetch.svelte";

/** If the sheet takes longer to come, the student is told that it is missing: without a network it can only be kept here. */
const SHEET_MS = 3_000;
const OFFLINE_SHEET_MS = 500;

export class SheetWait {
  isAwaited = $state(false);
  /** Whether the student was told that the sheet is missing, and has not dismissed it. */
  #isTold = $state(false);

  /** Whether it was here when the student turned to this question, or came back to it from the sheet. */
  readonly wasHere = $derived.by(() => {
    void this.turn();
    return untrack(() => this.prefetch.sheet !== undefined);
  });

  /**
   * To be made while a component is. `hasDrawing` tells whether the question has one, which wants the sheet at once; `turn` gives
   * something new whenever the student turns to a question.
   */
  constructor(
    private prefetch: Prefetch,
    hasDrawing: () => boolean,
    private turn: () => unknown,
  ) {
    $effect(() => {
      if (hasDrawing()) untrack(() => prefetch.wantSheet());
    });
  }

  /** What the student is told about the sheet, as it is now. */
  readonly message = $derived.by(() => {
    if (!this.#isTold) return undefined;
    return this.prefetch.sheet !== undefined ? "sheetReady" : this.prefetch.isSheetRefused ? "sheetRefused" : "sheetMissing";
  });

  dismiss(): void {
    this.#isTold = false;
  }

  /** Resolves to whether the sheet is here. If it is not, the student is told. */
  async come(): Promise<boolean> {
    const isHere = this.prefetch.sheet !== undefined || (await this.#hurry());
    if (!isHere) this.#isTold = true;
    return isHere;
  }

  async #hurry(): Promise<boolean> {
    this.isAwaited = true;
    // A page that has just begun has no connection yet, and still gets the sheet in a moment.
    const isHere = await this.prefetch.hurry(navigator.onLine ? SHEET_MS : OFFLINE_SHEET_MS);
    this.isAwaited = false;
    return isHere;
  }
}
