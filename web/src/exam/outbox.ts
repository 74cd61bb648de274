// The changes that the server has not saved yet, at most one for each question and kind: the latest wins.

import type { ServerCopy } from "./server_copy";
import type { Change, Command, Standing } from "./protocol";

/** A question and a kind of change. A later command replaces the earlier one of its slot. */
export type Slot = string;

export function slotOf(change: Change): Slot {
  return `${change.type}:${change.questionId}`;
}

export class Outbox {
  #kept = new Map<Slot, Command>();
  /** The highest number given so far. */
  highest = 0;
  /** The highest number that may have been sent. */
  sent = 0;

  /** `line` is that of this device, and undefined with a server that gives none. */
  constructor(
    kept: Command[] = [],
    highest = 0,
    sent?: number,
    public line?: number,
  ) {
    for (const command of kept) this.#kept.set(slotOf(command), command);
    this.highest = Math.max(highest, 0, ...kept.map((command) => command.seq));
    this.sent = sent ?? this.highest;
  }

  /** A new number, for a command that is kept elsewhere. */
  number(): number {
    this.highest += 1;
    return this.highest;
  }

  add(change: Change): Command {
    return this.#put(change, this.line);
  }

  /** Adds a command again that was taken out, under a new number. It stays of the line that has made it. */
  addAgain({ seq: _, line, ...change }: Command): Command {
    return this.#put(change as Change, line);
  }

  #put(change: Change, line: number | undefined): Command {
    const command: Command = { ...change, seq: this.number(), ...(line === undefined ? {} : { line }) };
    this.#kept.set(slotOf(change), command);
    return command;
  }

  /** The commands by rising number. */
  get commands(): Command[] {
    return [...this.#kept.values()].sort((one, other) => one.seq - other.seq);
  }

  get isEmpty(): boolean {
    return this.#kept.size === 0;
  }

  find(slot: Slot): Command | undefined {
    return this.#kept.get(slot);
  }

  /** Drops these numbers, which are saved or refused for good, and returns the slots that are free now. */
  release(isDone: (seq: number) => boolean): Slot[] {
    const done = [...this.#kept].filter(([, command]) => isDone(command.seq)).map(([slot]) => slot);
    for (const slot of done) this.#kept.delete(slot);
    return done;
  }

  /** Gives this command a new number, so that it goes out again behind those that overtook it. */
  renumber(seq: number): Command | undefined {
    const command = this.commands.find((kept) => kept.seq === seq);
    return command === undefined ? undefined : this.addAgain(command);
  }

  /** Gives all commands new numbers, in the same order. */
  renumberAll(): void {
    for (const { seq } of this.commands) this.renumber(seq);
  }

  /** Numbers the drawings after everything else, so that a slow socket, which sends by number, carries the answers first. */
  putDrawingsLast(): void {
    const others = this.commands.filter(({ type }) => type !== "drawing");
    const behind = others.at(-1)?.seq ?? 0;
    for (const { type, seq } of this.commands) if (type === "drawing" && seq < behind) this.renumber(seq);
  }
}

/**
 * Continues from the server's highest number, and with the line that it has given this device. Every unsaved change stays
 * of the line that has made it, so the server tells which of two devices was later. A server that gives no lines can't; if
 * its highest number is then higher than anything this page has sent, another device has
 * written meanwhile. Then this page keeps only its changes to questions and drawings that the other device left alone,
 * under new numbers. Numbers that this page gave without a network and never sent do not count: they say nothing about who
 * wrote what.
 */
export function reconcile(outbox: Outbox, { seq, line, answers = [], drawings = {} }: Pick<Standing, "seq" | "line" | "answers" | "drawings">, copy: ServerCopy): void {
  if (line !== undefined) {
    [outbox.line, outbox.highest] = [line, Math.max(outbox.highest, seq)];
    // Another device has written, or this one before a crash that lost how far it had come: no number may be given twice.
    if (seq > outbox.sent) outbox.renumberAll();
    return;
  }
  if (seq <= outbox.sent) return;
  const storedNumbers = new Map(answers.map((answer) => [answer.questionId, answer.seq]));
  const isKept = (command: Command) =>
    command.type === "drawing"
      ? copy.isDrawing(command.questionId, drawings[command.questionId])
      : (storedNumbers.get(command.questionId) ?? 0) === (copy.numbers[command.questionId] ?? 0);
  const dropped = new Set(outbox.commands.filter((command) => !isKept(command)).map((command) => command.seq));
  outbox.release((number) => dropped.has(number));
  outbox.highest = Math.max(outbox.highest, seq);
  outbox.renumberAll();
}
