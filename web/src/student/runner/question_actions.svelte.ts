// The actions of a student on the question in front of them, each with its announcement for screen readers. Separate
// from the page, which has buttons, keys and fingers for the same things.

import { stateOf } from "../../exam/answers";
import type { Exam } from "../../exam/exam";
import { seenChoices, seenLetter } from "../../exam/option_order";
import type { Choice } from "../../exam/protocol";
import type { Question } from "../../exam/question";
import { texts } from "../../texts/language.svelte";
import { say } from "../../ui/announcements.svelte";

export class QuestionActions {
  /** The chosen option, which the student has tried to cross out. */
  #refused = $state.raw<{ questionId: string; choice: Choice }>();

  /** `questionId` tells which question it is, and `question` what it is, once that is known. */
  constructor(
    private exam: Exam,
    private questionId: () => string,
    private question: () => Question | undefined,
  ) {}

  /** Why the option was not crossed out that the student has tried last; a message, which is read out by itself. */
  get hint(): string | undefined {
    return this.#refused?.questionId === this.questionId() ? texts().crossChosen(this.#letter(this.#refused.choice)) : undefined;
  }

  dismissHint = (): void => {
    this.#refused = undefined;
  };

  /** The key of a letter means the option that stands there, if one does. */
  press(kind: "choose" | "eliminate", index: number): void {
    const question = this.question();
    const choice = question && seenChoices(question)[index];
    if (choice !== undefined) this[kind](choice);
  }

  choose = (choice: Choice | null): void => {
    this.dismissHint();
    this.exam.choose(this.questionId(), choice);
    say(choice === null ? texts().cleared : texts().chosen(this.#letter(choice)), "answer");
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
    say(isOut ? texts().crossedNow(this.#letter(choice)) : texts().restoredNow(this.#letter(choice)), "answer");
  };

  mark = (): void => {
    const isMarked = !this.#state.marked;
    this.exam.mark(this.questionId(), isMarked);
    say(isMarked ? texts().markedNow : texts().unmarkedNow, "mark");
  };

  /** As the student sees it. */
  #letter(choice: Choice): string {
    return seenLetter(choice, this.question()?.order);
  }

  get #state() {
    return stateOf(this.exam.view.answers, this.questionId());
  }
}
