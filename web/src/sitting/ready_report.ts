// What the server is told of the paper on this device: that its sealed parts are here. Separate from the waiting room, which
// says on which connection it is told.

/** The command that names one sealed part that is here. */
interface ReadyCommand {
  type: "ready";
  seq: number;
  sha256: string;
}

export class ReadyReport {
  /** Whether the server knows that the paper is here. */
  isKnown = false;
  #told = "";
  /** The numbers of the commands that were not answered. */
  #unanswered = new Set<number>();

  /** `seq` is the highest number that a command before the beginning has had. */
  constructor(public seq: number) {}

  /** What to send on this connection; undefined if nothing is new on it. */
  on(connection: string, hashes: string[]): ReadyCommand[] | undefined {
    const said = `${connection} ${hashes.join(" ")}`;
    if (this.isKnown || said === this.#told) return undefined;
    this.#told = said;
    const commands = hashes.map((sha256) => ({ type: "ready" as const, seq: ++this.seq, sha256 }));
    this.#unanswered = new Set(commands.map(({ seq }) => seq));
    return commands;
  }

  /** The connection is gone or has failed, so that the next one is told again. */
  again(): void {
    this.#told = "";
  }

  /** A new connection answers nothing of the old one. */
  startOver(): void {
    this.again();
    this.#unanswered.clear();
  }

  /** All commands up to this number are stored. */
  saved(upTo: number): void {
    const before = this.#unanswered.size;
    for (const number of [...this.#unanswered]) if (number <= upTo) this.#unanswered.delete(number);
    if (before > 0 && this.#unanswered.size === 0) this.isKnown = true;
  }

  /** The server's paper is another one: `waiting` follows. */
  refused(seq: number): void {
    this.#unanswered.delete(seq);
  }
}
