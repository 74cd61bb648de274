// Where the student is in the test: the stage, the question in front of them, and the ending they have asked for.
// Separate from the exam because a resume, a new stage and a refused ending each change several of these at once.

import type { AttemptRecord } from "./ports";
import type { Ending, StageFrame, Standing } from "./protocol";

export class Position {
  #record: AttemptRecord;
  /** The ending that was asked for and not answered yet. It has a number once it may be sent. */
  #ending: { type: Ending; seq?: number } | null;

  /** `isSent` says whether the server may have received the command with this number. */
  constructor(
    record: AttemptRecord,
    private isSent: (seq: number) => boolean,
  ) {
    this.#record = record;
    this.#ending = record.ending ?? null;
  }

  get record(): AttemptRecord {
    return { ...this.#record, ending: this.#ending };
  }

  get ending(): { type: Ending; seq?: number } | null {
    return this.#ending;
  }

  /** The question in front of the student. */
  get questionId(): string | undefined {
    return this.#record.questionIds?.[this.#record.current ?? 0];
  }

  /** Whether the ending can still be withdrawn: only until the server may have received it. */
  get canWithdraw(): boolean {
    return this.#ending !== null && !this.#isEndingSent;
  }

  get #isEndingSent(): boolean {
    return this.#ending?.seq !== undefined && this.isSent(this.#ending.seq);
  }

  has(index: number): boolean {
    return this.#record.questionIds?.[index] !== undefined;
  }

  open(index: number): void {
    this.#record = { ...this.#record, current: index };
  }

  ask(type: Ending): void {
    this.#ending = { type };
  }

  withdraw(): void {
    this.#ending = null;
  }

  /** Numbers the ending, which may go out now. */
  numberEnding(number: () => number): void {
    if (this.#ending !== null && this.#ending.seq === undefined) this.#ending = { ...this.#ending, seq: number() };
  }

  /** The server refused this number for good; an ending with it is over. */
  refuse(seq: number): void {
    if (seq === this.#ending?.seq) this.#ending = null;
  }

  /** The server did not apply this number; an ending with it gets a new one. */
  unnumber(seq: number): void {
    if (seq === this.#ending?.seq) this.#ending = { type: this.#ending.type };
  }

  /** Whether this stage is over already. A stage that has ended never comes back, so a frame about it is out of date. */
  isPast(stage: number): boolean {
    return stage < (this.#record.stage ?? 0);
  }

  /**
   * Takes over where the server says the test stands. `isElsewhere` says whether the student has gone to another device
   * meanwhile; undefined if only the numbers tell.
   */
  adopt({ stage, stages, grade, mode, durationMinutes, calculator = "none", questionIds, optionOrder = {}, form, seq, lateKey = this.#record.lateKey }: Standing, isElsewhere?: boolean): void {
    const isNewStage = this.#record.stage !== undefined && this.#record.stage !== stage;
    // The student went on with another device after asking for the ending here, so they no longer want it. If it was sent, it
    // did not count: the test goes on.
    const isOvertaken = isElsewhere ?? (!this.isSent(seq) && !this.#isEndingSent);
    if (this.#ending !== null) this.#ending = isNewStage || isOvertaken ? null : { type: this.#ending.type };
    const current = isNewStage ? 0 : Math.min(this.#record.current ?? 0, questionIds.length - 1);
    this.#record = { ...this.#record, stage, stages, grade, mode, durationMinutes, calculator, questionIds, optionOrder, current, ...(lateKey && { lateKey }), ...(form && { form }) };
  }

  /** Enters the stage that the server has opened, and tells whether it is a new one. */
  enter({ stage, questionIds, optionOrder = {} }: StageFrame): boolean {
    if (stage <= (this.#record.stage ?? 0)) return false;
    this.#ending = null;
    // As in `resumed`, the orders of both stages are kept.
    this.#record = { ...this.#record, stage, questionIds, optionOrder: { ...this.#record.optionOrder, ...optionOrder }, current: 0 };
    return true;
  }
}
