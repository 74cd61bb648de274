// What is typed as an answer, from the first key until it is sent: not every key is a command. Separate from the drafts of
// drawings, which are large and go out while they change.

import type { Timing } from "./ports";
import { TYPED_CHARACTERS_MAX, type Selected } from "./protocol";

/** It is sent this long after the last key, and no later than when the student turns away from it. */
const PAUSE_MS = 300;
/** Control characters, and halves of characters, which come by pasting and would make the server refuse the message. */
const UNSENDABLE = /[\p{Cc}\p{Cs}]+/gu;

/** What is sent of a text: as it was typed, without what the server would not take; null for none. */
export function typedAnswer(text: string): Selected | null {
  const characters = [...text.replace(UNSENDABLE, " ").trim()];
  const sent = characters.slice(0, TYPED_CHARACTERS_MAX).join("").trim();
  return sent === "" ? null : sent;
}

export class Typing {
  #waiting: { questionId: string; text: string } | undefined;
  #cancel: () => void = () => {};

  constructor(
    private timing: Timing,
    private send: (questionId: string, selected: Selected | null) => void,
  ) {}

  /** Whether something was typed that is not sent yet. */
  get isWaiting(): boolean {
    return this.#waiting !== undefined;
  }

  put(questionId: string, text: string): void {
    this.hold(questionId, text);
    this.#cancel = this.timing.later(PAUSE_MS, () => this.sendNow());
  }

  /** An input method is at work on it: it waits until the student is done, or turns away. */
  hold(questionId: string, text: string): void {
    if (this.#waiting !== undefined && this.#waiting.questionId !== questionId) this.sendNow();
    this.#cancel();
    this.#waiting = { questionId, text };
  }

  sendNow(): void {
    const waiting = this.#waiting;
    this.drop();
    if (waiting !== undefined) this.send(waiting.questionId, typedAnswer(waiting.text));
  }

  /** Forgets what is not sent, for this question or for any: the student has cleared the answer. */
  drop(questionId?: string): void {
    if (questionId !== undefined && this.#waiting?.questionId !== questionId) return;
    this.#cancel();
    this.#waiting = undefined;
  }
}
