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

  constructor(kept: Command[] = [], highest = 0, sent?: number) {
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
    const command = { ...change, seq: this.number() };
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
    if (command === undefined) return undefined;
    const { seq: _, ...change } = command;
    return this.add(change as Change);
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
 * Continues from the server's highest number. If that is higher than anything this page has sent, another device has
 * written meanwhile. Then this page keeps only its changes to questions and drawings that the other device left alone,
 * under new numbers. Numbers that this page gave without a network and never sent do not count: they say nothing about who
 * wrote what.
 */
export function reconcile(outbox: Outbox, { seq, answers = [], drawings = {} }: Pick<Standing, "seq" | "answers" | "drawings">, copy: ServerCopy): void {
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
