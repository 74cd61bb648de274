// The calculator as a test needs it: loaded when it is first asked for, open or closed, and what is said if it does not come.

import { tick } from "svelte";
import { giveFocus } from "../../ui/focus";

type Calculator = (typeof import("../../calculator/Calculator.svelte"))["default"];

export class CalculatorWait {
  /** Once it is here. */
  calculator = $state.raw<Calculator>();
  isOpen = $state(false);
  /** It could not be loaded, and the student has not dismissed that message. */
  isMissing = $state(false);

  /** `maySucceed` tells whether a script can be loaded now: some browsers never load one again that failed once. */
  constructor(private maySucceed: () => boolean) {}

  async turn(): Promise<void> {
    if (this.isOpen) return this.close();
    if (this.maySucceed()) this.calculator ??= (await loadCalculator())?.default;
    this.isMissing = this.calculator === undefined;
    this.isOpen = !this.isMissing;
    await tick();
    document.querySelector<HTMLElement>(".calculator .display")?.focus({ preventScroll: true });
  }

  /** The focus goes back to the button, as with a dialog. */
  close(): void {
    const hadFocus = document.activeElement?.closest(".calculator") != null;
    this.isOpen = false;
    if (hadFocus) void tick().then(() => giveFocus(document.getElementById("calculator-button") ?? undefined));
  }

  dismiss(): void {
    this.isMissing = false;
  }
}

/** Loads it, so that it is here without a network later. */
export function loadCalculator() {
  return import("../../calculator/Calculator.svelte").catch(() => undefined);
}
