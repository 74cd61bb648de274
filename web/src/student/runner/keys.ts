// Which key does what in a running test. Letters can be switched off, for students whose devices send them by accident.

import { CHOICES } from "../../exam/protocol";

export type KeyAction =
  /** The option that stands there, counted from 0: letters go by position. */
  | { kind: "choose" | "eliminate"; index: number }
  | { kind: "previous" | "next" | "options" | "mark" | "draw" | "help" };

/** The first sign that no key of a Latin layout has by itself. */
const BEYOND_LATIN = "\u0250";
/** The names of the radio buttons of a question, on its card and on its sheet. */
const OPTIONS: (string | null)[] = ["option", "sheet-option"];

/** The part of a keyboard event that decides. */
export interface PressedKey {
  key: string;
  /** The place of the key, by the letter that an English keyboard has there: `KeyA`. */
  code: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  altKey: boolean;
  metaKey: boolean;
  target: EventTarget | null;
}

/** What keys do while the sheet is open as well: the arrows move it there, and the other actions have no place on it. */
export function isOnSheet({ kind }: KeyAction): boolean {
  return kind === "choose" || kind === "eliminate";
}

/** A letter of an answer chooses it, and with Shift crosses it out. D is one of them, so drawing is P, for pen. */
export function actionOf(event: PressedKey, areLettersOn: boolean): KeyAction | undefined {
  if (event.ctrlKey || event.altKey || event.metaKey || isTyping(event.target)) return undefined;
  if (event.key === "ArrowLeft") return { kind: "previous" };
  if (event.key === "ArrowRight") return { kind: "next" };
  const isInOptions = OPTIONS.includes(nameOf(event.target));
  if (event.key === "ArrowDown" || event.key === "ArrowUp") return isInOptions ? undefined : { kind: "options" };
  if (!areLettersOn) return undefined;
  if (event.key === "?") return { kind: "help" };
  // A layout without Latin letters has other signs, and they count by their place.
  const letter = (event.key < BEYOND_LATIN ? event.key : event.code.slice("Key".length)).toUpperCase();
  const index = CHOICES.findIndex((choice) => choice === letter);
  if (index >= 0) return { kind: event.shiftKey ? "eliminate" : "choose", index };
  if (event.shiftKey) return undefined;
  return letter === "M" ? { kind: "mark" } : letter === "P" ? { kind: "draw" } : undefined;
}

function nameOf(target: EventTarget | null): string | null {
  return target !== null && "getAttribute" in target ? (target as Element).getAttribute("name") : null;
}

/** Whether the element that has the focus needs the key itself; the language menu needs letters and arrows too. */
function isTyping(target: EventTarget | null): boolean {
  if (target === null || !("matches" in target)) return false;
  return (target as Element).matches("input:not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable=true]");
}
