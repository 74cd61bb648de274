// Whether single letters, digits and signs are commands on the staff pages, which is kept in the browser. Who speaks to the
// computer, or hits keys by accident, can switch them off (WCAG 2.1.4).

import { isOn, keepOn } from "../storage/settings";

/** Which keys a list has: all of them, and only those with a name, which act without single letters too. */
export interface KeysHint {
  all: string;
  named: string;
}

const KEPT_AS = "staff-letters";

let areOn = $state(false);
turnLetters(isOn(KEPT_AS));

export function areLettersOn(): boolean {
  return areOn;
}

/** The style sheet hides the keys that are written on buttons. */
export function turnLetters(on: boolean): void {
  areOn = on;
  document.documentElement.dataset["letters"] = on ? "on" : "off";
  keepOn(KEPT_AS, on);
}

/** The keys that act now. */
export function hintOf({ all, named }: KeysHint): string {
  return areOn ? all : named;
}

/** For `aria-keyshortcuts`: these keys, as long as they act. */
export function letterKeys(keys: string): string | undefined {
  return areOn ? keys : undefined;
}
