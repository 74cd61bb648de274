// Keeps one attempt in the browser, each change in one piece; after a failure all of it, again and again, until that succeeds.

import type { ChangedDrawings } from "./server_copy";
import { slotOf } from "./outbox";
import type { Keeper, Kept, Surroundings, Write } from "./ports";
import type { Command } from "./protocol";

/** After a failure it is tried again this often, also when nothing happens. */
const AGAIN_MS = 10_000;

export interface KeepingEvents {
  /** All that there is to be kept. */
  whole(): Required<Pick<Write, "record" | "put" | "drawings">>;
  /** `isKept` is other than before. */
  changed(): void;
  /** Another tab has taken the attempt over. */
  lost(): void;
}

export class Keeping {
  /** Whether the browser keeps what is unsaved, so that it outlives this page. */
  isKept: boolean;
  #isBlind: boolean;
  /** What is being written, oldest first. */
  #underWay = new Set<Write>();
  #hasLeft: boolean;
  #failures = 0;
  #isWaiting = false;
  #isOver = false;
  /** Another tab has it, or nobody any more: nothing may come back of what this one knows. */
  #isGone = false;

  constructor(
    private keeper: Keeper,
    private surroundings: Surroundings,
    private test: string,
    { hasLeft = false, isBlind = false }: Pick<Kept, "hasLeft" | "isBlind">,
    private events: KeepingEvents,
  ) {
    [this.isKept, this.#isBlind, this.#hasLeft] = [!isBlind, isBlind, hasLeft];
  }

  /** Settles when it is kept, or can't be. */
  async write(write: Write): Promise<void> {
    if (this.#isOver || this.#isBlind) return;
    const [isWhole, failures] = [!this.isKept, this.#failures];
    const written = isWhole ? { ...this.events.whole(), isWhole } : write;
    this.#underWay.add(written);
    try {
      if (!(await this.keeper.write(this.test, written))) this.#lose();
      else if (isWhole && failures === this.#failures) this.#turn(true);
    } catch {
      this.#failures += 1;
      this.#turn(false);
      this.#tryAgainLater();
    } finally {
      this.#underWay.delete(written);
      if (this.isKept && this.#underWay.size === 0) this.#takeBack();
    }
  }

  /** Writes all of it, in the place of what is there. */
  writeWhole(): void {
    void this.write({ ...this.events.whole(), isWhole: true });
  }

  /** Whether no other tab has taken the attempt over, as far as the browser knows. */
  async isMine(): Promise<boolean> {
    if (this.#isBlind) return true;
    const isMine = await this.keeper.write(this.test, {}).catch(() => true);
    if (!isMine) this.#lose();
    return isMine;
  }

  /** The page is being left, or may be without a word: nothing waits for a database any more. */
  leave(): void {
    if (this.#isGone || this.#isBlind) return;
    if (this.isKept && this.#underWay.size === 0) return this.#takeBack();
    const { record, put } = this.events.whole();
    const underWay = [...this.#underWay];
    const slots = underWay.flatMap((write) => write.put ?? []).map(slotOf);
    const isThere = (command: Command) => this.isKept && command.type === "drawing" && !slots.includes(slotOf(command));
    const drawings: ChangedDrawings = Object.assign({}, ...underWay.map((write) => write.drawings));
    this.#hasLeft = true;
    this.keeper.leave(this.test, { record, commands: put.filter((command) => !isThere(command)), kept: put.filter(isThere).map(slotOf), drawings });
  }

  /** What is kept stays as it is. */
  end(): void {
    this.#isOver = true;
  }

  /** Nothing of it is kept any more. */
  forget(): Promise<void> {
    [this.#isOver, this.#isGone] = [true, true];
    return this.keeper.forget(this.test).catch(() => {});
  }

  #lose(): void {
    this.#isGone = true;
    this.#takeBack();
    if (!this.#isOver) this.events.lost();
  }

  /** What was left is in the database, or of no use any more. */
  #takeBack(): void {
    if (this.#hasLeft) this.keeper.leave(this.test);
    this.#hasLeft = false;
  }

  #turn(isKept: boolean): void {
    if (isKept === this.isKept) return;
    this.isKept = isKept;
    this.events.changed();
  }

  #tryAgainLater(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.surroundings.later(AGAIN_MS, () => {
      this.#isWaiting = false;
      if (!this.isKept) void this.write({});
    });
  }
}
