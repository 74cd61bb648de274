// What a student has done, and what of it the server has: shown, numbered, sent, and let go of when it is saved.

import { ofRecord, restored, toRecord, withChange, type Answers } from "./answers";
import { Drafts } from "./drafts";
import { ServerCopy } from "./server_copy";
import { lossesOf } from "./losses";
import { Outbox, reconcile, slotOf, type Slot } from "./outbox";
import type { AttemptRecord, StoredAttempt, Timing, AttemptWrite } from "./ports";
import type { Change, Command, Standing, StoredDrawing } from "./protocol";

export interface WorkEvents {
  /** Whether what is done now is carried at once. */
  hasTransport(): boolean;
  /** A drawing is to go out. */
  drawn(change: Change): void;
  /** This is to outlive the page, though it does not go out yet. */
  keep(write: AttemptWrite): void;
}

export class Work {
  answers: Answers;
  #outbox: Outbox;
  #serverCopy: ServerCopy;
  #drafts: Drafts;
  /** What the server has refused because the test was over. */
  #late = new Map<Slot, Command>();

  constructor({ record, commands, drawings }: StoredAttempt, timing: Timing, events: WorkEvents) {
    this.answers = ofRecord(record.answers ?? {}, drawings, commands);
    this.#outbox = new Outbox(commands, record.highest, record.sent);
    this.#serverCopy = new ServerCopy(record.known ?? {}, drawings);
    this.#drafts = new Drafts(timing, {
      // A slow network is not filled with versions of one drawing.
      isFree: (id) => !events.hasTransport() || this.#outbox.find(`drawing:${id}`) === undefined,
      send: (questionId, drawing) => events.drawn({ type: "drawing", questionId, drawing }),
      keep: (questionId, drawing) => events.keep({ put: [this.#draft(questionId, drawing)] }),
    });
  }

  /** What the server has not called saved, in the order of its numbers. */
  get unsaved(): Command[] {
    return this.#outbox.commands;
  }

  get isSaved(): boolean {
    return this.#outbox.isEmpty && this.#drafts.isEmpty;
  }

  /** A new number, for a command that is not kept here. */
  number(): number {
    return this.#outbox.number();
  }

  /** Whether a transport may have carried this number. */
  isSent(seq: number): boolean {
    return seq <= this.#outbox.sent;
  }

  /** There is a transport: all that has a number may have gone out. */
  sent(): void {
    this.#outbox.sent = this.#outbox.highest;
  }

  do(change: Change): AttemptWrite {
    this.answers = withChange(this.answers, change);
    return { put: [this.#outbox.add(change)] };
  }

  draw(questionId: string, drawing: StoredDrawing | null): void {
    this.answers = withChange(this.answers, { type: "drawing", questionId, drawing });
    this.#drafts.put(questionId, drawing);
  }

  /** Drawings go out now, though versions before may still be on their way. */
  sendDrafts(): void {
    this.#drafts.sendNow();
  }

  /**
   * Takes the server's answers, with what is unsaved here upon them; nothing, when they were read before something that
   * the server has called saved since. `isNewSocket` when no transport carries any of it yet.
   */
  adopt(standing: Standing, isNewSocket: boolean): AttemptWrite {
    const { seq, answers = [], drawings = {} } = standing;
    if (seq < this.#serverCopy.savedHighest) return {};
    this.#takeDrafts();
    const remove = this.#outbox.commands.map(slotOf);
    reconcile(this.#outbox, standing, this.#serverCopy);
    if (isNewSocket) this.#outbox.putDrawingsLast();
    this.answers = restored(answers, drawings, this.#outbox.commands);
    return { remove, put: this.#outbox.commands, drawings: this.#serverCopy.stands(answers, drawings) };
  }

  /** The server has saved these numbers. */
  settle(isDone: (seq: number) => boolean): AttemptWrite {
    const drawings = this.#serverCopy.saved(this.#outbox.commands.filter(({ seq }) => isDone(seq)));
    return { remove: this.#release(isDone), drawings };
  }

  /** The server will never take this number; `isLate` when it came after the end, which the student is told of. */
  giveUp(seq: number, isLate = false): AttemptWrite {
    if (isLate) for (const command of this.unsaved) if (command.seq === seq) this.#late.set(slotOf(command), command);
    return { remove: this.#release((number) => number === seq) };
  }

  /** This number is to go out again, behind what has overtaken it. */
  renumber(seq: number): AttemptWrite {
    const renumbered = this.#outbox.renumber(seq);
    return renumbered === undefined || this.#isDrafted(slotOf(renumbered)) ? {} : { put: [renumbered] };
  }

  /** How much the server does not have though the test is over; by all that it has, when that is known. */
  lost(standing?: Standing): number {
    this.#takeDrafts();
    const unsaved = new Map([...this.#late, ...this.#outbox.commands.map((command) => [slotOf(command), command] as const)]);
    return lossesOf([...unsaved.values()], standing);
  }

  /** All of it as a browser keeps it. */
  get whole(): Required<Pick<AttemptWrite, "put" | "drawings">> {
    const drafts = this.#drafts.waiting.map(([questionId, drawing]) => this.#draft(questionId, drawing));
    return { put: [...this.#outbox.commands, ...drafts], drawings: this.#serverCopy.drawings };
  }

  get record(): Pick<AttemptRecord, "answers" | "known" | "highest" | "sent"> {
    const { highest, sent } = this.#outbox;
    return { answers: toRecord(this.answers), known: { ...this.#serverCopy.numbers }, highest, sent };
  }

  /** As it is kept in the place of the version that is on its way; when it goes out, it gets a number of its own. */
  #draft(questionId: string, drawing: StoredDrawing | null): Command {
    return { type: "drawing", questionId, drawing, seq: this.#outbox.number() };
  }

  /** What is newer than a version that has arrived stays kept. */
  #release(isDone: (seq: number) => boolean): Slot[] {
    return this.#outbox.release(isDone).filter((slot) => !this.#isDrafted(slot));
  }

  #isDrafted(slot: Slot): boolean {
    return this.#drafts.waiting.some(([questionId]) => slot === `drawing:${questionId}`);
  }

  #takeDrafts(): void {
    for (const [questionId, drawing] of this.#drafts.take(() => true)) this.#outbox.add({ type: "drawing", questionId, drawing });
  }
}
