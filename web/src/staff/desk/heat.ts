// How many students are at each question and how many have answered it, kept by difference. A row's `progress` has a character
// for each question so far.

import { isAtWork, type Row } from "./row";

/** `a` answered, `A` answered and marked, `M` only marked, `v` opened, `-` not opened. */
const ANSWERED = "aA";

export interface HeatQuestion {
  at: number;
  answered: number;
}

export class Heat {
  questions: HeatQuestion[] = [];
  /** Rows that say how far they are, at work or not. */
  rows = 0;

  change(before: Row | undefined, after: Row | undefined): void {
    if (before?.progress === after?.progress && before?.at === after?.at && before?.state === after?.state) return;
    this.#add(before, -1);
    this.#add(after, 1);
  }

  #add(row: Row | undefined, by: 1 | -1): void {
    const progress = row?.progress;
    if (row === undefined || progress === undefined || progress === "") return;
    this.rows += by;
    while (this.questions.length < progress.length) this.questions.push({ at: 0, answered: 0 });
    for (let index = 0; index < progress.length; index += 1) {
      const question = this.questions[index] as HeatQuestion;
      if (ANSWERED.includes(progress[index] as string)) question.answered += by;
    }
    const at = isAtWork(row) && row.at != null ? this.questions[row.at] : undefined;
    if (at !== undefined) at.at += by;
  }
}
