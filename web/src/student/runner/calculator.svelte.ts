// The calculator as a test needs it: open or closed, and what is said while it does not come.

import { tick } from "svelte";
import { giveFocus, inUse } from "../../ui/focus";
import type { Part } from "./part.svelte";
import type { Calculator } from "./prefetch.svelte";

const BUTTON = "calculator-button";

export class CalculatorWait {
  isOpen = $state(false);
  /** The student has asked for it, and it opens as soon as it is here. */
  isAwaited = $state(false);
  /** Whether the student was told that it is missing, and waits for it all the same. */
  #isTold = $state(false);
  /** Rises when the student no longer waits, so that what comes then does not open. */
  #wish = 0;

  /** `cameLate` is called when it opens for somebody who has not stood waiting for it. */
  constructor(
    private part: Part<Calculator>,
    private cameLate: () => void,
  ) {}

  /** Once it is here. */
  get calculator(): Calculator | undefined {
    return this.part.here;
  }

  /** What the student is told about it, as it is now. */
  readonly message = $derived.by(() => {
    if (!this.#isTold) return undefined;
    return this.part.isRefused ? "calculatorRefused" : "calculatorMissing";
  });

  /** Opens it, at once or when it has come, or closes it. */
  async turn(): Promise<void> {
    if (this.isOpen) return this.close();
    if (this.isAwaited) return this.part.retryNow();
    const wish = this.#wish;
    this.isAwaited = this.part.here === undefined;
    const isPrompt = await this.part.hurry();
    if (!isPrompt) {
      this.#isTold = true;
      await this.part.arrival;
    }
    if (wish === this.#wish) await this.#open(isPrompt);
  }

  /** The focus goes back to the button, as with a dialog. */
  close(): void {
    const hadFocus = document.activeElement?.closest(".calculator") != null;
    this.isOpen = false;
    if (hadFocus) void tick().then(() => giveFocus(document.getElementById(BUTTON) ?? undefined));
  }

  /** The student has read that it is missing, and does not wait for it. */
  dismiss(): void {
    this.#wish += 1;
    [this.isAwaited, this.#isTold] = [false, false];
  }

  async #open(isPrompt: boolean): Promise<void> {
    // The message goes away, and the focus must not fall with it.
    if (document.activeElement?.closest(".notice") != null) giveFocus(document.getElementById(BUTTON) ?? undefined);
    [this.isOpen, this.isAwaited, this.#isTold] = [true, false, false];
    // Who was told to go on with the question answers it by keys, wherever the focus is; and who has gone on keeps the focus.
    if (!isPrompt || inUse()?.id !== BUTTON) return this.cameLate();
    await tick();
    document.querySelector<HTMLElement>(".calculator .display")?.focus({ preventScroll: true });
  }
}
