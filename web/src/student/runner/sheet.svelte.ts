// The sheet as a question needs it: asks for its script, and says when it can't be had yet. Separate from what loads it
// ahead, which knows nothing of a student who waits.

import type { Prefetch } from "./prefetch.svelte";

/** If the sheet takes longer to come, the student is told that it is missing: without a network it can only be kept here. */
const SHEET_MS = 3_000;
const OFFLINE_SHEET_MS = 500;

export class SheetWait {
  isAwaited = $state(false);
  /** Whether the student was told that the sheet is missing, and has not dismissed it. */
  #isTold = $state(false);

  constructor(private prefetch: Prefetch) {}

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
