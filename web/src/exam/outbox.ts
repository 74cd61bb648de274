// Every change that the server has not called saved yet, one for each question and kind: the latest wins.

import type { ServerCopy } from "./server_copy";
import type { Change, Command, Standing } from "./protocol";

/** A question and a kind of change: what a later command of the same slot takes the place of. */
export type Slot = string;

export function slotOf(change: Change): Slot {
  return `${change.type}:${change.questionId}`;
}

export class Outbox {
  #kept = new Map<Slot, Command>();
  /** The highest number that was ever given. */
  highest = 0;
  /** The highest number that a transport may have carried. */
  sent = 0;

  constructor(kept: Command[] = [], highest = 0, sent?: number) {
    for (const command of kept) this.#kept.set(slotOf(command), command);
    this.highest = Math.max(highest, 0, ...kept.map((command) => command.seq));
    this.sent = sent ?? this.highest;
  }

  /** A new number, for a command that is not kept here. */
  number(): number {
    this.highest += 1;
    return this.highest;
  }

  add(change: Change): Command {
    const command = { ...change, seq: this.number() };
    this.#kept.set(slotOf(change), command);
    return command;
  }

  /** What is kept, in the order of its numbers. */
  get commands(): Command[] {
    return [...this.#kept.values()].sort((one, other) => one.seq - other.seq);
  }

  get isEmpty(): boolean {
    return this.#kept.size === 0;
  }

  find(slot: Slot): Command | undefined {
    return this.#kept.get(slot);
  }

  /** Lets go of these numbers: saved, or refused for good. The slots that are free now. */
  release(isDone: (seq: number) => boolean): Slot[] {
    const done = [...this.#kept].filter(([, command]) => isDone(command.seq)).map(([slot]) => slot);
    for (const slot of done) this.#kept.delete(slot);
    return done;
  }

  /** Gives what has this number a new one, so that it goes out again behind what has overtaken it. */
  renumber(seq: number): Command | undefined {
    const command = this.commands.find((kept) => kept.seq === seq);
    if (command === undefined) return undefined;
    const { seq: _, ...change } = command;
    return this.add(change as Change);
  }

  /** Gives all that is kept new numbers, in its order. */
  renumberAll(): void {
    for (const { seq } of this.commands) this.renumber(seq);
  }

  /** Gives drawings numbers behind everything else: a slow socket, which carries by number, then carries the answers first. */
  putDrawingsLast(): void {
    const others = this.commands.filter(({ type }) => type !== "drawing");
    const behind = others.at(-1)?.seq ?? 0;
    for (const { type, seq } of this.commands) if (type === "drawing" && seq < behind) this.renumber(seq);
  }
}

/**
 * Goes on from the server's highest number. If that is above all that this page has sent, another device has written
 * meanwhile: then only changes of questions, and of drawings, that stand there as this page knows them are kept, under
 * new numbers. What was numbered here without a network, and never sent, says nothing of who has written what.
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
