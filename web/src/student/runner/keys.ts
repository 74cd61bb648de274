// Which key does what in a running test. Letters can be switched off, for students whose devices send them by accident.

import { CHOICES, type Choice } from "../../exam/protocol";

export type KeyAction =
  | { kind: "choose"; choice: Choice; index: number }
  | { kind: "previous" | "next" | "options" | "mark" | "draw" | "help" };

/** The part of a keyboard event that decides. */
export interface Key {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  altKey: boolean;
  metaKey: boolean;
  target: EventTarget | null;
}

/** D chooses an answer, so drawing is Shift and D. */
export function actionOf(event: Key, areLettersOn: boolean): KeyAction | undefined {
  if (event.ctrlKey || event.altKey || event.metaKey || isTyping(event.target)) return undefined;
  if (event.key === "ArrowLeft") return { kind: "previous" };
  if (event.key === "ArrowRight") return { kind: "next" };
  const isInOptions = nameOf(event.target) === "option";
  if (event.key === "ArrowDown" || event.key === "ArrowUp") return isInOptions ? undefined : { kind: "options" };
  if (!areLettersOn) return undefined;
  if (event.key === "?") return { kind: "help" };
  const letter = event.key.toUpperCase();
  if (letter === "D" && event.shiftKey) return { kind: "draw" };
  if (event.shiftKey) return undefined;
  if (letter === "M") return { kind: "mark" };
  const index = CHOICES.findIndex((choice) => choice === letter);
  const choice = CHOICES[index];
  return choice === undefined ? undefined : { kind: "choose", choice, index };
}

function nameOf(target: EventTarget | null): string | null {
  return target !== null && "getAttribute" in target ? (target as Element).getAttribute("name") : null;
}

/** Whether the element that has the focus needs the key itself; the language menu needs letters and arrows too. */
function isTyping(target: EventTarget | null): boolean {
  if (target === null || !("matches" in target)) return false;
  return (target as Element).matches("input:not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable=true]");
}
