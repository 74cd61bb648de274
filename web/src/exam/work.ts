// The student's work, and how much of it the server has. Separate from the exchange, which decides when commands go out:
// this keeps the answers that are shown, the outbox, the drafts and the copy of the server's state consistent.

import { ofRecord, restored, stateOf, toRecord, withChange, type Answers, type QuestionState } from "./answers";
import { Drafts } from "./drafts";
import { ServerCopy } from "./server_copy";
import { lossesOf } from "./losses";
import { Outbox, reconcile, slotOf, type Slot } from "./outbox";
import type { AttemptRecord, StoredAttempt, Timing, AttemptWrite } from "./ports";
import type { Change, Command, ErrorFrame, Selected, Standing, StoredAnswer, StoredDrawing } from "./protocol";

export interface WorkEvents {
  /** Whether a change made now is sent at once. */
  hasTransport(): boolean;
  /** A drawing is due to be sent. */
  drawn(change: Change): void;
  /** Stores this, so that it outlives the page though it is not sent yet. */
  keep(write: AttemptWrite): void;
}

export class Work {
  answers: Answers;
  #outbox: Outbox;
  #serverCopy: ServerCopy;
  #drafts: Drafts;
  /** The highest number that the server has told of. */
  #told = 0;
  /** The answers that the server had when it last told where the test stood. */
  #stored: StoredAnswer[] = [];
  /** The commands that the server refused because the test was over, by slot. They stay stored, since a reload tells the loss again. */
  #late = new Map<Slot, Command>();

  constructor({ record, commands, drawings }: StoredAttempt, timing: Timing, events: WorkEvents) {
    this.answers = ofRecord(record.answers ?? {}, drawings, commands);
    this.#outbox = new Outbox(commands, record.highest, record.sent, record.line);
    this.#serverCopy = new ServerCopy(record.known ?? {}, drawings);
    this.#drafts = new Drafts(timing, {
      // Versions of one drawing must not fill a slow network.
      isFree: (id) => !events.hasTransport() || this.#outbox.find(`drawing:${id}`) === undefined,
      send: (questionId, drawing) => events.drawn({ type: "drawing", questionId, drawing }),
      keep: (questionId, drawing) => events.keep({ put: [this.#draft(questionId, drawing)] }),
    });
  }

  /** The commands that the server has not saved, by rising number. */
  get unsaved(): Command[] {
    return this.#outbox.commands;
  }

  get isSaved(): boolean {
    return this.#outbox.isEmpty && this.#drafts.isEmpty;
  }

  /** A new number, for a command that is kept elsewhere. */
  number(): number {
    return this.#outbox.number();
  }

  /** Whether this number may have been sent. */
  isSent(seq: number): boolean {
    return seq <= this.#outbox.sent;
  }

  /** There is a connection, so every number given so far may have been sent. */
  sent(): void {
    this.#outbox.sent = this.#outbox.highest;
  }

  do(change: Change): AttemptWrite {
    this.answers = withChange(this.answers, change);
    this.#late.delete(slotOf(change));
    return { put: [this.#outbox.add(change)] };
  }

  draw(questionId: string, drawing: StoredDrawing | null): void {
    const change: Change = { type: "drawing", questionId, drawing };
    this.answers = withChange(this.answers, change);
    this.#late.delete(slotOf(change));
    this.#drafts.put(questionId, drawing);
  }

  /** Sends the drawings now, even if earlier versions are still on their way. */
  sendDrafts(): void {
    this.#drafts.sendNow();
  }

  /**
   * Takes over the server's answers, with the unsaved changes on top. A standing that was read before the server saved
   * something else is old, and changes nothing. `isNewSocket` means that nothing has been sent on this connection yet.
   */
  adopt(standing: Standing, isNewSocket: boolean): AttemptWrite {
    const { seq, line, answers = [], drawings = {} } = standing;
    if (this.isOld(standing)) return {};
    if (line !== this.line) this.#serverCopy.savedHighest = 0;
    this.#stored = answers;
    this.#told = Math.max(this.#told, seq);
    this.#takeDrafts();
    this.retryLate();
    const remove = this.#outbox.commands.map(slotOf);
    reconcile(this.#outbox, standing, this.#serverCopy);
    if (isNewSocket) this.#outbox.putDrawingsLast();
    this.answers = restored(answers, drawings, this.#outbox.commands);
    return { remove, put: this.#outbox.commands, drawings: this.#serverCopy.stands(answers, drawings) };
  }

  /** The line of this device; undefined with a server that gives none. */
  get line(): number | undefined {
    return this.#outbox.line;
  }

  /** Whether a standing was read before the server saved something else, or gave this device another line. */
  isOld({ seq, line }: Standing): boolean {
    if (line !== undefined && this.line !== undefined && line !== this.line) return line < this.line;
    return seq < this.#serverCopy.savedHighest;
  }

  /** Whether another device has come to the test since this one had its line; undefined where no lines tell. */
  isElsewhere({ line }: Standing): boolean | undefined {
    return line === undefined || this.line === undefined ? undefined : line > this.line;
  }

  /**
   * The server has refused this number, since a newer device has set its value, which is shown from now on. Returns the
   * command if the student has to read that; for what they can't see anyway there is nothing to tell.
   */
  supersede({ seq, selected }: ErrorFrame): { write: AttemptWrite; told?: Command } {
    const command = this.unsaved.find((unsaved) => unsaved.seq === seq);
    const remove = this.#release((number) => number === seq);
    // A draft is newer than the version that was refused, and is refused in its turn.
    if (command === undefined || remove.length === 0) return { write: { remove } };
    const before = stateOf(this.answers, command.questionId);
    const stored = this.#stored.find(({ questionId }) => questionId === command.questionId);
    this.answers = { ...this.answers, [command.questionId]: { ...before, ...this.#standing(command, stored, selected) } };
    const after = stateOf(this.answers, command.questionId);
    const isSeen = before.selected !== after.selected || JSON.stringify(before.drawing) !== JSON.stringify(after.drawing);
    return { write: { remove }, ...(isSeen ? { told: command } : {}) };
  }

  /** What the server has in the place of this command, as far as it has told. */
  #standing({ type, questionId }: Command, stored: StoredAnswer | undefined, selected: Selected | null | undefined): Partial<QuestionState> {
    switch (type) {
      case "answer":
        return { selected: selected === undefined ? (stored?.selected ?? null) : selected };
      case "mark":
        return { marked: stored?.marked ?? false };
      case "eliminate":
        return { eliminated: stored?.eliminated ?? [] };
      case "drawing":
        return { drawing: this.#serverCopy.drawings[questionId] ?? null };
      case "visit":
        return { visited: true };
    }
  }

  /** The server has saved these numbers. */
  settle(isDone: (seq: number) => boolean): AttemptWrite {
    const done = this.#outbox.commands.filter(({ seq }) => isDone(seq));
    const drawings = this.#serverCopy.saved(done, this.line);
    this.#told = Math.max(this.#told, ...done.map(({ seq }) => seq));
    return { remove: this.#release(isDone), drawings };
  }

  /** The server will never take this number. `isLate` if it came after the end, which the student must learn. */
  giveUp(seq: number, isLate = false): AttemptWrite {
    const command = this.unsaved.find((unsaved) => unsaved.seq === seq);
    const remove = this.#release((number) => number === seq);
    // A draft is newer, and is refused in its turn.
    if (!isLate || command === undefined || remove.length === 0) return { remove };
    this.#late.set(slotOf(command), command);
    // Nothing is on its way, so the server has no number above what it has told of.
    if (this.#outbox.isEmpty) this.#outbox.sent = this.#told;
    return {};
  }

  /** The test goes on after all: what came too late goes out again, under new numbers. */
  retryLate(): AttemptWrite {
    const late = [...this.#late.values()];
    this.#late.clear();
    return { put: late.map((command) => this.#outbox.addAgain(command)) };
  }

  /** Gives this command a new number, so that it goes out again behind those that overtook it. */
  renumber(seq: number): AttemptWrite {
    const renumbered = this.#outbox.renumber(seq);
    return renumbered === undefined || this.#isDrafted(slotOf(renumbered)) ? {} : { put: [renumbered] };
  }

  /** How many changes the server did not get before the end, compared with its standing if that is known. Those that it keeps all the same are none. */
  lost(standing?: Standing, kept: Command[] = []): number {
    this.#takeDrafts();
    const unsaved = new Map([...this.#late, ...this.#outbox.commands.map((command) => [slotOf(command), command] as const)]);
    for (const command of kept) unsaved.delete(slotOf(command));
    return lossesOf([...unsaved.values()], standing);
  }

  /** All of it, as a browser stores it. */
  get whole(): Required<Pick<AttemptWrite, "put" | "drawings">> {
    const drafts = this.#drafts.waiting.map(([questionId, drawing]) => this.#draft(questionId, drawing));
    return { put: [...this.#late.values(), ...this.#outbox.commands, ...drafts], drawings: this.#serverCopy.drawings };
  }

  get record(): Pick<AttemptRecord, "answers" | "known" | "highest" | "sent" | "line"> {
    const { highest, sent, line } = this.#outbox;
    return { answers: toRecord(this.answers), known: { ...this.#serverCopy.numbers }, highest, sent, ...(line === undefined ? {} : { line }) };
  }

  /** A draft as it is stored, in the slot of the version that is on its way. It gets another number when it is sent. */
  #draft(questionId: string, drawing: StoredDrawing | null): Command {
    const { line } = this.#outbox;
    return { type: "drawing", questionId, drawing, seq: this.#outbox.number(), ...(line === undefined ? {} : { line }) };
  }

  /** Drops these numbers. A draft stays stored, since it is newer than the version that the server has. */
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
