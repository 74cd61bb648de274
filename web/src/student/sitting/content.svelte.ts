// The questions of a sitting's exam: opened with the keys that the server gives, part by part, and kept on the device for
// reloads. The public bank does not have them.

import type { StoredTexts } from "../../exam/ports";
import type { Question } from "../../exam/question";
import type { Paper } from "../../sitting/paper";

export class SittingContent {
  questions = $state.raw<Record<string, Question>>({});
  title = $state("");
  #paper: Paper | undefined;
  #wasInOrder: boolean | undefined;

  /** Takes over what this device has stored. */
  take({ questions, title, inOrder }: StoredTexts): void {
    [this.questions, this.title, this.#wasInOrder] = [questions, title, inOrder];
  }

  /** Whether questions come in order, as the paper says, or has said when this device last read it. */
  get inOrder(): boolean {
    return this.#wasInOrder === true || this.#paper?.isInOrder === true;
  }

  /** The paper from which questions are taken. */
  use(paper: Paper): void {
    this.#paper = paper;
  }

  has(questionIds: string[]): boolean {
    return questionIds.every((id) => this.questions[id] !== undefined);
  }

  /** Opens this part. Returns the ids of its questions, in their order. */
  async open(part: string): Promise<string[]> {
    const questions = (await this.#paper?.questionsOf(part)) ?? [];
    this.questions = { ...this.questions, ...Object.fromEntries(questions.map((question) => [question.id, question])) };
    return questions.map(({ id }) => id);
  }

  /** The exam has reached this stage: opens what is missing of it, and has everything stored. */
  async follow(stage: number, questionIds: string[], keep: (kept: StoredTexts) => void): Promise<void> {
    if (!this.has(questionIds)) await Promise.all((this.#paper?.open ?? []).map((part) => this.open(part)));
    keep({ title: this.title, questions: this.questions, stage, inOrder: this.inOrder });
  }
}
