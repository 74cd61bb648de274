// The actions of a student on the question in front of them, each with its announcement for screen readers. Separate
// from the page, which has buttons, keys and fingers for the same things.

import { stateOf } from "../../exam/answers";
import type { Exam } from "../../exam/exam";
import type { Choice } from "../../exam/protocol";
import { texts } from "../../texts/language.svelte";
import { say } from "../../ui/announcements.svelte";

export class QuestionActions {
  /** The chosen option, which the student has tried to cross out. */
  #refused = $state.raw<{ questionId: string; choice: Choice }>();

  /** `questionId` tells which question it is. */
  constructor(
    private exam: Exam,
    private questionId: () => string,
  ) {}

  /** Why the option was not crossed out that the student has tried last; a message, which is read out by itself. */
  get hint(): string | undefined {
    return this.#refused?.questionId === this.questionId() ? texts().crossChosen(this.#refused.choice) : undefined;
  }

  dismissHint = (): void => {
    this.#refused = undefined;
  };

  choose = (choice: Choice | null): void => {
    this.dismissHint();
    this.exam.choose(this.questionId(), choice);
    say(choice === null ? texts().cleared : texts().chosen(choice), "answer");
  };

  /** What stands in the box for a number. What it is read as is said where it is read. */
  type = (questionId: string, text: string, isDone: boolean, isHeld: boolean): void => this.exam.type(questionId, text, isDone, isHeld);

  /** Crosses an option out, or restores it. */
  eliminate = (choice: Choice): void => {
    const { selected, eliminated } = this.#state;
    const [questionId, isOut] = [this.questionId(), !eliminated.includes(choice)];
    this.#refused = selected === choice ? { questionId, choice } : undefined;
    if (this.#refused !== undefined) return;
    this.exam.eliminate(questionId, choice, isOut);
    say(isOut ? texts().crossedNow(choice) : texts().restoredNow(choice), "answer");
  };

  mark = (): void => {
    const isMarked = !this.#state.marked;
    this.exam.mark(this.questionId(), isMarked);
    say(isMarked ? texts().markedNow : texts().unmarkedNow, "mark");
  };

  get #state() {
    return stateOf(this.exam.view.answers, this.questionId());
  }
}
